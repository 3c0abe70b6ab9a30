#include "channel/terminal/terminal_channel.h"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>

#include "base/ids.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kMaxMessage = 1UL << 20;

template <class T>
Task<Result<T>> cannot() {
  co_return fail(ErrorKind::not_configured, "a terminal does not support this");
}

Error nobody_listens() { return {ErrorKind::not_configured, "the terminal channel is not running"}; }

Error not_here(const policy::Account& account) {
  return {ErrorKind::not_found, fmt::format("`{}` is not the user of this terminal", account.key())};
}

}  // namespace

ConversationKey terminal_conversation(std::string_view user, std::string_view id) {
  return fmt::format("{}:{}:{}", kTerminal, user, id);
}

policy::Account terminal_account(std::string_view user) { return {std::string(kTerminal), std::string(user)}; }

policy::Identity local_user(std::string_view user) {
  return {.account = terminal_account(user), .standing = policy::AccountKind::local_user};
}

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

InboundAnswer typed_answer(std::string_view user, ConversationKey conversation, Press press, Timestamp at) {
  InboundAnswer answer;
  answer.key = fmt::format("{}:{}", kTerminal, Ulid::make(at).text());
  answer.conversation = std::move(conversation);
  answer.place = terminal_place();
  answer.sender = terminal_account(user);
  answer.sender_name = user;
  answer.token = std::move(press.token);
  answer.words = std::move(press.words);
  answer.given = std::move(press.given);
  return answer;
}

TerminalChannel::TerminalChannel(std::string user, TerminalView& view) : user_(std::move(user)), view_(view) {}

Capabilities TerminalChannel::capabilities() const {
  return {.buttons = true,
          .forms = true,
          .stream = view_.is_live(),
          .progress = view_.is_live(),
          .whisper = true,
          .working = true,
          .max_message = kMaxMessage};
}

Task<Result<>> TerminalChannel::run(Receiver& receiver) {
  receiver_ = &receiver;
  asio::steady_timer never(co_await asio::this_coro::executor, std::chrono::steady_clock::time_point::max());
  boost::system::error_code cancelled;
  co_await never.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  receiver_ = nullptr;
  co_return Result<>{};
}

Task<Result<>> TerminalChannel::says(ConversationKey conversation, std::string text, Timestamp at, std::string piped) {
  if (receiver_ == nullptr) co_return std::unexpected(nobody_listens());
  InboundMessage message = typed_message(user_, std::move(conversation), std::move(text), at);
  message.piped = std::move(piped);
  co_return co_await receiver_->message(std::move(message));
}

Task<Result<Verdict>> TerminalChannel::presses(ConversationKey conversation, Press press, Timestamp at) {
  if (receiver_ == nullptr) co_return std::unexpected(nobody_listens());
  const auto view = views_.find(press.token);
  InboundAnswer answer = typed_answer(user_, std::move(conversation), std::move(press), at);
  if (view != views_.end()) answer.view = view->second;
  co_return co_await receiver_->answer(std::move(answer));
}

Task<Result<MessageRef>> TerminalChannel::post(ConversationKey, Message message) {
  view_.message(message);
  co_return message.key;
}

Task<Result<MessageRef>> TerminalChannel::show(ConversationKey, Card card) {
  remember_controls(card.key, card);
  view_.card(card);
  co_return card.key;
}

Task<Result<>> TerminalChannel::redraw(ConversationKey, MessageRef ref, Card card) {
  card.key = ref;
  remember_controls(ref, card);
  view_.card(card);
  co_return Result<>{};
}

void TerminalChannel::remember_controls(const MessageRef& ref, const Card& card) {
  std::erase_if(views_, [&](const auto& view) { return view.second == ref; });
  for (const ShownInteraction& shown : card.interactions) {
    for (const ShownControl& control : shown.controls) views_[control.token] = ref;
  }
}

Task<Result<MessageRef>> TerminalChannel::begin_stream(ConversationKey, Message message) {
  if (!view_.is_live()) co_return co_await cannot<MessageRef>();
  streams_.insert(message.key);
  co_return message.key;
}

Task<Result<>> TerminalChannel::append(ConversationKey, MessageRef ref, StreamPart part) {
  if (!streams_.contains(ref)) co_return co_await cannot<void>();
  if (const auto* text = std::get_if<std::string>(&part)) view_.stream(ref, *text);
  co_return Result<>{};
}

Task<Result<>> TerminalChannel::end_stream(ConversationKey, MessageRef ref, Message message) {
  if (streams_.erase(ref) == 0) co_return co_await cannot<void>();
  view_.end_stream(ref, message);
  co_return Result<>{};
}

Task<Result<>> TerminalChannel::working(ConversationKey, MessageRef, Working) { co_return Result<>{}; }

Task<Result<>> TerminalChannel::whisper(ConversationKey, policy::Account account, Message message) {
  if (account != terminal_account(user_)) co_return std::unexpected(not_here(account));
  view_.message(message);
  co_return Result<>{};
}

// Empty: a terminal conversation consists of requests and answers only, and the run has these already.
Task<Result<ConversationContext>> TerminalChannel::context(ConversationKey, MessageRef, int) {
  co_return ConversationContext{};
}

Task<Result<policy::Identity>> TerminalChannel::who(policy::Account account) {
  if (account != terminal_account(user_)) co_return std::unexpected(not_here(account));
  co_return local_user(user_);
}

Task<Result<std::set<std::string>>> TerminalChannel::members(policy::Place) {
  co_return std::set<std::string>{terminal_account(user_).key()};
}

Task<Result<Diagnosis>> TerminalChannel::diagnose() {
  co_return Diagnosis{{{"terminal", true, fmt::format("you are {}", user_)}}};
}

}  // namespace deputy::channel
