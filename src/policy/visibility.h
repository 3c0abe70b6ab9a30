// Who may see what. A conversation is visible to those the platform would show it to now; what belongs to it (runs,
// results, files, tasks, cost) is as visible as it is.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "policy/persons.h"

namespace deputy::policy {

enum class ConversationKind {
  public_channel,
  private_channel,  // and messages among several people
  direct,           // one person and Deputy; the terminal and the console too
};

struct SeenConversation {
  std::string id;  // of what has members: the channel, not the thread
  ConversationKind kind = ConversationKind::private_channel;
  /// Keys of the accounts in it; nothing when that is not known, which is no.
  std::optional<std::set<std::string>> members = std::nullopt;
};

/// Someone who looks, through all accounts that are known to be theirs.
struct Viewer {
  std::set<std::string> accounts;  // keys
  bool has_access = false;
  bool is_admin = false;
};
/// `has_access` is what `who_may_speak` said.
Viewer viewer_of(const Identity& identity, bool has_access, const Settings& settings);

enum class Sight {
  no,
  yes,
  as_admin,  // only because they are an admin: goes to the audit
};

Sight may_see(const Viewer& viewer, const SeenConversation& conversation);

/// An interaction is also seen by who may answer it.
Sight may_see_interaction(const Viewer& viewer, const SeenConversation& conversation, bool may_answer);

/// Whether a tool may use `source` for an answer in `answer`: the requester can see it and so may all who will read. In
/// a channel these are public conversations and the channel itself, in a direct message what the requester sees. Being
/// an admin widens nothing here.
bool may_be_used(const SeenConversation& source, const Viewer& requester, const SeenConversation& answer);

/// What was left out is counted, not named.
template <class T>
struct Shown {
  std::vector<T> items;
  std::size_t left_out = 0;
};

/// `conversation_of(item)` gives the SeenConversation that an item belongs to.
template <class T, class ConversationOf>
Shown<T> keep_usable(std::vector<T> items, const Viewer& requester, const SeenConversation& answer,
                     ConversationOf conversation_of) {
  Shown<T> shown;
  for (T& item : items) {
    if (may_be_used(conversation_of(item), requester, answer)) {
      shown.items.push_back(std::move(item));
    } else {
      ++shown.left_out;
    }
  }
  return shown;
}

}  // namespace deputy::policy
