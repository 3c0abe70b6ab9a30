// What is known of a workspace's people, channels and groups. Looked up when needed and kept for a while; what cannot
// be looked up is an error, which the caller treats as "no".
#pragma once

#include <map>
#include <set>
#include <string>

#include "clients/slack/calls.h"
#include "policy/identity.h"

namespace deputy::channel::slack {

class Directory {
 public:
  /// The references outlive it. `groups`: ids of the groups that settings name.
  Directory(clients::slack::Api& api, const Clock& clock) : api_(api), clock_(clock) {}

  void set_home(std::string team) { home_ = std::move(team); }
  const std::string& home() const { return home_; }
  void set_groups(std::set<std::string> groups) { groups_ = std::move(groups); }

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
  std::string home_;
  std::set<std::string> groups_;
  std::map<std::string, Kept<clients::slack::User>, std::less<>> users_;
  std::map<std::string, Kept<clients::slack::ChannelInfo>, std::less<>> channels_;
  std::map<std::string, Kept<std::set<std::string>>, std::less<>> channel_members_;
  std::map<std::string, Kept<std::set<std::string>>, std::less<>> group_members_;
};

}  // namespace deputy::channel::slack
