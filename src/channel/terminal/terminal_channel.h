// The terminal of the OS user on this machine, for commands with one request and for chats. A command owns the
// terminal: it reads what is typed, passes messages and answers to this channel, and draws what this channel gives its
// view.
//
// A terminal has one prompt, so it asks one interaction at a time and never while a line is half typed. `show` only
// tells the command that there is something to ask; the command then reads the pending interactions from the store,
// also those of an earlier process, and asks them with the texts of card_text.h. The channel keeps no history.
#pragma once

#include <map>
#include <set>
#include <string>

#include "channel/channel.h"

namespace deputy::channel {

inline constexpr std::string_view kTerminal = "terminal";

/// "terminal:ana:01K…": each request or session has its own conversation.
ConversationKey terminal_conversation(std::string_view user, std::string_view id);

/// The account and identity of an OS user, and the place they write from.
policy::Account terminal_account(std::string_view user);
policy::Identity local_user(std::string_view user);
policy::Place terminal_place();

InboundMessage typed_message(std::string_view user, ConversationKey conversation, std::string text, Timestamp at);

InboundAnswer typed_answer(std::string_view user, ConversationKey conversation, Press press, Timestamp at);

/// Draws what a terminal shows: live_view.h for a chat, app/foreground for one run.
class TerminalView {
 public:
  virtual ~TerminalView() = default;

  virtual void message(const Message& message) = 0;
  /// There is something to ask, or a question is settled.
  virtual void card(const Card& card) = 0;

  /// Whether it shows progress and streamed text. The functions below are called only if it does.
  virtual bool is_live() const { return false; }
  virtual void stream(const MessageRef& /*ref*/, std::string_view /*part*/) {}
  virtual void end_stream(const MessageRef& /*ref*/, const Message& /*whole*/) {}
};

class TerminalChannel final : public Channel {
 public:
  /// The view must outlive it.
  TerminalChannel(std::string user, TerminalView& view);

  // ---- The user's messages and answers. Both fail with not_configured while the channel is not running.

  /// `piped` goes with the text as data.
  Task<Result<>> says(ConversationKey conversation, std::string text, Timestamp at, std::string piped = {});
  Task<Result<Verdict>> presses(ConversationKey conversation, Press press, Timestamp at);

  // ---- Channel.

  std::string_view name() const override { return kTerminal; }
  Capabilities capabilities() const override;
  Task<Result<>> run(Receiver& receiver) override;

  Task<Result<MessageRef>> post(ConversationKey conversation, Message message) override;
  Task<Result<MessageRef>> show(ConversationKey conversation, Card card) override;
  Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) override;
  Task<Result<MessageRef>> begin_stream(ConversationKey conversation, Message message) override;
  Task<Result<>> append(ConversationKey conversation, MessageRef ref, StreamPart part) override;
  Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) override;
  /// Needs no sign: a command runs until it has ended, and a chat draws what is running.
  Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) override;
  /// Shows the message to its user; nobody else is at this terminal.
  Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message) override;
  Task<Result<ConversationContext>> context(ConversationKey conversation, MessageRef before, int most) override;
  /// Knows only the user of this process.
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<std::set<std::string>>> members(policy::Place place) override;
  Task<Result<Diagnosis>> diagnose() override;

 private:
  void remember_controls(const MessageRef& ref, const Card& card);

  std::string user_;
  TerminalView& view_;
  Receiver* receiver_ = nullptr;             // while it runs
  std::map<std::string, MessageRef> views_;  // messages with a control that can be pressed, by its token
  std::set<MessageRef> streams_;             // streams that have not ended
};

}  // namespace deputy::channel
