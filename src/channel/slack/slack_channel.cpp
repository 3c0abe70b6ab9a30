#include "channel/slack/slack_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "channel/slack/blocks.h"
#include "channel/slack/cards.h"
#include "channel/slack/http_events.h"
#include "channel/slack/message_text.h"
#include "channel/slack/thread.h"
#include "interaction/escape.h"

namespace deputy::channel::slack {

namespace {

using clients::slack::Sent;

constexpr std::size_t kMaxMarkdown = 11'000;
constexpr std::size_t kMaxStreams = 1'000;
constexpr std::chrono::seconds kStoreEvery{5};
constexpr std::chrono::seconds kBetweenReadBacks{30};
constexpr std::string_view kMetadataType = "deputy_delivery";
constexpr std::string_view kWorking = "Working on it…";
constexpr std::string_view kDone = "What I did";
constexpr std::string_view kMark = "eyes";
constexpr std::size_t kMaxLookedThrough = 200;  // messages of a thread in which a delivery is looked for

json::object metadata_of(const DeliveryKey& key) {
  return key.empty() ? json::object() : clients::slack::metadata_with(kMetadataType, key);
}

Task<Result<json::object>> not_connected() {
  co_return std::unexpected(Error{ErrorKind::network, "not connected to Slack yet"});
}

// What is sent then is the text alone.
bool refuses_blocks(const Error& error) {
  const bool refuses = error.kind == ErrorKind::invalid_input && error.message.contains("block");
  if (refuses) log::warning("Slack refused blocks; the text is sent", {{"why", describe(error)}});
  return refuses;
}

json::object title_of_tasks(std::string_view title) {
  return {{"type", "plan_update"}, {"title", cut_with_mark(title, 100)}};
}

std::string task_status(ProgressLine::State state) {
  switch (state) {
    case ProgressLine::State::done:
    case ProgressLine::State::handed_over:
      return "complete";
    case ProgressLine::State::failed:
    case ProgressLine::State::denied:
      return "error";
    case ProgressLine::State::gone:
      return "pending";  // it waits for people
    default:
      return "in_progress";
  }
}

std::optional<json::object> chunk_of(const StreamPart& part) {
  if (const auto* text = std::get_if<std::string>(&part))
    return json::object{{"type", "markdown_text"}, {"text", *text}};
  const auto& line = std::get<ProgressLine>(part);
  if (line.call.empty() || line.line.empty()) return std::nullopt;
  json::object task{{"type", "task_update"},
                    {"id", line.call},
                    {"title", cut_with_mark(line.line, 200)},
                    {"status", task_status(line.state)}};
  // Slack reads it as Markdown.
  const bool is_result = line.state == ProgressLine::State::done;
  if (!line.detail.empty())
    task[is_result ? "output" : "details"] = interaction::plain(cut_with_mark(line.detail, 200));
  return task;
}

}  // namespace

SlackChannel::SlackChannel(Settings settings, clients::slack::Api& api, const Clock& clock,
                           std::function<std::set<std::string>()> groups, SocketOptions sockets)
    : settings_(std::move(settings)),
      clock_(clock),
      api_(api),
      directory_(api_, clock, std::move(groups)),
      inbox_(api_, directory_, clock,
             [this](ConversationKey conversation, policy::Account account, Message message) {
               return whisper(std::move(conversation), std::move(account), std::move(message));
             }),
      read_back_(api_, inbox_, clock),
      sockets_(api_, clock, std::move(sockets)) {}

SlackChannel::~SlackChannel() = default;

Capabilities SlackChannel::capabilities() const {
  Capabilities can;
  can.buttons = can.forms = can.modals = can.edit = can.files = can.threads = can.whisper = can.working = can.find =
      can.remove = can.direct = can.titles = can.feedback = true;
  can.stream = has_streams_;
  can.max_message = can.max_edit = kMaxMarkdown;
  can.form = {.questions = 10, .options = 25, .option_text = 75};
  return can;
}

Capabilities SlackChannel::capabilities_in(const ConversationKey& conversation) const {
  Capabilities can = capabilities();
  const Result<Thread> thread = Thread::parse(conversation);
  can.working = thread && thread->is_direct();
  can.marks_request = !can.working;
  return can;
}

// ---- Receiving.

Task<Result<>> SlackChannel::run(Receiver& receiver) {
  CO_TRY(clients::slack::Self self, co_await clients::slack::auth_test(api_));
  CO_TRY(clients::slack::check_workspace(self));
  directory_.set_self(std::move(self));
  receiver_ = &receiver;
  const auto executor = co_await asio::this_coro::executor;
  wake_.emplace(executor);
  // Whichever ends first, the other is ended too before this returns.
  auto both = asio::experimental::make_parallel_group(asio::co_spawn(executor, listen(receiver), asio::deferred),
                                                      asio::co_spawn(executor, keep_up(receiver), asio::deferred));
  auto [order, thrown, ended, thrown_beside] =
      co_await std::move(both).async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  receiver_ = nullptr;
  const std::exception_ptr first = order[0] == 0 ? thrown : thrown_beside;
  if (first) std::rethrow_exception(first);
  co_return ended;
}

Task<Result<>> SlackChannel::listen(Receiver& receiver) {
  if (settings_.transport == Transport::http) {
    on_gap();
    for (;;) co_await sleep_for(kMaxWait);
  }
  auto handler = [this, &receiver](std::string type, json::object payload) {
    return receive(receiver, std::move(type), std::move(payload));
  };
  co_return co_await sockets_.run(std::move(handler), [this] { on_gap(); });
}

void SlackChannel::on_gap() {
  must_read_back_ = true;
  wake_->cancel();
}

Task<Result<json::object>> SlackChannel::receive(Receiver& receiver, std::string type, json::object payload) {
  const json::object* event = find_object(payload, "event");
  std::string ts = event == nullptr ? "" : text_at(*event, "ts");
  Result<json::object> receipt = co_await inbox_.receive(receiver, std::move(type), std::move(payload));
  if (receipt) read_back_.seen(ts);
  // Slack sends it again, three times.
  if (!receipt && !ts.empty()) must_read_back_ = true;
  co_return receipt;
}

// Reads back after each gap in what it hears, and stores from time to time how far it has come.
Task<> SlackChannel::keep_up(Receiver& receiver) {
  for (;;) {
    if (!must_read_back_) {
      wake_->expires_after(kStoreEvery);
      co_await wake_->async_wait(asio::as_tuple(asio::use_awaitable));
    }
    if (std::exchange(must_read_back_, false)) {
      const Result<> read = co_await read_back_.run(receiver);
      if (!read) {
        log::warning("what was said meanwhile was not read back; trying again", {{"why", describe(read.error())}});
        must_read_back_ = true;
        co_await sleep_for(kBetweenReadBacks);
      }
    }
    co_await read_back_.store(receiver);
  }
}

// Slack checks the address when an app is set up; that needs no receiver. Events do: without one they are refused, and
// Slack sends them again.
Task<net::Answer> SlackChannel::answer_request(net::ServerRequest request) {
  auto handler = [this](std::string type, json::object payload) -> Task<Result<json::object>> {
    if (receiver_ == nullptr) return not_connected();
    return receive(*receiver_, std::move(type), std::move(payload));
  };
  co_return co_await slack::answer_request(std::move(request), settings_.signing_secret, clock_.now(),
                                           std::move(handler));
}

// A socket whose peer is silent beyond its limit ends, pings included: one that is up has proven itself. Over HTTP
// nothing comes while nobody writes.
Traffic SlackChannel::traffic() const {
  if (settings_.transport == Transport::http) return {};
  return {.expected = true, .last = sockets_.connected() > 0 ? clock_.now() : sockets_.last_traffic()};
}

// ---- Sending.

Task<Result<MessageRef>> SlackChannel::send(ConversationKey conversation, Drawing drawing, DeliveryKey key) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  clients::slack::OutgoingMessage message{.channel = thread.channel,
                                          .thread = thread.ts,
                                          .text = std::move(drawing.text),
                                          .blocks = std::move(drawing.blocks),
                                          .metadata = metadata_of(key)};
  Result<Sent> sent = co_await clients::slack::post_message(api_, message);
  if (!sent && refuses_blocks(sent.error())) {
    message.blocks.clear();
    message.text = std::move(drawing.whole);
    sent = co_await clients::slack::post_message(api_, message);
  }
  if (!sent) co_return std::unexpected(sent.error());
  co_return sent->ts;
}

