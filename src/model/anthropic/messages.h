// A request as a body of the Messages API, for Anthropic itself and for Bedrock. Pure: no I/O, no clock.
#pragma once

#include "base/json.h"
#include "model/anthropic/anthropic.h"
#include "model/anthropic/reply_reader.h"
#include "model/messages.h"
#include "model/model.h"

namespace deputy::model::anthropic {

/// The body without `model`, `stream` and the version, which depend on the receiver. The same request gives the same
/// bytes, and a longer conversation the same start: system, tools and the last turn are marked for the cache.
MessagesBody messages_body(const Request& request, const MessagesManner& how);

/// The message that sends a paused reply back, so that the model continues it.
json::object assistant_message(json::array content);

}  // namespace deputy::model::anthropic
