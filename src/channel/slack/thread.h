// The key of a conversation in Slack: "slack:TEAM:CHANNEL:TS". Without a ts it is the channel itself, outside any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "channel/message.h"
#include "clients/slack/message.h"

namespace deputy::channel::slack {

struct Thread {
  std::string team;
  std::string channel;
  std::string ts;  // of its first message; empty: the channel itself

  ConversationKey key() const;
  /// In the direct message of one person with the app.
  bool is_direct() const { return channel.starts_with('D'); }
  static Result<Thread> parse(std::string_view key);
};

/// The Slack id in an account's id: U1 of T1/U1.
std::string user_of(const policy::Account& account);

using clients::slack::time_of;
using clients::slack::ts_of;

}  // namespace deputy::channel::slack
