// The terminal of the OS user at this machine, for commands that carry one request and for chats: what is to be shown
// goes to a printer, and what was typed comes from the command that holds it.
//
// Interactions are not drawn: the command asks them itself, by their rows, also those that an earlier process was
// asked.
#pragma once

#include <functional>
#include <string>

#include "channel/channel.h"

namespace deputy::channel {

inline constexpr std::string_view kTerminal = "terminal";

/// "terminal:ana:01K…": a conversation of its own for each request or session.
ConversationKey terminal_conversation(std::string_view user, std::string_view id);

/// The account of an OS user, and where they write.
policy::Account terminal_account(std::string_view user);
policy::Place terminal_place();

/// What a user typed.
InboundMessage typed_message(std::string_view user, ConversationKey conversation, std::string text, Timestamp at);

struct TerminalPrinter {
  std::function<void(const Message&)> answer;  // of a run
  std::function<void(const Message&)> notice;  // any other line
};

class TerminalChannel final : public Channel {
 public:
  TerminalChannel(std::string user, TerminalPrinter printer);

  std::string_view name() const override { return kTerminal; }
  Capabilities capabilities() const override;
  /// Receives nothing by itself; until it is cancelled.
  Task<Result<>> run(Receiver& receiver) override;

  Task<Result<MessageRef>> post(ConversationKey conversation, Message message) override;
  Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<MessageRef>> show(ConversationKey conversation, Card card) override;
  Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) override;
  Task<Result<MessageRef>> attach(ConversationKey conversation, File file) override;
  Task<Result<MessageRef>> begin_stream(ConversationKey conversation, DeliveryKey key) override;
  Task<Result<>> append(ConversationKey conversation, MessageRef ref, std::string text) override;
  Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) override;
  Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message) override;
  Task<Result<std::optional<MessageRef>>> find(ConversationKey conversation, DeliveryKey key) override;
  Task<Result<ConversationContext>> context(ConversationKey conversation, int most) override;
  /// The user of this process; nobody else can be told apart here.
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<Diagnosis>> diagnose() override;

 private:
  std::string user_;
  TerminalPrinter printer_;
};

}  // namespace deputy::channel
