// The terminal of the OS user at this machine, for commands that carry one request and for chats. A command holds the
// terminal: it reads what is typed and hands on here what of it is a message or an answer, and it draws what it is
// handed.
//
// A terminal has one prompt, so a card is asked when its turn comes and nothing is half typed: `show` tells the command
// of it, which asks what waits by its rows, also what an earlier process was asked, in the looks of card_text.h. A
// terminal keeps nothing: what was said before is the command's to know.
#pragma once

#include <map>
#include <set>
#include <string>

#include "channel/channel.h"

namespace deputy::channel {

inline constexpr std::string_view kTerminal = "terminal";

/// "terminal:ana:01K…": a conversation of its own for each request or session.
ConversationKey terminal_conversation(std::string_view user, std::string_view id);

/// The account of an OS user, and where they write.
policy::Account terminal_account(std::string_view user);
policy::Identity local_user(std::string_view user);
policy::Place terminal_place();

/// What a user typed.
InboundMessage typed_message(std::string_view user, ConversationKey conversation, std::string text, Timestamp at);

InboundAnswer typed_answer(std::string_view user, ConversationKey conversation, Press press, Timestamp at);

/// Draws what a terminal shows: live_view.h for a chat, app/foreground for one run.
class TerminalView {
 public:
  virtual ~TerminalView() = default;

  virtual void message(const Message& message) = 0;
  /// There is something to ask, or what was asked is settled.
  virtual void card(const Card& card) = 0;

  /// Whether it shows progress, and text as it streams. The rest is called only where it does.
  virtual bool is_live() const { return false; }
  virtual void stream(const MessageRef& /*ref*/, std::string_view /*part*/) {}
  virtual void end_stream(const MessageRef& /*ref*/, const Message& /*whole*/) {}
};

class TerminalChannel final : public Channel {
 public:
  /// The view outlives it.
  TerminalChannel(std::string user, TerminalView& view);

  // ---- What the user does, while it runs; not_configured while it does not.

  Task<Result<>> says(ConversationKey conversation, std::string text, Timestamp at);
  Task<Result<Verdict>> presses(ConversationKey conversation, Press press, Timestamp at);

  // ---- Channel.

  std::string_view name() const override { return kTerminal; }
  Capabilities capabilities() const override;
  Task<Result<>> run(Receiver& receiver) override;

  Task<Result<MessageRef>> post(ConversationKey conversation, Message message) override;
  Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message) override;
  Task<Result<MessageRef>> show(ConversationKey conversation, Card card) override;
  Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) override;
  Task<Result<MessageRef>> attach(ConversationKey conversation, File file) override;
  Task<Result<MessageRef>> begin_stream(ConversationKey conversation, DeliveryKey key) override;
  Task<Result<>> append(ConversationKey conversation, MessageRef ref, std::string text) override;
  Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) override;
  /// The command itself is the sign: it is there until it has ended, and a chat draws what runs.
  Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) override;
  /// To its user; nobody else is at this terminal.
  Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message) override;
  Task<Result<std::optional<MessageRef>>> find(ConversationKey conversation, DeliveryKey key) override;
  Task<Result<ConversationContext>> context(ConversationKey conversation, int most) override;
  /// The user of this process; nobody else can be told apart here.
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<Diagnosis>> diagnose() override;

 private:
  void remember_controls(const MessageRef& ref, const Card& card);

  std::string user_;
  TerminalView& view_;
  Receiver* receiver_ = nullptr;             // while it runs
  std::map<std::string, MessageRef> views_;  // of what can be pressed, by token
  std::set<MessageRef> streams_;             // that have not ended
};

}  // namespace deputy::channel
