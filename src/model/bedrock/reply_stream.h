// Bedrock's reply in either format, read from a stream (bytes, frames, events) or from one whole message, and Bedrock's
// errors. Pure: the caller parses each frame's event where it holds up nobody.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "clients/aws/signed_client.h"
#include "model/bedrock/converse.h"
#include "model/bedrock/settings.h"
#include "model/messages.h"
#include "model/model.h"
#include "net/event_stream.h"

namespace deputy::model::bedrock {

class ReplyStream {
 public:
  ReplyStream(ApiForm form, Calls calls, OnText on_text);

  /// Adds the next bytes of the body, cut anywhere.
  void add(std::string_view bytes) { frames_.add(bytes); }
  /// The next frame; nothing until it is complete, or after the end.
  Result<std::optional<net::EventFrame>> next();
  /// Reads a frame and the event that `parse_event` found in it. An error is final: one sent in a frame, or a malformed
  /// reply.
  Result<> read(const net::EventFrame& frame, const Result<json::object>& event, Timestamp now);

  /// Reads a whole message, for a reply that is not streamed.
  Result<> read_message(const json::object& message);

  /// True when nothing more is expected; anything that still comes is ignored.
  bool has_ended() const;
  /// True when the reply is complete even if the stream breaks now.
  bool is_whole() const;

  /// Call when the body has ended or the reply is complete.
  Result<Reply> finish();

 private:
  Result<> read_event(std::string_view type, const Result<json::object>& event);

  net::EventStreamReader frames_;
  std::variant<std::unique_ptr<MessagesReader>, ConverseReader> reader_;
  std::optional<Reply> overflow_;  // reported in the middle of the stream
};

/// The event in a frame: its payload, or what a chunk of Anthropic's format wraps. An error for a malformed one.
Result<json::object> parse_event(ApiForm form, const net::EventFrame& frame);

/// The error behind a response or a frame. `status` is the HTTP status; 0 for a frame, where the code decides. An
/// overflow is a reply (Stop::overflow), not an error.
Result<Reply> refusal(int status, const clients::aws::ServiceError& refused, const std::vector<net::Header>& headers,
                      Timestamp now);

}  // namespace deputy::model::bedrock
