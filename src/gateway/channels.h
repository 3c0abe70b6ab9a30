// The channels of this process, by the first word of a conversation's key.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "channel/channel.h"

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

}  // namespace deputy::gateway
