#include "channel/terminal/terminal_channel.h"

#include <fmt/format.h>

#include "base/ids.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kLongestMessage = 1UL << 20;

template <class T>
Task<Result<T>> cannot() {
  co_return fail(ErrorKind::not_configured, "a terminal cannot do that");
}

Task<Result<>> done() { co_return Result<>{}; }

}  // namespace

ConversationKey terminal_conversation(std::string_view user, std::string_view id) {
  return fmt::format("{}:{}:{}", kTerminal, user, id);
}

policy::Account terminal_account(std::string_view user) { return {std::string(kTerminal), std::string(user)}; }

policy::Place terminal_place() {
  return {.channel = std::string(kTerminal), .kind = policy::PlaceKind::terminal, .open_to = policy::OpenTo::members};
}

InboundMessage typed_message(std::string_view user, ConversationKey conversation, std::string text, Timestamp at) {
  InboundMessage message;
  message.ref = Ulid::make(at).text();
  message.key = fmt::format("{}:{}", conversation, message.ref);
  message.conversation = std::move(conversation);
  message.place = terminal_place();
  message.sender = terminal_account(user);
  message.sender_name = user;
  message.text = std::move(text);
  message.at = at;
  message.only_writer = true;
  message.stays_here = true;
  return message;
}

TerminalChannel::TerminalChannel(std::string user, TerminalPrinter printer)
    : user_(std::move(user)), printer_(std::move(printer)) {}

Capabilities TerminalChannel::capabilities() const {
  return {.buttons = true, .forms = true, .whisper = true, .working = true, .longest_message = kLongestMessage};
}

Task<Result<>> TerminalChannel::run(Receiver&) {
  asio::steady_timer never(co_await asio::this_coro::executor, std::chrono::steady_clock::time_point::max());
  co_await never.async_wait(asio::use_awaitable);
  co_return Result<>{};
}

// Only an answer mentions who asked, and only it has a footer.
Task<Result<MessageRef>> TerminalChannel::post(ConversationKey, Message message) {
  const bool answers = message.mention || !message.footer.empty();
  (answers ? printer_.answer : printer_.notice)(message);
  co_return message.key;
}

Task<Result<MessageRef>> TerminalChannel::show(ConversationKey, Card card) { co_return card.key; }
Task<Result<>> TerminalChannel::redraw(ConversationKey, MessageRef, Card) { return done(); }
Task<Result<>> TerminalChannel::working(ConversationKey, MessageRef, Working) { return done(); }

Task<Result<>> TerminalChannel::whisper(ConversationKey, policy::Account, Message message) {
  printer_.notice(message);
  co_return Result<>{};
}

Task<Result<>> TerminalChannel::edit(ConversationKey, MessageRef, Message) { return cannot<void>(); }
Task<Result<MessageRef>> TerminalChannel::attach(ConversationKey, File) { return cannot<MessageRef>(); }
Task<Result<MessageRef>> TerminalChannel::begin_stream(ConversationKey, DeliveryKey) { return cannot<MessageRef>(); }
Task<Result<>> TerminalChannel::append(ConversationKey, MessageRef, std::string) { return cannot<void>(); }
Task<Result<>> TerminalChannel::end_stream(ConversationKey, MessageRef, Message) { return cannot<void>(); }
Task<Result<std::optional<MessageRef>>> TerminalChannel::find(ConversationKey, DeliveryKey) {
  return cannot<std::optional<MessageRef>>();
}

Task<Result<ConversationContext>> TerminalChannel::context(ConversationKey, int) { co_return ConversationContext{}; }

Task<Result<policy::Identity>> TerminalChannel::who(policy::Account account) {
  const bool is_here = account == terminal_account(user_);
  co_return policy::Identity{.account = std::move(account),
                             .standing = is_here ? policy::Standing::local_user : policy::Standing::unknown};
}

Task<Result<Diagnosis>> TerminalChannel::diagnose() {
  co_return Diagnosis{{{"terminal", true, fmt::format("you are {}", user_)}}};
}

}  // namespace deputy::channel