// An edit takes less text than a post, so that here a refusal of blocks cuts what is long.
Task<Result<>> SlackChannel::change(ConversationKey conversation, MessageRef ref, Drawing drawing) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  clients::slack::OutgoingMessage message{
      .channel = thread.channel, .text = std::move(drawing.text), .blocks = std::move(drawing.blocks)};
  const Result<> changed = co_await clients::slack::update_message(api_, ref, message);
  if (changed || !refuses_blocks(changed.error())) co_return changed;
  message.blocks.clear();
  co_return co_await clients::slack::update_message(api_, std::move(ref), std::move(message));
}

Task<Result<MessageRef>> SlackChannel::post(ConversationKey conversation, Message message) {
  return send(std::move(conversation), draw_message(message), std::move(message.key));
}

Task<Result<>> SlackChannel::edit(ConversationKey conversation, MessageRef ref, Message message) {
  return change(std::move(conversation), std::move(ref), draw_message(message));
}

// A card that is refused is tried in its text form by the gateway.
Task<Result<MessageRef>> SlackChannel::show(ConversationKey conversation, Card card) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  Drawing drawing = draw_card(card);
  CO_TRY(const Sent sent, co_await clients::slack::post_message(api_, {.channel = thread.channel,
                                                                       .thread = thread.ts,
                                                                       .text = std::move(drawing.text),
                                                                       .blocks = std::move(drawing.blocks),
                                                                       .metadata = metadata_of(card.key)}));
  co_return sent.ts;
}

