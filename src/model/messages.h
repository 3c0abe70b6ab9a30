// The words of the Messages API, for whoever carries them over a wire of its own: Bedrock has Anthropic's models speak
// them. The words themselves are the matter of model/anthropic, which implements this; its neighbours see no more of
// it.
#pragma once

#include <memory>

#include "base/json.h"
#include "model/model.h"

namespace deputy::model {

/// The body without what differs by who is asked: model, stream, version.
json::object body_in_messages(const Request& request);

/// A reply, event by event or whole.
class MessagesReader {
 public:
  virtual ~MessagesReader() = default;

  /// One event's data. An error is final: the one that the API sent, or a malformed reply.
  virtual Result<> read(const json::object& event) = 0;
  /// A whole message, of a reply that does not stream.
  virtual Result<> read_message(const json::object& message) = 0;
  /// True when nothing more is to come.
  virtual bool has_ended() const = 0;
  /// True when a stream that breaks off now takes nothing of the reply with it.
  virtual bool is_whole() const = 0;
  /// The stream has ended. An error that is retryable when the message did not. One that paused to be gone on with,
  /// which nobody does here, counts as cut.
  virtual Result<Reply> finish() = 0;
};

std::unique_ptr<MessagesReader> reader_of_messages(Calls calls, OnText on_text);

}  // namespace deputy::model
