// What was said in a conversation of a terminal, which keeps nothing itself: the requests and answers of its runs, so
// that a chat knows what it is about, also one that was taken up again.
#pragma once

#include <string>

#include "base/task.h"
#include "channel/message.h"
#include "store/store.h"

namespace deputy::app {

/// Of runs that have finished, `most` messages at most. What was forgotten counts as left out.
Task<Result<channel::ConversationContext>> said_before(store::Store& store, std::string conversation, int most);

}  // namespace deputy::app