Task<Result<>> SlackChannel::redraw(ConversationKey conversation, MessageRef ref, Card card) {
  return change(std::move(conversation), std::move(ref), draw_card(card));
}

Task<Result<MessageRef>> SlackChannel::attach(ConversationKey conversation, File file) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  co_return co_await clients::slack::upload_file(api_, {.channel = thread.channel,
                                                        .thread = thread.ts,
                                                        .name = std::move(file.name),
                                                        .title = std::move(file.title),
                                                        .content = std::move(file.content)});
}

Task<Result<PostedRequest>> SlackChannel::post_request(ConversationKey conversation, policy::Account account,
                                                       std::string text) {
  CO_TRY(Thread thread, Thread::parse(conversation));
  Drawing drawing = draw_request(account, text);
  CO_TRY(const Sent sent, co_await clients::slack::post_message(api_, {.channel = thread.channel,
                                                                       .thread = thread.ts,
                                                                       .text = std::move(drawing.text),
                                                                       .blocks = std::move(drawing.blocks)}));
  if (thread.ts.empty()) thread.ts = sent.ts;
  co_return PostedRequest{thread.key(), sent.ts};
}

Task<Result<MessageRef>> SlackChannel::begin_stream(ConversationKey conversation, Message message) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  clients::slack::StreamStart start{.channel = thread.channel, .thread = thread.ts, .team = thread.team};
  if (message.mention) start.user = user_of(*message.mention);
  start.chunks = {title_of_tasks(message.markdown.empty() ? kWorking : message.markdown)};
  const Result<Sent> sent = co_await clients::slack::start_stream(api_, std::move(start));
  if (sent) co_return sent->ts;
  if (sent.error().kind == ErrorKind::not_configured) has_streams_ = false;
  // A workspace may begin few streams a minute. An acknowledgement does not wait for that: it is shown without one.
  if (sent.error().kind == ErrorKind::rate_limit)
    co_return fail(ErrorKind::conflict, "the workspace allows no more streams at the moment");
  co_return std::unexpected(sent.error());
}

