#include "channel/slack/inbox.h"

#include <fmt/format.h>

#include "base/log.h"
#include "base/text.h"
#include "channel/slack/blocks.h"
#include "channel/slack/cards.h"
#include "channel/slack/home.h"
#include "channel/slack/message_text.h"
#include "channel/slack/settings.h"
#include "channel/slack/text.h"
#include "channel/slack/thread.h"

namespace deputy::channel::slack {

namespace {

constexpr std::chrono::minutes kReplyUrlLasts{25};  // Slack's own limit is 30
constexpr std::size_t kMaxReplyUrls = 2'000;
constexpr std::size_t kMaxUntitled = 1'000;

/// What a modal carries, so that its answer finds its way back.
struct ModalData {
  std::string token;
  ConversationKey conversation;
  MessageRef view;

  std::string text() const {
    return json::serialize(json::object{{"token", token}, {"conversation", conversation}, {"view", view}});
  }
  static ModalData read(std::string_view text) {
    const Result<json::object> object = parse_json_object(text);
    if (!object) return {};
    return {text_at(*object, "token"), text_at(*object, "conversation"), text_at(*object, "view")};
  }
};

void fill_in(InboundAnswer& answer, const json::object& state) {
  for (Filled& filled : read_state(state)) {
    for (std::string& token : filled.chosen) answer.chosen.push_back(std::move(token));
    if (!filled.written.empty()) answer.written.emplace(std::move(filled.action), std::move(filled.written));
  }
}

// A modal of ours has one field.
std::string written_in(const json::object& state) {
  std::string written;
  for (const Filled& filled : read_state(state)) written = filled.written;
  return written;
}

std::string words_of(const Verdict& verdict) {
  if (const auto* refused = std::get_if<Refused>(&verdict)) return refused->why;
  if (const auto* already = std::get_if<AlreadyAnswered>(&verdict)) return already->words;
  if (const auto* invalid = std::get_if<Invalid>(&verdict)) {
    std::string words = "That was not taken:";
    for (const InvalidAnswer& one : invalid->problems) words += fmt::format("\n• {}: {}", one.label, one.problem);
    return words;
  }
  return "";
}

std::string thanks_in(const Verdict& verdict) {
  const auto* taken = std::get_if<AnswerTaken>(&verdict);
  return taken == nullptr ? "" : taken->words;
}

// Tells one use of a command from the next.
std::string invocation_of(const Command& command, Timestamp now) {
  if (!command.trigger.empty()) return command.trigger;
  if (!command.response_url.empty()) return sha256_hex(command.response_url);
  return fmt::format("{}:{}:{}", command.channel, command.user, to_millis(now));
}

bool is_wrong(const Clicked& clicked) { return clicked.action == kFeedback && clicked.value.starts_with(kWrongPrefix); }

}  // namespace

Inbox::Inbox(clients::slack::Api& api, Directory& directory, const Clock& clock, Whisper whisper)
    : api_(api), directory_(directory), clock_(clock), whisper_(std::move(whisper)) {}

Task<Result<json::object>> Inbox::receive(Receiver& receiver, std::string type, json::object payload) {
  std::optional<Incoming> incoming;
  if (type == "events_api") incoming = read_event(payload);
  if (type == "interactive") incoming = read_interaction(payload);
  if (type == "slash_commands") incoming = read_command(payload);
  if (!incoming) co_return json::object();
  Receipt taking =
      std::visit([&](auto&& one) { return take(receiver, std::forward<decltype(one)>(one)); }, *std::move(incoming));
  co_return co_await std::move(taking);
}

// ---- Messages.

bool Inbox::is_ours(const Said& said) const {
  const clients::slack::Self& self = directory_.self();
  return said.user == self.user || (!said.bot.empty() && said.bot == self.bot);
}

Task<InboundMessage> Inbox::message_of(Said said) {
  const clients::slack::Self& self = directory_.self();
  const Addressed addressed = read_mentions(said.text, self.user);
  const bool to_us = said.is_mention || said.is_direct || addressed.us;
  InboundMessage message;
  message.conversation = Thread{self.team, said.channel, said.thread.empty() ? said.ts : said.thread}.key();
  message.key = Thread{self.team, said.channel, said.ts}.key();
  if (said.kind == InboundKind::edited) message.key += ":edited:" + said.changed_at;
  if (said.kind == InboundKind::deleted) message.key += ":deleted";
  using Shared = Directory::Shared;
  message.place = co_await directory_.place(said.channel, said.is_external ? Shared::with_others : Shared::unknown);
  message.sender = co_await directory_.account_of(said.team, said.user.empty() ? said.bot : said.user);
  if (!said.bot.empty()) message.bot = co_await directory_.account_of(said.team, said.bot);
  // Nobody is looked up for what people say to each other.
  if (to_us && !said.user.empty()) (void)co_await directory_.user(said.user);
  message.sender_name = directory_.known_name(said.user);
  const NameOf names = [this](std::string_view id) { return directory_.known_name(id); };
  // An alert's text is in its blocks and attachments.
  const bool by_bot = !said.bot.empty();
  message.text = by_bot ? text_of_message(said.message, names) : readable(addressed.rest, names);
  message.ref = said.ts;
  message.at = time_of(said.ts);
  message.kind = said.kind;
  message.spoken = to_us              ? AddressedTo::to_deputy
                   : addressed.others ? AddressedTo::to_someone_else
                                      : AddressedTo::to_nobody;
  message.only_writer = said.is_direct;
  message.begins_thread = said.thread.empty();
  message.files = files_of_message(said.message);
  co_return message;
}

Inbox::Receipt Inbox::take(Receiver& receiver, Said said) {
  if (is_ours(said)) co_return json::object();
  const bool is_first_of_session =
      said.kind == InboundKind::posted && untitled_.erase(said.channel + "/" + said.thread) > 0;
  InboundMessage message = co_await message_of(said);
  if (is_first_of_session) message.begins_thread = true;  // the thread was there before anybody wrote in it
  if (!said.action_token.empty())
    api_.keep_action_token({message.conversation, message.sender.key()}, Secret(said.action_token));
  CO_TRY((co_await receiver.message(std::move(message))));
  co_return json::object();
}

Inbox::Receipt Inbox::take(Receiver& receiver, StopPressed stop) {
  Said said{.channel = stop.channel, .ts = stop.thread, .thread = stop.thread, .user = stop.user, .text = "stop"};
  said.is_direct = stop.channel.starts_with('D');
  said.is_mention = true;
  InboundMessage message = co_await message_of(std::move(said));
  message.ref.clear();
  message.at = clock_.now();
  message.key += fmt::format(":stop:{}", to_millis(message.at));
  message.unposted = true;
  CO_TRY((co_await receiver.message(std::move(message))));
  co_return json::object();
}

// ---- Controls.

Inbox::Receipt Inbox::take(Receiver& receiver, Clicked clicked) {
  const auto executor = co_await asio::this_coro::executor;
  const ModalData data = ModalData::read(clicked.view_data);
  const std::string thread_ts = clicked.thread.empty() ? clicked.message : clicked.thread;
  const ConversationKey conversation =
      clicked.view.empty() ? Thread{directory_.self().team, clicked.channel, thread_ts}.key() : data.conversation;
  if (clicked.value.empty()) co_return json::object();  // a link, or a choice in a form that is not sent yet
  const bool denies = clicked.action == kDenyWithReason;
  if (denies || is_wrong(clicked)) {
    const std::string token = denies ? clicked.value : clicked.value.substr(kWrongPrefix.size());
    const std::string carried = ModalData{token, conversation, clicked.message}.text();
    json::object view = denies ? draw_denial_modal(carried) : draw_wrong_modal(carried);
    spawn(executor, "slack modal", open(std::move(clicked.trigger), std::move(view)));
    co_return json::object();
  }
  const Result<Thread> thread = Thread::parse(conversation);
  if (!thread) co_return json::object();
  InboundAnswer answer;
  answer.key = fmt::format("{}:{}:{}:{}", kSlack, clicked.message.empty() ? clicked.view : clicked.message, clicked.at,
                           clicked.user);
  answer.conversation = conversation;
  answer.place = co_await directory_.place(thread->channel);
  answer.sender = co_await directory_.account_of(clicked.team, clicked.user);
  answer.sender_name = clicked.user_name;
  answer.token = clicked.value;
  if (!clicked.message.empty()) answer.view = clicked.message;
  fill_in(answer, clicked.state);
  CO_TRY(Verdict verdict, co_await receiver.answer(std::move(answer)));
  spawn(executor, "slack verdict", show_verdict(std::move(verdict), std::move(clicked), conversation));
  co_return json::object();
}

Task<> Inbox::show_verdict(Verdict verdict, Clicked clicked, ConversationKey conversation) {
  Result<> shown;
  if (const auto* text = std::get_if<ShowText>(&verdict)) {
    json::object view = draw_text_modal("Details", *text, ModalData{"", conversation, ""}.text());
    if (clicked.view.empty()) co_return co_await open(std::move(clicked.trigger), std::move(view));
    shown = co_await clients::slack::update_view(api_, clicked.view, std::move(view));
  } else if (const auto* card = std::get_if<OpenCard>(&verdict)) {
    const std::string token = card->card.interactions.empty() ? "" : token_to_send(card->card.interactions.front());
    const ModalData data{token, conversation, clicked.message};
    co_return co_await open(std::move(clicked.trigger), draw_modal(card->card, data.text()));
  } else {
    // A card that is settled says so itself.
    std::string words = words_of(verdict);
    if (words.empty() && clicked.action == kFeedback) words = thanks_in(verdict);
    co_return co_await tell(std::move(conversation), directory_.account(clicked.user), std::move(words));
  }
  if (!shown) log::warning("the answer to a click was not shown", {{"why", describe(shown.error())}});
}

Task<> Inbox::tell(ConversationKey conversation, policy::Account account, std::string words) {
  if (words.empty()) co_return;
  const Result<> told =
      co_await whisper_(std::move(conversation), std::move(account), Message{.markdown = std::move(words)});
  if (!told) log::warning("the answer to a click was not shown", {{"why", describe(told.error())}});
}

Task<> Inbox::open(std::string trigger, json::object view) {
  const Result<std::string> opened = co_await clients::slack::open_view(api_, std::move(trigger), std::move(view));
  if (!opened) log::warning("a modal could not be opened", {{"why", describe(opened.error())}});
}

Inbox::Receipt Inbox::take(Receiver& receiver, Submitted submitted) {
  const ModalData data = ModalData::read(submitted.view_data);
  const Result<Thread> thread = Thread::parse(data.conversation);
  if (!thread) co_return json::object();
  const policy::Place place = co_await directory_.place(thread->channel);
  const policy::Account sender = co_await directory_.account_of(submitted.team, submitted.user);
  const std::string key = fmt::format("{}:{}:{}:{}", kSlack, submitted.view, submitted.hash, submitted.user);
  if (submitted.callback == kAskModal) {
    InboundMessage message;
    message.key = key;
    message.conversation = data.conversation;
    message.place = place;
    message.sender = sender;
    message.sender_name = submitted.user_name;
    message.text = written_in(submitted.state);
    message.at = clock_.now();
    message.unposted = true;
    CO_TRY((co_await receiver.message(std::move(message))));
    co_return json::object();
  }
  InboundAnswer answer;
  answer.key = key;
  answer.conversation = data.conversation;
  answer.place = place;
  answer.sender = sender;
  answer.sender_name = submitted.user_name;
  answer.token = data.token;
  if (!data.view.empty()) answer.view = data.view;
  if (submitted.callback == kDenialModal || submitted.callback == kWrongModal) {
    answer.words = written_in(submitted.state);
  } else {
    fill_in(answer, submitted.state);
  }
  CO_TRY(const Verdict verdict, co_await receiver.answer(std::move(answer)));
  if (const auto* invalid = std::get_if<Invalid>(&verdict)) {
    json::object errors;
    for (const InvalidAnswer& one : invalid->problems)
      errors[block_of_question(one.question.value_or(0))] = one.problem;
    co_return json::object{{"response_action", "errors"}, {"errors", std::move(errors)}};
  }
  if (const std::string thanks = thanks_in(verdict); submitted.callback == kWrongModal && !thanks.empty()) {
    const auto executor = co_await asio::this_coro::executor;
    spawn(executor, "slack thanks", tell(data.conversation, sender, thanks));
  }
  const std::string words = words_of(verdict);
  if (words.empty()) co_return json::object{{"response_action", "clear"}};
  co_return json::object{{"response_action", "update"}, {"view", draw_text_modal("Deputy", {words}, "")}};
}

// ---- Commands and shortcuts.

std::string Inbox::private_reply_url(const std::string& channel, const std::string& user) const {
  const auto found = reply_urls_.find(channel + "/" + user);
  return found == reply_urls_.end() || found->second.until < clock_.now() ? "" : found->second.url;
}

void Inbox::keep_reply_url(const std::string& channel, const std::string& user, std::string url) {
  if (url.empty()) return;
  if (reply_urls_.size() >= kMaxReplyUrls) reply_urls_.clear();
  reply_urls_.insert_or_assign(channel + "/" + user, ReplyUrl{std::move(url), clock_.now() + kReplyUrlLasts});
}

Inbox::Receipt Inbox::take(Receiver& receiver, Command command) {
  InboundMessage message;
  message.key = fmt::format("{}:command:{}", kSlack, invocation_of(command, clock_.now()));
  keep_reply_url(command.channel, command.user, std::move(command.response_url));
  message.place = co_await directory_.place(command.channel);
  message.sender = co_await directory_.account_of(command.team, command.user);
  message.sender_name = command.user_name;
  const NameOf names = [this](std::string_view id) { return directory_.known_name(id); };
  message.text = readable(trim(command.text), names);
  message.at = clock_.now();
  message.conversation = Thread{directory_.self().team, command.channel, ""}.key();
  message.begins_thread = true;
  message.unposted = true;
  CO_TRY((co_await receiver.message(std::move(message))));
  co_return json::object();
}

// It changes nothing yet: the question is asked when the form is submitted.
Inbox::Receipt Inbox::take(Receiver&, MessageShortcut shortcut) {
  if (shortcut.callback != kAskShortcut) co_return json::object();
  keep_reply_url(shortcut.channel, shortcut.user, std::move(shortcut.response_url));
  std::string thread = text_at(shortcut.message, "thread_ts");
  if (thread.empty()) thread = text_at(shortcut.message, "ts");
  const ModalData data{"", Thread{directory_.self().team, shortcut.channel, thread}.key(), ""};
  const auto executor = co_await asio::this_coro::executor;
  spawn(executor, "slack modal", open(std::move(shortcut.trigger), draw_ask_modal(data.text())));
  co_return json::object();
}

// ---- Pages of one person.

Inbox::Receipt Inbox::take(Receiver& receiver, HomeOpened opened) {
  const auto executor = co_await asio::this_coro::executor;
  if (opened.tab == "home") {
    spawn(executor, "slack home", publish_home(receiver, std::move(opened.user)));
  } else if (opened.tab == "messages" && !opened.channel.empty()) {
    spawn(executor, "slack prompts", suggest(receiver, std::move(opened.user), std::move(opened.channel), ""));
  }
  co_return json::object();
}

Inbox::Receipt Inbox::take(Receiver& receiver, AssistantOpened opened) {
  if (untitled_.size() >= kMaxUntitled) untitled_.clear();
  untitled_.insert(opened.channel + "/" + opened.thread);
  const auto executor = co_await asio::this_coro::executor;
  spawn(executor, "slack prompts",
        suggest(receiver, std::move(opened.user), std::move(opened.channel), std::move(opened.thread)));
  co_return json::object();
}

Task<> Inbox::publish_home(Receiver& receiver, std::string user) {
  const policy::Account account = co_await directory_.account_of("", user);
  const Result<Welcome> welcome = co_await receiver.welcome(account);
  if (!welcome) co_return log::warning("the home page was not made", {{"why", describe(welcome.error())}});
  json::object view = draw_home(*welcome, directory_.self().url, clock_.now());
  const Result<> published = co_await clients::slack::publish_home(api_, std::move(user), std::move(view));
  if (!published) log::warning("the home page was not published", {{"why", describe(published.error())}});
}

Task<> Inbox::suggest(Receiver& receiver, std::string user, std::string channel, std::string thread) {
  const policy::Account account = co_await directory_.account_of("", user);
  const Result<Welcome> welcome = co_await receiver.welcome(account);
  if (!welcome || welcome->examples.empty()) co_return;
  const Result<> suggested =
      co_await clients::slack::suggest_prompts(api_, std::move(channel), std::move(thread), welcome->examples);
  if (!suggested) log::info("no prompts were suggested", {{"why", describe(suggested.error())}});
}

// ---- Reactions as feedback.

Inbox::Receipt Inbox::take(Receiver& receiver, ReactionAdded reaction) {
  const bool is_feedback = reaction.emoji.starts_with("+1") || reaction.emoji.starts_with("-1") ||
                           reaction.emoji.starts_with("thumbsup") || reaction.emoji.starts_with("thumbsdown");
  if (!is_feedback || reaction.on_user != directory_.self().user) co_return json::object();
  const auto executor = co_await asio::this_coro::executor;
  spawn(executor, "slack feedback", take_feedback(receiver, std::move(reaction)));
  co_return json::object();
}

// The event does not say what the message is about; its metadata does, on answers only.
Task<> Inbox::take_feedback(Receiver& receiver, ReactionAdded reaction) {
  const Result<clients::slack::Messages> read =
      co_await clients::slack::read_thread(api_, reaction.channel, reaction.message, {.most = 1});
  if (!read || read->messages.empty() || !read->messages.front().is_object()) co_return;
  const json::object& message = read->messages.front().get_object();
  const bool is_helpful = reaction.emoji.starts_with("+1") || reaction.emoji.starts_with("thumbsup");
  InboundAnswer answer;
  answer.token = feedback_token(message, is_helpful ? MessageControl::Kind::helpful : MessageControl::Kind::wrong);
  if (answer.token.empty()) co_return;
  std::string thread = text_at(message, "thread_ts");
  if (thread.empty()) thread = reaction.message;
  answer.key = fmt::format("{}:reaction:{}:{}:{}", kSlack, reaction.message, reaction.at, reaction.user);
  answer.conversation = Thread{directory_.self().team, reaction.channel, thread}.key();
  answer.place = co_await directory_.place(reaction.channel);
  answer.sender = co_await directory_.account_of("", reaction.user);
  answer.sender_name = directory_.known_name(reaction.user);
  const Result<Verdict> verdict = co_await receiver.answer(std::move(answer));
  if (!verdict) log::warning("a reaction was not taken as feedback", {{"why", describe(verdict.error())}});
}

}  // namespace deputy::channel::slack
