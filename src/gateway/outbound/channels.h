// The channels of this process, by the first word of a conversation's key, and what runs ask of the people and places
// around them, answered by channels.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "channel/channel.h"
#include "run/drive/dependencies.h"

namespace deputy::gateway {

class Channels {
 public:
  void add(std::shared_ptr<channel::Channel> channel);

  /// Of the conversation, or null: its channel is not on here.
  channel::Channel* of(std::string_view conversation) const;

  const std::map<std::string, std::shared_ptr<channel::Channel>, std::less<>>& all() const { return channels_; }

 private:
  std::map<std::string, std::shared_ptr<channel::Channel>, std::less<>> channels_;
};

class ChannelSurroundings final : public run::Lookups {
 public:
  static constexpr std::chrono::milliseconds kLongestWho{1500};
  static constexpr std::chrono::seconds kLongestThread{5};

  /// `channels` outlives this.
  explicit ChannelSurroundings(const Channels& channels) : channels_(channels) {}

  /// No answer in time, or none at all, is an identity that may do nothing.
  Task<policy::Identity> who(policy::Account account) override;
  Task<run::ThreadContext> thread(std::string conversation, int most) override;

 private:
  const Channels& channels_;
};

}  // namespace deputy::gateway
