#include "policy/visibility.h"

#include <algorithm>

namespace deputy::policy {

namespace {

bool sees_as_anyone(const Viewer& viewer, const SeenConversation& conversation) {
  const bool is_public = conversation.kind == ConversationKind::public_channel;
  if (is_public && (!viewer.has_access || !viewer.sees_own_only)) return viewer.has_access;
  return conversation.members && std::ranges::any_of(viewer.accounts, [&](const std::string& account) {
           return conversation.members->contains(account);
         });
}

bool sees_own_only(AccountKind standing) {
  switch (standing) {
    case AccountKind::unknown:
    case AccountKind::outsider:
    case AccountKind::guest:
      return true;
    case AccountKind::member:
    case AccountKind::signed_in:
    case AccountKind::local_user:
    case AccountKind::service:
      return false;
  }
  return true;
}

}  // namespace

Viewer viewer_of(const Identity& identity, bool has_access, const Settings& settings) {
  if (identity.deactivated) return {};
  const Person person = person_of(identity, settings);
  Viewer viewer{{identity.account.key()}, has_access, false, sees_own_only(identity.standing)};
  viewer.is_admin = has_access && person.kind == PersonKind::human && person.has(kAdmin);
  const auto joined = settings.people.find(person.id);
  if (person.joined && joined != settings.people.end()) {
    for (const auto& [channel, id] : joined->second.accounts) viewer.accounts.insert(Account{channel, id}.key());
  }
  return viewer;
}

Visible may_see(const Viewer& viewer, const SeenConversation& conversation) {
  if (sees_as_anyone(viewer, conversation)) return Visible::yes;
  return viewer.is_admin ? Visible::as_admin : Visible::no;
}

Visible may_see_interaction(const Viewer& viewer, const SeenConversation& conversation, bool may_answer) {
  return may_answer ? Visible::yes : may_see(viewer, conversation);
}

bool may_be_used(const SeenConversation& source, const Viewer& requester, const SeenConversation& answer) {
  if (!sees_as_anyone(requester, source)) return false;
  if (answer.kind == ConversationKind::direct) return true;
  if (!source.id.empty() && source.id == answer.id) return true;
  return source.kind == ConversationKind::public_channel && !answer.external;
}

}  // namespace deputy::policy
