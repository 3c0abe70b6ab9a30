// Slack as a channel: translates between Slack and the contract of channel.h, and decides nothing.
//
// A conversation is a thread (thread.h); the ref of a message is its ts. inbox.h has what comes in.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "channel/channel.h"
#include "channel/slack/blocks.h"
#include "channel/slack/directory.h"
#include "channel/slack/inbox.h"
#include "channel/slack/read_back.h"
#include "channel/slack/settings.h"
#include "channel/slack/socket_mode.h"
#include "clients/slack/calls.h"
#include "net/server.h"

namespace deputy::channel::slack {

class SlackChannel final : public Channel {
 public:
  /// `api` and `clock` outlive it. `groups`: the ids that settings name now and that may be user groups.
  SlackChannel(Settings settings, clients::slack::Api& api, const Clock& clock,
               std::function<std::set<std::string>()> groups, SocketOptions sockets = {});
  ~SlackChannel() override;

  /// Ids of the channels that settings send something to: `diagnose` looks at them.
  void set_sends_to(std::vector<std::string> channels) { sends_to_ = std::move(channels); }

  std::string_view name() const override { return kSlack; }
  Capabilities capabilities() const override;
  /// Slack's status has a place in threads of direct messages; elsewhere a request is marked with :eyes:.
  Capabilities capabilities_in(const ConversationKey& conversation) const override;
  /// Sockets that are up.
  std::size_t connected() const { return sockets_.connected(); }
  Task<Result<>> run(Receiver& receiver) override;
  /// Takes an event over HTTP, with the transport `http`; 503 while it does not run.
  Task<net::Answer> answer_request(net::ServerRequest request);
  Traffic traffic() const override;

  Task<Result<MessageRef>> post(ConversationKey conversation, Message message) override;
  Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<MessageRef>> show(ConversationKey conversation, Card card) override;
  Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) override;
  Task<Result<MessageRef>> attach(ConversationKey conversation, File file) override;
  Task<Result<PostedRequest>> post_request(ConversationKey conversation, policy::Account account,
                                           std::string text) override;
  Task<Result<MessageRef>> begin_stream(ConversationKey conversation, Message message) override;
  Task<Result<>> append(ConversationKey conversation, MessageRef ref, StreamPart part) override;
  Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) override;
  Task<Result<>> set_title(ConversationKey conversation, std::string title) override;
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
  /// What a stream of this process shows.
  struct Streamed {
    std::string text;
    bool has_tasks = false;
    std::map<std::string, ProgressLine> open_tasks;  // by call
  };

  Task<Result<json::object>> receive(Receiver& receiver, std::string type, json::object payload);
  Task<Result<>> listen(Receiver& receiver);
  Task<> keep_up(Receiver& receiver);
  void on_gap();
  Task<Result<MessageRef>> send(ConversationKey conversation, Drawing drawing, DeliveryKey key);
  Task<Result<>> change(ConversationKey conversation, MessageRef ref, Drawing drawing);

  Settings settings_;
  const Clock& clock_;
  clients::slack::Api& api_;
  Directory directory_;
  Inbox inbox_;
  ReadBack read_back_;
  SocketMode sockets_;
  Receiver* receiver_ = nullptr;            // while it runs
  std::optional<asio::steady_timer> wake_;  // of `keep_up`
  bool must_read_back_ = false;
  std::map<MessageRef, Streamed> streams_;
  bool has_streams_ = true;  // until Slack says that the workspace has none
  std::vector<std::string> sends_to_;
};

}  // namespace deputy::channel::slack