Task<Result<>> SlackChannel::append(ConversationKey conversation, MessageRef ref, StreamPart part) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  std::optional<json::object> chunk = chunk_of(part);
  if (!chunk) co_return Result<>{};
  json::array chunks{*std::move(chunk)};
  const auto known = streams_.find(ref);
  const bool is_task = std::holds_alternative<ProgressLine>(part);
  // The title is the acknowledgement until the first task says the same.
  if (is_task && (known == streams_.end() || !known->second.has_tasks)) chunks.push_back(title_of_tasks(kWorking));
  CO_TRY((co_await clients::slack::append_stream(api_, {thread.channel, ref}, std::move(chunks))));
  if (streams_.size() >= kMaxStreams) streams_.clear();
  Streamed& streamed = streams_[ref];
  if (const auto* text = std::get_if<std::string>(&part)) {
    streamed.text += *text;
  } else {
    const auto& line = std::get<ProgressLine>(part);
    streamed.has_tasks = true;
    const std::string status = task_status(line.state);
    const bool is_open = status == "in_progress" || status == "pending";
    if (is_open) streamed.open_tasks[line.call] = line;
    if (!is_open) streamed.open_tasks.erase(line.call);
  }
  co_return Result<>{};
}

// Slack adds to what was streamed. Where that is the beginning of the answer, below its tasks, the rest is added; else
// the answer is edited in.
Task<Result<>> SlackChannel::end_stream(ConversationKey conversation, MessageRef ref, Message message) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  auto known = streams_.extract(ref);
  const Streamed streamed = known ? std::move(known.mapped()) : Streamed{};
  json::array chunks;
  for (const auto& [call, line] : streamed.open_tasks) {
    ProgressLine done = line;
    done.state = ProgressLine::State::done;
    if (auto chunk = chunk_of(done)) chunks.push_back(*std::move(chunk));
  }
  Drawing below = draw_below(message);
  const bool begins_it = streamed.has_tasks && message.markdown.starts_with(streamed.text);
  if (streamed.has_tasks) chunks.push_back(title_of_tasks(kDone));
  if (begins_it && message.markdown.size() > streamed.text.size())
    chunks.push_back(*chunk_of(message.markdown.substr(streamed.text.size())));
  json::array blocks = begins_it ? std::move(below.blocks) : json::array();
  Result<> stopped = co_await clients::slack::stop_stream(api_, {thread.channel, ref}, chunks, std::move(blocks),
                                                          metadata_of(message.key));
  if (!stopped && refuses_blocks(stopped.error()))
    stopped = co_await clients::slack::stop_stream(api_, {thread.channel, ref}, std::move(chunks), {},
                                                   metadata_of(message.key));
  if (!stopped) co_return stopped;
  if (begins_it) co_return Result<>{};
  co_return co_await edit(std::move(conversation), std::move(ref), std::move(message));
}

Task<Result<>> SlackChannel::working(ConversationKey conversation, MessageRef request, Working working) {
  CO_TRY(Thread thread, Thread::parse(conversation));
  if (!thread.is_direct()) {
    using clients::slack::Reacted;
    if (request.empty()) co_return Result<>{};
    co_return co_await clients::slack::react(api_, std::move(thread.channel), std::move(request), std::string(kMark),
                                             working.on ? Reacted::on : Reacted::off);
  }
  if (thread.ts.empty()) co_return Result<>{};
  std::string words = working.on && working.words.empty() ? std::string(kWorking) : working.words;
  co_return co_await clients::slack::set_status(api_, std::move(thread.channel), std::move(thread.ts),
                                                std::move(words));
}

// Only threads with one person have titles: those of the view for agents.
Task<Result<>> SlackChannel::set_title(ConversationKey conversation, std::string title) {
  CO_TRY(Thread thread, Thread::parse(conversation));
  if (thread.ts.empty() || !thread.channel.starts_with('D')) co_return Result<>{};
  co_return co_await clients::slack::set_title(api_, std::move(thread.channel), std::move(thread.ts), std::move(title));
}

Task<Result<>> SlackChannel::whisper(ConversationKey conversation, policy::Account account, Message message) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  Drawing drawing = draw_message(message);
  if (std::string url = inbox_.private_reply_url(thread.channel, user_of(account)); !url.empty()) {
    const Result<> replied = co_await api_.respond(std::move(url), {{"response_type", "ephemeral"},
                                                                    {"replace_original", false},
                                                                    {"text", drawing.text},
                                                                    {"blocks", drawing.blocks}});
    if (replied) co_return replied;
  }
  clients::slack::OutgoingMessage sent{.channel = thread.channel,
                                       .thread = thread.ts,
                                       .text = std::move(drawing.text),
                                       .blocks = std::move(drawing.blocks)};
  if (!thread.is_direct()) co_return co_await clients::slack::post_ephemeral(api_, user_of(account), std::move(sent));
  CO_TRY((co_await clients::slack::post_message(api_, std::move(sent))));  // nobody else is there
  co_return Result<>{};
}

