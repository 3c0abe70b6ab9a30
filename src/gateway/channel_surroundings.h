// What runs ask of the people and places around them, answered by channels.
#pragma once

#include "gateway/channels.h"
#include "run/drive/dependencies.h"

namespace deputy::gateway {

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
