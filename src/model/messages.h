// The words of the Messages API, for whoever carries them over a wire of its own: Bedrock has Anthropic's models speak
// them. The words themselves are the matter of model/anthropic, which implements this; its neighbours see no more of
// it.
#pragma once

#include <memory>

#include "base/json.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model {

/// Who takes the body: Bedrock refuses what the vendor's own API calls structured output.
enum class MessagesApi { anthropic, bedrock };

struct MessagesManner {
  const Manner& manner;
  const SecondTry& second_try;
  MessagesApi api = MessagesApi::anthropic;
  bool shows_thinking = false;  // somebody listens to its summary
};

struct MessagesBody {
  json::object body;
  unsigned sent = 0;  // which optional fields are in it (second_try.h)
};

/// The body without what differs by who is asked: model, stream, version.
MessagesBody body_in_messages(const Request& request, const MessagesManner& how);

/// What says how much a model of Anthropic's thinks and works: `thinking` and `output_config`, each where its family
/// takes it.
MessagesBody claude_fields(const MessagesManner& how);

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
