// A streamed reply of the Chat Completions API, chunk by chunk, as OpenAI, Ollama, vLLM and llama.cpp send it. Pure.
// What these servers think is told to who listens and never sent back; what is not known is passed over.
#pragma once

#include <string>

#include "model/event_reader.h"
#include "model/model.h"
#include "model/openai_chat/call_parts.h"
#include "model/reply_builder.h"

namespace deputy::model::openai_chat {

/// Local models write what they think before their answer, between `<think>` and `</think>`, or up to `</think>` where
/// their template has begun it for them. Tells the two apart however the text is cut.
class ThinkTags {
 public:
  struct Split {
    std::string text;
    std::string thinking;
    bool all_before_was_thinking = false;  // it ended without having begun: the model's template opens it
  };
  Split feed(std::string_view part);
  /// What was held back and is text after all.
  std::string finish();

 private:
  enum class Place { beginning, thinking, text };

  static std::string_view begun_text(std::string_view held);

  Place place_ = Place::beginning;
  std::string held_;
  bool has_thought_ = false;
};

class ReplyReader final : public EventReader {
 public:
  ReplyReader(Calls calls, OnText on_text) : builder_(calls, std::move(on_text)) {}

  Result<> read(const json::object& chunk) override;
  Result<> read_message(const json::object& message) override;
  void end() override { has_ended_ = true; }
  bool has_ended() const override { return has_ended_; }
  bool is_whole() const override { return has_ended_ || !finish_reason_.empty(); }

  /// The stream has ended. An error that is retryable when the reply did not. Usage is nothing where the server said
  /// none.
  Result<Reply> finish();

 private:
  Result<> read_error(const json::object& chunk);
  Result<> read_choice(const json::object& choice);
  Result<> read_delta(const json::object& delta);
  Result<> read_content(const json::value& content);
  Result<> say(std::string_view text);
  Result<> add_part(const json::value& part, CallParts::Among among = CallParts::Among::none);
  void read_usage(const json::object& chunk);

  ReplyBuilder builder_;
  CallParts parts_;
  ThinkTags tags_;
  std::size_t calls_without_form_ = 0;  // elements of `tool_calls` that are no object
  std::string finish_reason_;
  bool has_ended_ = false;
  bool ends_in_call_ = false;  // calls go to the builder at the end, so it cannot see what came behind them
  bool is_refusal_ = false;
  bool is_overflow_ = false;
  Usage usage_;
};

}  // namespace deputy::model::openai_chat
