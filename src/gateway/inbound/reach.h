// Reaches the people who may approve: finds their accounts and groups on the channel of a card, shows the card where
// they will see it, and reminds them at half time.
//
// If none of them is a member of the channel that asks, the card gets more views: in `approvals.channel` if the
// conversation is public, else in direct messages. All views are of one interaction: the first answer settles them all.
#pragma once

#include "channel/message.h"
#include "gateway/inbound/dependencies.h"
#include "run/journal/interaction_body.h"

namespace deputy::gateway {

/// Entries of settings as accounts and groups of the conversation's channel, all of them.
Task<channel::Mentions> approvers_on(InboundDependencies& parts, std::string conversation,
                                     std::vector<std::string> entries);

/// At most kMaxApproversMentioned accounts, and all groups.
channel::Mentions to_mention(channel::Mentions approvers);

/// Shows the card in more places if nobody who may approve it sees it where it is. Ends the due.
Task<Result<>> reach_approvers(InboundDependencies& parts, store::DueRow due, store::InteractionRow row);

/// True if a view that stands in `view` is shown to those in `conversation`, a conversation at `place`. More views
/// stand in a channel outside any thread; what people write there, and a click there, has a conversation of its own.
bool is_shown_in(const InboundDependencies& parts, std::string_view view, std::string_view conversation,
                 const policy::Place& place);

/// True if the interaction belongs to this conversation, or its card is also shown in it.
Task<Result<bool>> is_asked_in(InboundDependencies& parts, store::InteractionRow row, std::string conversation,
                               policy::Place place);

/// Says wherever the card is shown that it still waits, and notifies its approvers. Ends the due.
Task<Result<>> remind_approvers(InboundDependencies& parts, store::DueRow due, store::InteractionRow row);

}  // namespace deputy::gateway