Task<Result<std::optional<MessageRef>>> SlackChannel::find(ConversationKey conversation, DeliveryKey key) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  const clients::slack::Range range{.most = kMaxLookedThrough};
  Result<clients::slack::Messages> read;
  if (thread.ts.empty())
    read = co_await clients::slack::read_channel(api_, thread.channel, range);
  else
    read = co_await clients::slack::read_thread(api_, thread.channel, thread.ts, range);
  if (!read) co_return std::unexpected(read.error());
  for (const json::value& message : read->messages) {
    if (message.is_object() && clients::slack::key_in(message.get_object(), kMetadataType) == key)
      co_return std::optional(text_at(message.get_object(), "ts"));
  }
  co_return std::optional<MessageRef>();
}

Task<Result<>> SlackChannel::remove(ConversationKey conversation, MessageRef ref) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  co_return co_await clients::slack::delete_message(api_, thread.channel, std::move(ref));
}

// ---- Looking up.

Task<Result<ConversationContext>> SlackChannel::context(ConversationKey conversation, MessageRef before, int most) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  ConversationContext context;
  if (const auto info = co_await directory_.channel(thread.channel)) context.channel_name = info->name;
  if (thread.ts.empty()) co_return context;
  CO_TRY(const clients::slack::Messages read,
         co_await clients::slack::read_thread(api_, thread.channel, thread.ts,
                                              {.latest = before, .most = static_cast<std::size_t>(std::max(most, 1))}));
  context.left_out = read.left_out;
  const NameOf names = [this](std::string_view id) { return directory_.known_name(id); };
  for (const json::value& value : read.messages) {
    const json::object* message = value.if_object();
    if (message == nullptr || (!before.empty() && text_at(*message, "ts") >= before)) continue;
    const std::string user = text_at(*message, "user");
    const std::string bot = text_at(*message, "bot_id");
    if (!user.empty()) (void)co_await directory_.user(user);
    ThreadMessage said{.writer = directory_.account(user.empty() ? bot : user),
                       .writer_name = directory_.known_name(user),
                       .text = text_of_message(*message, names),
                       .by_deputy = user == directory_.self().user || (!bot.empty() && bot == directory_.self().bot),
                       .by_bot = !bot.empty(),
                       .ref = text_at(*message, "ts")};
    if (said.writer_name.empty()) said.writer_name = text_at(*message, "username");
    context.said.push_back(std::move(said));
  }
  co_return context;
}

Task<Result<std::string>> SlackChannel::download(InboundFile file, std::size_t most) {
  CO_TRY(const clients::slack::FileInfo info, co_await clients::slack::file_info(api_, std::move(file.id)));
  co_return co_await api_.download(info.url, most);
}

Task<Result<policy::Identity>> SlackChannel::who(policy::Account account) {
  return directory_.identity(std::move(account));
}

Task<Result<ConversationKey>> SlackChannel::direct(policy::Account account) {
  CO_TRY(std::string channel, co_await clients::slack::open_direct(api_, user_of(account)));
  co_return Thread{directory_.self().team, std::move(channel), ""}.key();
}

ConversationKey SlackChannel::conversation_in(std::string_view channel_id) const {
  return Thread{directory_.self().team, std::string(channel_id), ""}.key();
}

Task<Result<std::set<std::string>>> SlackChannel::members(policy::Place place) {
  CO_TRY(const std::set<std::string> users, co_await directory_.members_of_channel(place.id));
  std::set<std::string> keys;
  for (const std::string& user : users) keys.insert(directory_.account(user).key());
  co_return keys;
}

Task<Result<std::set<std::string>>> SlackChannel::members_of_group(std::string group) {
  CO_TRY(const std::set<std::string> users, co_await directory_.members_of_group(std::move(group)));
  std::set<std::string> keys;
  for (const std::string& user : users) keys.insert(directory_.account(user).key());
  co_return keys;
}

}  // namespace deputy::channel::slack
