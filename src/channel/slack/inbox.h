// Takes what Slack sends: translates it, hands it to the receiver, and returns what belongs into the receipt. The same
// for Socket Mode and HTTP.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "channel/channel.h"
#include "channel/slack/directory.h"
#include "channel/slack/incoming.h"

namespace deputy::channel::slack {

class Inbox {
 public:
  /// Shows something to one account only.
  using Whisper = std::function<Task<Result<>>(ConversationKey, policy::Account, Message)>;

  /// The references outlive it.
  Inbox(clients::slack::Api& api, Directory& directory, const Clock& clock, Whisper whisper);

  /// An error means that nothing was stored: no receipt is given, so that Slack sends it again.
  Task<Result<json::object>> receive(Receiver& receiver, std::string type, json::object payload);

  /// A message as the receiver takes it.
  Task<InboundMessage> message_of(Said said);
  bool is_ours(const Said& said) const;

  /// Where a private reply to a command or a shortcut of this account can be sent for a while, also in channels that
  /// Deputy is not in; empty: nowhere.
  std::string private_reply_url(const std::string& channel, const std::string& user) const;

 private:
  using Receipt = Task<Result<json::object>>;
  Receipt take(Receiver& receiver, Said said);
  Receipt take(Receiver& receiver, Clicked clicked);
  Receipt take(Receiver& receiver, Submitted submitted);
  Receipt take(Receiver& receiver, Command command);
  Receipt take(Receiver& receiver, MessageShortcut shortcut);
  Receipt take(Receiver& receiver, StopPressed stop);
  Receipt take(Receiver& receiver, HomeOpened opened);
  Receipt take(Receiver& receiver, AssistantOpened opened);
  Receipt take(Receiver& receiver, ReactionAdded reaction);

  Task<> show_verdict(Verdict verdict, Clicked clicked, ConversationKey conversation);
  /// Shows words to one person; none if they are empty.
  Task<> tell(ConversationKey conversation, policy::Account account, std::string words);
  Task<> take_feedback(Receiver& receiver, ReactionAdded reaction);
  Task<> publish_home(Receiver& receiver, std::string user);
  Task<> suggest(Receiver& receiver, std::string user, std::string channel, std::string thread);
  Task<> open(std::string trigger, json::object view);
  void keep_reply_url(const std::string& channel, const std::string& user, std::string url);

  struct ReplyUrl {
    std::string url;
    Timestamp until;
  };

  clients::slack::Api& api_;
  Directory& directory_;
  const Clock& clock_;
  Whisper whisper_;
  std::map<std::string, ReplyUrl> reply_urls_;  // by "channel/user"
  std::set<std::string> untitled_;              // assistant threads in which nothing was said yet: "channel/thread"
};

}  // namespace deputy::channel::slack
