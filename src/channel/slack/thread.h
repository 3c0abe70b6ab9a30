// The key of a conversation in Slack: "slack:TEAM:CHANNEL:TS". Without a ts it is the channel itself, outside any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "channel/message.h"

namespace deputy::channel::slack {

struct Thread {
  std::string team;
  std::string channel;
  std::string ts;  // of its first message; empty: the channel itself

  ConversationKey key() const;
  static Result<Thread> parse(std::string_view key);
};

/// Slack's ts is a time with microseconds.
Timestamp time_of(std::string_view ts);
std::string ts_of(Timestamp at);

}  // namespace deputy::channel::slack
