// Slack as a channel: translates between Slack and the contract of channel.h, and decides nothing.
//
// A conversation is a thread: "slack:TEAM:CHANNEL:TS"; without a ts it is the channel itself, outside any thread. The
// ref of a message is its ts.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "channel/channel.h"
#include "channel/slack/directory.h"
#include "channel/slack/incoming.h"
#include "channel/slack/settings.h"
#include "channel/slack/socket_mode.h"
#include "clients/slack/calls.h"

namespace deputy::channel::slack {

inline constexpr std::string_view kSlack = "slack";

/// The parts of a conversation's key.
struct Thread {
  std::string team;
  std::string channel;
  std::string ts;  // of its first message; empty: the channel itself

  ConversationKey key() const;
  static Result<Thread> parse(std::string_view key);
};

class SlackChannel final : public Channel {
 public:
  /// `http` and `clock` outlive it. `groups`: ids of the user groups that settings name.
  SlackChannel(Settings settings, net::HttpClient& http, const Clock& clock, std::set<std::string> groups,
               SocketOptions sockets = {});
  ~SlackChannel() override;

  std::string_view name() const override { return kSlack; }
  Capabilities capabilities() const override;
  /// Sockets that are up.
  std::size_t connected() const { return sockets_.connected(); }
  Task<Result<>> run(Receiver& receiver) override;
  Traffic traffic() const override;

  Task<Result<MessageRef>> post(ConversationKey conversation, Message message) override;
  Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<MessageRef>> show(ConversationKey conversation, Card card) override;
  Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) override;
  Task<Result<MessageRef>> attach(ConversationKey conversation, File file) override;
  Task<Result<MessageRef>> begin_stream(ConversationKey conversation, Message message) override;
  Task<Result<>> append(ConversationKey conversation, MessageRef ref, StreamPart part) override;
  Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) override;
  Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message) override;
  Task<Result<std::optional<MessageRef>>> find(ConversationKey conversation, DeliveryKey key) override;
  Task<Result<>> remove(ConversationKey conversation, MessageRef ref) override;
  Task<Result<ConversationContext>> context(ConversationKey conversation, MessageRef before, int most) override;
  Task<Result<std::string>> download(InboundFile file, std::size_t most) override;
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<ConversationKey>> direct(policy::Account account) override;
  ConversationKey conversation_in(std::string_view channel_id) const override;
  Task<Result<std::set<std::string>>> members(policy::Place place) override;
  Task<Result<std::set<std::string>>> members_of_group(std::string group) override;
  Task<Result<Diagnosis>> diagnose() override;

 private:
  Task<Result<json::object>> receive(Receiver& receiver, std::string type, json::object payload);
  Task<Result<json::object>> take(Receiver& receiver, Said said);
  Task<Result<json::object>> take(Receiver& receiver, Clicked clicked);
  Task<Result<json::object>> take(Receiver& receiver, Submitted submitted);
  Task<Result<json::object>> take(Receiver& receiver, Command command);
  Task<Result<json::object>> take(Receiver& receiver, StopPressed stop);

  Task<InboundMessage> message_of(Said said);
  Task<policy::Place> place_of(std::string channel, bool is_direct, bool is_external);
  policy::Account account_of(std::string_view team, std::string_view user) const;
  Task<> show_verdict(Verdict verdict, Clicked clicked);
  Task<Result<MessageRef>> send(ConversationKey conversation, json::array blocks, std::string text, DeliveryKey key);
  Task<Result<>> change(ConversationKey conversation, MessageRef ref, json::array blocks, std::string text);

  Settings settings_;
  const Clock& clock_;
  clients::slack::Api api_;
  Directory directory_;
  SocketMode sockets_;
  clients::slack::Self self_;  // empty until Slack has told it
};

}  // namespace deputy::channel::slack
