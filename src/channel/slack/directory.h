// What is known of a workspace: the app itself, people, channels and groups. Looked up when needed and kept for a
// while; what cannot be looked up is an error, which the caller treats as "no".
#pragma once

#include <functional>
#include <set>
#include <string>

#include "channel/slack/lookup_cache.h"
#include "clients/slack/calls.h"
#include "policy/identity.h"

namespace deputy::channel::slack {

class Directory {
 public:
  /// The references outlive it. `groups`: the ids of groups that settings name now.
  Directory(clients::slack::Api& api, const Clock& clock, std::function<std::set<std::string>()> groups);

  /// The app itself; empty until it is set.
  void set_self(clients::slack::Self self) { self_ = std::move(self); }
  const clients::slack::Self& self() const { return self_; }

  /// An account of this workspace.
  policy::Account account(std::string_view user) const;
  /// The account of whoever a payload names, the same for every kind of payload: on Enterprise Grid some name the
  /// organisation, or another workspace of the person, as the team. Without an answer from Slack, `team` as it came.
  Task<policy::Account> account_of(std::string team, std::string user);
  /// A channel that cannot be looked up counts as private and as shared with others: fewer people may then see what
  /// happens there, and nobody has access unless settings name it.
  enum class Shared { unknown, with_others };
  Task<policy::Place> place(std::string channel, Shared shared = Shared::unknown);

  Task<Result<clients::slack::User>> user(std::string id);
  Task<Result<clients::slack::ChannelInfo>> channel(std::string id);
  /// User ids, read each time: there may be thousands, and the caller keeps them.
  Task<Result<std::set<std::string>>> members_of_channel(std::string id);
  Task<Result<std::set<std::string>>> members_of_group(std::string id);  // user ids
  /// With its groups; those that could not be read just now are missing, and `lookup` says so.
  Task<Result<policy::Identity>> identity(policy::Account account);

  /// The name of a user or channel if it is known now; else empty.
  std::string known_name(std::string_view id) const;

 private:
  Task<Result<policy::Identity>> bot(policy::Account account);
  bool is_of_this_workspace(const clients::slack::User& user) const;

  clients::slack::Api& api_;
  clients::slack::Self self_;
  std::function<std::set<std::string>()> groups_;
  LookupCache<clients::slack::User> users_;
  LookupCache<clients::slack::Bot> bots_;
  LookupCache<clients::slack::ChannelInfo> channels_;
  LookupCache<std::set<std::string>> group_members_;
};

}  // namespace deputy::channel::slack
