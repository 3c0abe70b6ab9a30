// The channels of this process, by the first word of a conversation's key, and the lookups that runs make through them:
// who an account is, and what was said in a thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "channel/channel.h"
#include "run/drive/dependencies.h"

namespace deputy::gateway {

class Channels {
 public:
  void add(std::shared_ptr<channel::Channel> channel);

  /// The channel of the conversation, or null if this process does not run it.
  channel::Channel* of(std::string_view conversation) const;

  const std::map<std::string, std::shared_ptr<channel::Channel>, std::less<>>& all() const { return channels_; }

 private:
  std::map<std::string, std::shared_ptr<channel::Channel>, std::less<>> channels_;
};

class ChannelSurroundings final : public run::Lookups {
 public:
  static constexpr std::chrono::milliseconds kMaxWho{1500};
  static constexpr std::chrono::seconds kMaxThread{5};
  static constexpr std::chrono::seconds kMaxMembers{5};
  static constexpr std::chrono::minutes kMembersAge{5};
  static constexpr std::chrono::seconds kGroupAge{60};
  static constexpr std::chrono::seconds kFailureAge{30};  // so that a search does not wait for one failure many times
  static constexpr std::chrono::seconds kMaxDownload{30};

  /// Both outlive this.
  ChannelSurroundings(const Channels& channels, const Clock& clock) : channels_(channels), clock_(clock) {}

  /// If the channel fails or does not answer in time, the result is an unknown identity, which has no permissions. Its
  /// `lookup` says if asking again may help.
  Task<policy::Identity> who(policy::Account account) override;
  Task<run::ThreadContext> thread(std::string conversation, std::string before, int most) override;
  Task<std::string> name_of(policy::Place place) override;
  Task<std::optional<std::set<std::string>>> members(policy::Place place) override;
  Task<std::set<std::string>> members_of_group(std::string channel, std::string group) override;
  Task<Result<std::string>> attachment(std::string conversation, run::AttachedFile file, std::size_t most) override;

 private:
  using Keys = std::optional<std::set<std::string>>;
  struct KnownMembers {
    Keys keys;  // none: the channel could not tell
    Timestamp until;
  };
  const KnownMembers* known(const std::string& key) const;
  Keys keep(std::string key, Result<std::set<std::string>> members, std::chrono::seconds age);

  const Channels& channels_;
  const Clock& clock_;
  std::map<std::string, KnownMembers> members_;
};

}  // namespace deputy::gateway
