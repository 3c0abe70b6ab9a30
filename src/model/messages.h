// The Messages API without a transport, for providers that bring their own: Bedrock serves Anthropic's models in this
// format. model/anthropic implements it; other providers see only this header.
#pragma once

#include <memory>

#include "base/json.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model {

/// The receiver of the body. Bedrock rejects structured output, which Anthropic's own API accepts.
enum class MessagesApi { anthropic, bedrock };

struct MessagesManner {
  const Manner& manner;
  const SecondTry& second_try;
  MessagesApi api = MessagesApi::anthropic;
  bool shows_thinking = false;  // somebody reads the summary
};

struct MessagesBody {
  json::object body;
  unsigned sent = 0;  // optional fields in the body, as flags (second_try.h)
};

/// The body without `model`, `stream` and the version, which depend on the receiver.
MessagesBody body_in_messages(const Request& request, const MessagesManner& how);

/// The fields that control how much an Anthropic model thinks and works: `thinking` and `output_config`, each only if
/// the model's family accepts it.
MessagesBody claude_fields(const MessagesManner& how);

/// Reads a reply, event by event or whole.
class MessagesReader {
 public:
  virtual ~MessagesReader() = default;

  /// Reads one event's data. An error is final: one the API sent, or a malformed reply.
  virtual Result<> read(const json::object& event) = 0;
  /// Reads a whole message, for a reply that is not streamed.
  virtual Result<> read_message(const json::object& message) = 0;
  /// True when nothing more is expected.
  virtual bool has_ended() const = 0;
  /// True when the reply is complete even if the stream breaks now.
  virtual bool is_whole() const = 0;
  /// Call when the stream has ended. Returns a retryable error if the message is incomplete. A paused message counts as
  /// cut, because nobody resumes it here.
  virtual Result<Reply> finish() = 0;
};

std::unique_ptr<MessagesReader> reader_of_messages(Calls calls, OnText on_text);

}  // namespace deputy::model
