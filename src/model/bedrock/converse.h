// Bedrock's Converse API as values: a request as a body, a streamed reply event by event. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "model/messages.h"
#include "model/model.h"
#include "model/reply_builder.h"

namespace deputy::model::bedrock {

/// The body of a request. A model that may call nothing is offered its tools all the same: Converse cannot say no to
/// them, and the reply leaves them out. Only Anthropic's models get cache marks and say how much they think: others
/// refuse both.
MessagesBody converse_body(const Request& request, const MessagesManner& how);

class ConverseReader {
 public:
  ConverseReader(Calls calls, OnText on_text) : builder_(calls, std::move(on_text)) {}

  /// One event: its type (`contentBlockDelta`) and its data. An error is of a malformed reply. Events and deltas that
  /// are not known are passed over.
  Result<> read(std::string_view type, const json::object& event);

  /// A whole response of Converse.
  Result<> read_message(const json::object& response);

  /// True when nothing more is to come.
  bool has_ended() const { return has_ended_; }
  /// True when a stream that breaks off now takes nothing of the reply with it: no more than what it cost.
  bool is_whole() const { return stop_reason_.has_value(); }

  /// The stream has ended. An error that is retryable when the message did not.
  Result<Reply> finish();

 private:
  /// A call that is being written. Texts need no such thing: they are said at once.
  struct OpenCall {
    std::int64_t index = 0;
    std::string id, tool, input;
  };
  /// Thinking that is being written.
  struct OpenThought {
    std::string text, signature, redacted;
  };

  enum class Place { before_others, last };

  Result<> read_call(const json::object& use, Place place);
  Result<> begin_block(const json::object& event);
  Result<> read_delta(const json::object& event);
  Result<> read_thought(const json::object& reasoning);
  Result<> end_block();
  void read_usage(const json::object& event);

  ReplyBuilder builder_;
  std::optional<OpenCall> call_;
  std::optional<OpenThought> thought_;
  std::optional<std::string> stop_reason_;
  bool has_ended_ = false;
  Usage usage_;
};

}  // namespace deputy::model::bedrock
