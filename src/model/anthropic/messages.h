// Anthropic's Messages API as values, shared by all that speak it (Anthropic itself, Bedrock): a request as a body
// here, the reply in reply_reader.h, its errors in errors.h. Pure: no I/O, no clock.
#pragma once

#include "base/json.h"
#include "model/anthropic/anthropic.h"
#include "model/anthropic/reply_reader.h"
#include "model/messages.h"
#include "model/model.h"

namespace deputy::model::anthropic {

/// The body without `model`, `stream` and the version, which differ by who is asked. The same request gives the same
/// bytes, and a longer conversation the same beginning: system, tools and the last turn are marked for the cache.
MessagesBody messages_body(const Request& request, const MessagesManner& how);

/// The message that hands a paused reply back as it came, to be gone on with.
json::object assistant_message(json::array content);

}  // namespace deputy::model::anthropic
