// Reads what was said while Deputy was away, from the newest message it has seen: threads with unfinished runs first,
// then the other threads of the last day, then the channels it is in. What it has seen already is stored under the same
// key and counts once.
#pragma once

#include <string>

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
  Task<Result<>> read_thread(Receiver& receiver, std::string channel, std::string thread, std::string after);
  Task<Result<>> read_channel(Receiver& receiver, std::string channel, std::string after);
  Task<Result<>> take(Receiver& receiver, json::array messages, std::string channel, std::string after);

  clients::slack::Api& api_;
  Inbox& inbox_;
  const Clock& clock_;
  std::string newest_;  // ts
  std::string stored_;  // ts
  bool is_up_to_date_ = false;
};

}  // namespace deputy::channel::slack
