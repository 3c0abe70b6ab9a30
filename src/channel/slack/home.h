// Draws App Home: what waits for the person who looks at it, and what they might ask. Pure.
#pragma once

#include <string>

#include "base/json.h"
#include "channel/message.h"

namespace deputy::channel::slack {

/// `workspace`: the address of the workspace, for links to threads.
json::object draw_home(const Welcome& welcome, const std::string& workspace, Timestamp now);

/// The address of a thread's first message; empty if the conversation is not a thread.
std::string link_to(const ConversationKey& conversation, const std::string& workspace);

}  // namespace deputy::channel::slack
