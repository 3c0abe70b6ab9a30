// A streamed reply of the Chat Completions API, chunk by chunk, as OpenAI, Ollama, vLLM and llama.cpp send it. Pure.
// What it does not know (reasoning, log probabilities, further choices) is passed over.
#pragma once

#include <string>

#include "model/event_reader.h"
#include "model/model.h"
#include "model/openai/call_parts.h"
#include "model/reply_builder.h"

namespace deputy::model::openai {

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
  std::size_t calls_without_form_ = 0;  // elements of `tool_calls` that are no object
  std::string finish_reason_;
  bool has_ended_ = false;
  bool ends_in_call_ = false;  // calls go to the builder at the end, so it cannot see what came behind them
  bool is_refusal_ = false;
  bool is_overflow_ = false;
  Usage usage_;
};

}  // namespace deputy::model::openai
