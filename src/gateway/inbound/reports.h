// The words that ask about something: one run, the cost, grants and background tasks. Each shows what its sender may
// see, and to others only what they may see too.
#pragma once

#include "gateway/inbound/commands.h"

namespace deputy::gateway {

/// `show`, `cost`, `grants` and `tasks`, by a sender with access.
Task<Result<CommandReply>> report(InboundDependencies& parts, Command command, channel::InboundMessage message,
                                  policy::Identity sender, Facts facts);

/// True if nobody but the sender sees a reply that is for them.
bool replies_privately(const InboundDependencies& parts, const channel::InboundMessage& message);

/// What a grant is bound to, in a line: its pins, or exactly the arguments that were approved. Not escaped.
std::string bound_to(const store::GrantRow& grant);

}  // namespace deputy::gateway
