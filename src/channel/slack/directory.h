// What is known of a workspace: the app itself, people, channels and groups. Looked up when needed and kept for a
// while; what cannot be looked up is an error, which the caller treats as "no".
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "clients/slack/calls.h"
#include "policy/identity.h"

namespace deputy::channel::slack {

class Directory {
 public:
  /// The references outlive it. `groups`: the ids of groups that settings name now.
  Directory(clients::slack::Api& api, const Clock& clock, std::function<std::set<std::string>()> groups)
      : api_(api), clock_(clock), groups_(std::move(groups)) {}

  /// The app itself; empty until it is set.
  void set_self(clients::slack::Self self) { self_ = std::move(self); }
  const clients::slack::Self& self() const { return self_; }

  /// An account of this workspace, or of `team` where Slack names another.
  policy::Account account(std::string_view team, std::string_view user) const;
  /// A channel that cannot be looked up counts as private: fewer people may then see what happens there.
  enum class Shared { unknown, with_others };
  Task<policy::Place> place(std::string channel, Shared shared = Shared::unknown);

  Task<Result<clients::slack::User>> user(std::string id);
  Task<Result<clients::slack::ChannelInfo>> channel(std::string id);
  Task<Result<std::set<std::string>>> members_of_channel(std::string id);  // user ids
  Task<Result<std::set<std::string>>> members_of_group(std::string id);    // user ids
  /// With its groups.
  Task<Result<policy::Identity>> identity(policy::Account account);

  /// The name of a user or channel if it is known now; else empty.
  std::string known_name(std::string_view id) const;

 private:
  template <class T>
  struct Kept {
    T value;
    Timestamp until;
  };

  clients::slack::Api& api_;
  const Clock& clock_;
  clients::slack::Self self_;
  std::function<std::set<std::string>()> groups_;
  std::map<std::string, Kept<clients::slack::User>, std::less<>> users_;
  std::map<std::string, Kept<clients::slack::ChannelInfo>, std::less<>> channels_;
  std::map<std::string, Kept<std::set<std::string>>, std::less<>> channel_members_;
  std::map<std::string, Kept<std::set<std::string>>, std::less<>> group_members_;
};

}  // namespace deputy::channel::slack
