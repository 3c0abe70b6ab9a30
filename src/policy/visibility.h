// Decides who may see what. A conversation is visible to those the platform would show it to now. Its runs, results,
// files, tasks and costs are as visible as the conversation.
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
  direct,           // one person and Deputy, including the terminal and the console
};

struct SeenConversation {
  std::string id;  // the channel that has members, not the thread
  ConversationKind kind = ConversationKind::private_channel;
  /// Keys of the member accounts; absent if unknown, which means no. Of a public channel only `sees_own_only` needs
  /// them.
  std::optional<std::set<std::string>> members = std::nullopt;
  bool external = false;  // people of other teams read it too
};

/// A viewer, with all accounts known to be theirs.
struct Viewer {
  std::set<std::string> accounts;  // keys
  bool has_access = false;
  bool is_admin = false;
  bool sees_own_only = false;  // guests and people of other teams: of public channels too, only those they are in
};
/// `has_access` is the result of `who_may_speak`.
Viewer viewer_of(const Identity& identity, bool has_access, const Settings& settings);

enum class Visible {
  no,
  yes,
  as_admin,  // only because they are an admin; recorded in the audit
};

Visible may_see(const Viewer& viewer, const SeenConversation& conversation);

/// People who may answer an interaction may see it too.
Visible may_see_interaction(const Viewer& viewer, const SeenConversation& conversation, bool may_answer);

/// True if a tool may use `source` for an answer in `answer`: the requester can see it, and so may everyone who will
/// read the answer. In a channel these are public conversations and the channel itself; in a channel shared with
/// another team, that channel alone; in a direct message, what the requester sees. Being an admin adds nothing here.
bool may_be_used(const SeenConversation& source, const Viewer& requester, const SeenConversation& answer);

/// Omitted items are counted, not named.
template <class T>
struct Shown {
  std::vector<T> items;
  std::size_t left_out = 0;
};

/// `conversation_of(item)` returns the SeenConversation of an item.
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
