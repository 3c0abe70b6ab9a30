// Bedrock's Converse API: builds the body of a request and reads a reply, event by event or whole. Pure.
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

/// The body of a request. Tools are offered even if no calls are allowed: Converse cannot forbid calls, so the reply
/// drops them. Only Anthropic's models get cache marks and thinking fields; others refuse both.
MessagesBody converse_body(const Request& request, const MessagesManner& how);

class ConverseReader {
 public:
  ConverseReader(Calls calls, OnText on_text) : builder_(calls, std::move(on_text)) {}

  /// Reads one event: its type (`contentBlockDelta`) and its data. An error means a malformed reply. Unknown events and
  /// deltas are ignored.
  Result<> read(std::string_view type, const json::object& event);

  /// Reads a whole Converse response.
  Result<> read_message(const json::object& response);

  /// True when nothing more is expected.
  bool has_ended() const { return has_ended_; }
  /// True when the reply is complete even if the stream breaks now; only its usage may be missing.
  bool is_whole() const { return stop_reason_.has_value(); }

  /// Call when the stream has ended. Returns a retryable error if the message is incomplete.
  Result<Reply> finish();

 private:
  /// An open call. Text needs no such state: it is passed on at once.
  struct OpenCall {
    std::int64_t index = 0;
    std::string id, tool, input;
  };
  /// Open thinking.
  struct OpenThought {
    std::string text, signature, redacted;
  };

  enum class CallPosition { before_others, last };

  Result<> read_call(const json::object& use, CallPosition place);
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
