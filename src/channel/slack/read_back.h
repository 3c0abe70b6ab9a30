// Reads what was said while Deputy was away, and what was lost with a socket, from a little before the newest message
// it has seen: channels with threads of the last day first, those with unfinished runs before others. A thread is read
// if its first message says that something came since, or is too old to tell. What Deputy has seen already is stored
// under the same key and counts once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "channel/slack/inbox.h"

namespace deputy::channel::slack {

class ReadBack {
 public:
  /// The references outlive it.
  ReadBack(clients::slack::Api& api, Inbox& inbox, const Clock& clock);

  /// Reads back once. It waits where Slack limits the rate; an error means that the next one begins at the same place.
  Task<Result<>> run(Receiver& receiver);

  /// A message has come in. Kept as the newest one only after what came before it was read back.
  void seen(std::string_view ts);
  /// Stores the newest message seen, if it has changed.
  Task<> store(Receiver& receiver);

 private:
  struct Gap {
    std::string after;     // ts
    Timestamp away_since;  // when the newest message it has seen was written
  };

  using Channels = std::vector<clients::slack::ChannelInfo>;
  /// Those the app is in; kinds that it may not list are left out.
  Task<Result<Channels>> own_channels();
  Task<Result<Channels>> own_channels_of(std::string kinds);
  Task<Result<>> read_thread(Receiver& receiver, std::string channel, std::string thread, Gap gap);
  /// Adds the threads of which it knows that nothing is missing.
  Task<Result<>> read_channel(Receiver& receiver, std::string channel, Gap gap, std::set<std::string>& listed);
  Task<Result<clients::slack::Messages>> messages_of(std::string channel, Gap gap);
  Task<Result<>> take(Receiver& receiver, json::array messages, std::string channel, Gap gap);

  clients::slack::Api& api_;
  Inbox& inbox_;
  const Clock& clock_;
  std::string newest_;  // ts
  std::string stored_;  // ts
  bool is_up_to_date_ = false;
  std::set<std::string> unlisted_;  // kinds of channels that were said to be left out
};

}  // namespace deputy::channel::slack
