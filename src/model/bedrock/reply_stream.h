// Bedrock's reply in either form, from the bytes of its stream (frames, then events, then the reply) or from one whole
// message. Pure.
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
  ReplyStream(Form form, Calls calls, OnText on_text);

  /// The next bytes of the body, cut anywhere. An error is final: what a frame says, or a malformed reply.
  Result<> feed(std::string_view bytes, Timestamp now);

  /// The whole message, of a reply that does not stream.
  Result<> read_message(const json::object& message);

  /// True when nothing more is to come; what comes all the same is not read.
  bool has_ended() const;
  /// True when a stream that breaks off now takes nothing of the reply with it.
  bool is_whole() const;

  /// The body has ended, or nothing of the reply is left in it.
  Result<Reply> finish();

 private:
  Result<> read(const net::EventFrame& frame, Timestamp now);
  Result<> read_event(std::string_view type, const net::EventFrame& frame);

  net::EventStreamReader frames_;
  std::variant<std::unique_ptr<MessagesReader>, ConverseReader> reader_;
  std::optional<Reply> overflow_;  // said in the middle of the stream
};

// What Bedrock answers in place of a reply, as a response or as a frame of a stream. Pure.

/// `status` is HTTP's; 0 for a frame, whose code says it. A request that does not fit is a reply (Stop::overflow).
Result<Reply> refusal(int status, const clients::aws::ServiceError& refused, const std::vector<net::Header>& headers,
                      Timestamp now);

}  // namespace deputy::model::bedrock
