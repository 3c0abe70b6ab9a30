// A streamed reply of the Chat Completions API, chunk by chunk, as OpenAI, Ollama, vLLM and llama.cpp send it. Pure.
// What these servers think is told to who listens and never sent back; what is not known is passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/model.h"
#include "model/reply_builder.h"

namespace deputy::model::openai_chat {

// Calls put together from the parts they are streamed in. By the API's reference a part says by its index which call it
// belongs to, and id and name come once; servers leave the index out, use 0 for all, repeat the name or send it piece
// by piece, leave out the id, or send a call whole. Pure.

/// Says, without reading it twice, when a text that grows holds a whole JSON object.
class ObjectEnd {
 public:
  void read(std::string_view part);
  bool is_whole() const { return is_whole_; }

 private:
  int depth_ = 0;
  bool in_text_ = false;
  bool is_escaped_ = false;
  bool is_whole_ = false;
};

struct PartedCall {
  std::optional<std::int64_t> index;
  std::string id;
  std::string name;
  std::string arguments;
  ObjectEnd end;
};

class CallParts {
 public:
  /// Whether a part came in a list with others: then those without an index are different calls.
  enum class Among { none, others };

  /// One element of `tool_calls`, or a `function_call` of the older form. Gives how many bytes it had.
  std::size_t add(const json::object& fragment, Among among = Among::none);

  /// In the order in which they began.
  const std::vector<PartedCall>& calls() const { return calls_; }

 private:
  struct Part {
    std::optional<std::int64_t> index;
    std::string id;
    std::string name;
    std::string arguments;
  };

  static Part read(const json::object& part);
  PartedCall* call_of(const Part& part);
  static bool is_said_again(const PartedCall& call, const Part& part);
  static bool begins_another(const PartedCall& call, const Part& part);
  static void add_name(std::string& name, const std::string& part);

  std::vector<PartedCall> calls_;
};

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
