#include "channel/slack/slack_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/log.h"
#include "base/text.h"
#include "channel/slack/blocks.h"
#include "channel/slack/message_text.h"
#include "channel/slack/text.h"

namespace deputy::channel::slack {

namespace {

using clients::slack::Sent;

constexpr std::size_t kMaxMarkdown = 11'000;
constexpr std::string_view kMetadataType = "deputy_delivery";
constexpr std::string_view kDenyWithReason = "deny_with_reason";
constexpr std::size_t kMaxLookedThrough = 200;  // messages of a thread in which a delivery is looked for

json::object metadata_of(const DeliveryKey& key) {
  if (key.empty()) return {};
  return {{"event_type", kMetadataType}, {"event_payload", {{"key", key}}}};
}

std::string key_in(const json::object& message) {
  const json::object* metadata = find_object(message, "metadata");
  const json::object* payload = metadata == nullptr ? nullptr : find_object(*metadata, "event_payload");
  return payload == nullptr ? "" : text_at(*payload, "key");
}

Timestamp time_of(std::string_view ts) {
  std::int64_t seconds = 0;
  std::from_chars(ts.data(), ts.data() + std::min(ts.find('.'), ts.size()), seconds);
  return from_millis(seconds * 1000);
}

Error not_a_thread() { return {ErrorKind::invalid_input, "this is not a conversation in Slack"}; }

bool is_about_blocks(const Error& error) {
  return error.kind == ErrorKind::invalid_input && error.message.contains("block");
}

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

std::string task_status(ProgressLine::State state) {
  switch (state) {
    case ProgressLine::State::done:
    case ProgressLine::State::handed_over:
      return "complete";
    case ProgressLine::State::failed:
    case ProgressLine::State::denied:
      return "error";
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
  if (!line.detail.empty()) task["details"] = cut_with_mark(line.detail, 200);
  return task;
}

}  // namespace

ConversationKey Thread::key() const { return fmt::format("{}:{}:{}:{}", kSlack, team, channel, ts); }

Result<Thread> Thread::parse(std::string_view key) {
  const std::vector<std::string_view> parts = split(key, ":");
  if (parts.size() != 4 || parts[0] != kSlack || parts[1].empty() || parts[2].empty())
    return std::unexpected(not_a_thread());
  return Thread{std::string(parts[1]), std::string(parts[2]), std::string(parts[3])};
}

SlackChannel::SlackChannel(Settings settings, net::HttpClient& http, const Clock& clock, std::set<std::string> groups,
                           SocketOptions sockets)
    : settings_(std::move(settings)),
      clock_(clock),
      api_(settings_, http, clock),
      directory_(api_, clock),
      sockets_(api_, clock, std::move(sockets)) {
  directory_.set_groups(std::move(groups));
}

SlackChannel::~SlackChannel() = default;

Capabilities SlackChannel::capabilities() const {
  Capabilities can;
  can.buttons = can.forms = can.modals = can.edit = can.files = can.threads = can.whisper = can.working = can.find =
      can.remove = can.direct = true;
  can.max_message = can.max_edit = kMaxMarkdown;
  can.form = {.questions = 10, .options = 25, .option_text = 75};
  return can;
}

// ---- Receiving.

Task<Result<>> SlackChannel::run(Receiver& receiver) {
  CO_TRY(clients::slack::Self self, co_await clients::slack::auth_test(api_));
  if (self.is_org_wide) {
    co_return fail(ErrorKind::not_configured, "the Slack app is installed for a whole organisation",
                   "install it in one workspace and set that bot token");
  }
  directory_.set_home(self.team);
  self_ = std::move(self);
  auto handler = [this, &receiver](std::string type, json::object payload) {
    return receive(receiver, std::move(type), std::move(payload));
  };
  co_return co_await sockets_.run(std::move(handler), [] {});
}

// A socket whose peer is silent beyond its limit ends, pings included: one that is up has proven itself.
Traffic SlackChannel::traffic() const {
  return {.expected = true, .last = sockets_.connected() > 0 ? clock_.now() : sockets_.last_traffic()};
}

Task<Result<json::object>> SlackChannel::receive(Receiver& receiver, std::string type, json::object payload) {
  std::optional<Incoming> incoming;
  if (type == "events_api") incoming = read_event(payload);
  if (type == "interactive") incoming = read_interaction(payload);
  if (type == "slash_commands") incoming = read_command(payload);
  if (!incoming) co_return json::object();
  if (auto* said = std::get_if<Said>(&*incoming)) co_return co_await take(receiver, std::move(*said));
  if (auto* clicked = std::get_if<Clicked>(&*incoming)) co_return co_await take(receiver, std::move(*clicked));
  if (auto* submitted = std::get_if<Submitted>(&*incoming)) co_return co_await take(receiver, std::move(*submitted));
  if (auto* command = std::get_if<Command>(&*incoming)) co_return co_await take(receiver, std::move(*command));
  if (auto* stop = std::get_if<StopPressed>(&*incoming)) co_return co_await take(receiver, std::move(*stop));
  co_return json::object();
}

policy::Account SlackChannel::account_of(std::string_view team, std::string_view user) const {
  return {std::string(kSlack), fmt::format("{}/{}", team.empty() ? std::string_view(self_.team) : team, user)};
}

// If the channel cannot be looked up it counts as private: fewer people may then see what happens there.
Task<policy::Place> SlackChannel::place_of(std::string channel, bool is_direct, bool is_external) {
  policy::Place place{.channel = std::string(kSlack),
                      .id = channel,
                      .kind = is_direct ? policy::PlaceKind::direct : policy::PlaceKind::private_channel,
                      .external = is_external,
                      .open_to = policy::OpenTo::members};
  if (is_direct) co_return place;
  const Result<clients::slack::ChannelInfo> info = co_await directory_.channel(std::move(channel));
  if (!info) co_return place;
  if (!info->is_private && !info->is_group_message) place.kind = policy::PlaceKind::public_channel;
  if (info->is_direct) place.kind = policy::PlaceKind::direct;
  place.external = is_external || info->is_external;
  co_return place;
}

Task<InboundMessage> SlackChannel::message_of(Said said) {
  const Addressed addressed = read_mentions(said.text, self_.user);
  const bool to_us = said.is_mention || said.is_direct || addressed.us;
  InboundMessage message;
  message.conversation = Thread{self_.team, said.channel, said.thread.empty() ? said.ts : said.thread}.key();
  message.key = fmt::format("{}:{}:{}:{}", kSlack, self_.team, said.channel, said.ts);
  if (said.kind == InboundKind::edited) message.key += ":edited:" + said.changed_at;
  if (said.kind == InboundKind::deleted) message.key += ":deleted";
  message.place = co_await place_of(said.channel, said.is_direct, said.is_external);
  message.sender = account_of(said.team, said.user.empty() ? said.bot : said.user);
  // Nobody is looked up for what people say to each other.
  if (to_us && !said.user.empty()) (void)co_await directory_.user(said.user);
  message.sender_name = directory_.known_name(said.user);
  const NameOf names = [this](std::string_view id) { return directory_.known_name(id); };
  message.text = readable(addressed.rest, names);
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

Task<Result<json::object>> SlackChannel::take(Receiver& receiver, Said said) {
  const bool is_ours = said.user == self_.user || (!said.bot.empty() && said.bot == self_.bot);
  if (is_ours) co_return json::object();
  CO_TRY((co_await receiver.message(co_await message_of(std::move(said)))));
  co_return json::object();
}

Task<Result<json::object>> SlackChannel::take(Receiver& receiver, StopPressed stop) {
  Said said{.channel = stop.channel,
            .ts = fmt::format("{}-stop", stop.thread),
            .thread = stop.thread,
            .user = stop.user,
            .text = "stop"};
  said.is_direct = stop.channel.starts_with('D');
  said.is_mention = true;
  InboundMessage message = co_await message_of(std::move(said));
  message.ref.clear();
  message.at = clock_.now();
  message.key += fmt::format(":{}", to_millis(clock_.now()));
  CO_TRY((co_await receiver.message(std::move(message))));
  co_return json::object();
}

Task<Result<json::object>> SlackChannel::take(Receiver& receiver, Clicked clicked) {
  const Thread thread{self_.team, clicked.channel, clicked.thread.empty() ? clicked.message : clicked.thread};
  if (clicked.action == kDenyWithReason) {
    const ModalData data{clicked.value, thread.key(), clicked.message};
    const Result<std::string> opened =
        co_await clients::slack::open_view(api_, clicked.trigger, draw_reason_modal(data.text()));
    if (!opened) log::warning("a modal could not be opened", {{"why", describe(opened.error())}});
    co_return json::object();
  }
  InboundAnswer answer;
  answer.key = fmt::format("{}:{}:{}:{}", kSlack, clicked.message.empty() ? clicked.view : clicked.message, clicked.at,
                           clicked.user);
  answer.conversation = thread.key();
  answer.place = co_await place_of(clicked.channel, clicked.channel.starts_with('D'), false);
  answer.sender = account_of(clicked.team, clicked.user);
  answer.sender_name = clicked.user_name;
  answer.token = clicked.value;
  answer.view = clicked.message;
  fill_in(answer, clicked.state);
  CO_TRY(Verdict verdict, co_await receiver.answer(std::move(answer)));
  const auto executor = co_await asio::this_coro::executor;
  spawn(executor, "slack verdict", show_verdict(std::move(verdict), std::move(clicked)));
  co_return json::object();
}

Task<> SlackChannel::show_verdict(Verdict verdict, Clicked clicked) {
  const Thread thread{self_.team, clicked.channel, clicked.thread.empty() ? clicked.message : clicked.thread};
  Result<> shown;
  if (const auto* text = std::get_if<ShowText>(&verdict)) {
    const auto opened =
        co_await clients::slack::open_view(api_, clicked.trigger, draw_text_modal("Deputy", text->markdown));
    if (!opened) shown = std::unexpected(opened.error());
  } else if (const auto* open = std::get_if<OpenCard>(&verdict)) {
    const std::string token = open->card.interactions.empty() ? "" : token_to_send(open->card.interactions.front());
    const ModalData data{token, thread.key(), clicked.message};
    const auto opened = co_await clients::slack::open_view(api_, clicked.trigger, draw_modal(open->card, data.text()));
    if (!opened) shown = std::unexpected(opened.error());
  } else if (const std::string words = words_of(verdict); !words.empty()) {
    Message message{.markdown = words};
    shown = co_await whisper(thread.key(), account_of(clicked.team, clicked.user), std::move(message));
  }
  if (!shown) log::warning("the answer to a click was not shown", {{"why", describe(shown.error())}});
}

Task<Result<json::object>> SlackChannel::take(Receiver& receiver, Submitted submitted) {
  const ModalData data = ModalData::read(submitted.view_data);
  const Result<Thread> thread = Thread::parse(data.conversation);
  if (!thread) co_return json::object();
  InboundAnswer answer;
  answer.key = fmt::format("{}:{}:{}:{}", kSlack, submitted.view, submitted.hash, submitted.user);
  answer.conversation = data.conversation;
  answer.place = co_await place_of(thread->channel, thread->channel.starts_with('D'), false);
  answer.sender = account_of(submitted.team, submitted.user);
  answer.sender_name = submitted.user_name;
  answer.token = data.token;
  answer.view = data.view;
  if (submitted.callback == kReasonModal) {
    for (const Filled& filled : read_state(submitted.state)) answer.words = filled.written;
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
  const std::string words = words_of(verdict);
  if (words.empty()) co_return json::object{{"response_action", "clear"}};
  co_return json::object{{"response_action", "update"}, {"view", draw_text_modal("Deputy", words)}};
}

// A command has no message: what it starts is answered below a message of ours that repeats it.
Task<Result<json::object>> SlackChannel::take(Receiver& receiver, Command command) {
  InboundMessage message;
  message.place = co_await place_of(command.channel, command.channel.starts_with('D'), false);
  message.sender = account_of(command.team, command.user);
  message.sender_name = command.user_name;
  message.text = std::string(trim(command.text));
  message.at = clock_.now();
  message.conversation = Thread{self_.team, command.channel, ""}.key();
  message.key = fmt::format("{}:command:{}", kSlack, command.trigger);
  message.begins_thread = true;
  CO_TRY((co_await receiver.message(std::move(message))));
  co_return json::object();
}

// ---- Sending.

Task<Result<MessageRef>> SlackChannel::send(ConversationKey conversation, json::array blocks, std::string text,
                                            DeliveryKey key) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  clients::slack::OutgoingMessage message{.channel = thread.channel,
                                          .thread = thread.ts,
                                          .text = std::move(text),
                                          .blocks = std::move(blocks),
                                          .metadata = metadata_of(key)};
  Result<Sent> sent = co_await clients::slack::post_message(api_, message);
  if (!sent && !message.blocks.empty() && is_about_blocks(sent.error())) {
    log::warning("Slack refused blocks; the text is sent", {{"why", describe(sent.error())}});
    message.blocks.clear();
    sent = co_await clients::slack::post_message(api_, message);
  }
  if (!sent) co_return std::unexpected(sent.error());
  co_return sent->ts;
}

Task<Result<>> SlackChannel::change(ConversationKey conversation, MessageRef ref, json::array blocks,
                                    std::string text) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  clients::slack::OutgoingMessage message{
      .channel = thread.channel, .text = std::move(text), .blocks = std::move(blocks)};
  co_return co_await clients::slack::update_message(api_, std::move(ref), std::move(message));
}

Task<Result<MessageRef>> SlackChannel::post(ConversationKey conversation, Message message) {
  Drawing drawing = draw_message(message);
  return send(std::move(conversation), std::move(drawing.blocks), std::move(drawing.text), std::move(message.key));
}

Task<Result<>> SlackChannel::edit(ConversationKey conversation, MessageRef ref, Message message) {
  Drawing drawing = draw_message(message);
  return change(std::move(conversation), std::move(ref), std::move(drawing.blocks), std::move(drawing.text));
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
  Drawing drawing = draw_card(card);
  return change(std::move(conversation), std::move(ref), std::move(drawing.blocks), std::move(drawing.text));
}

Task<Result<MessageRef>> SlackChannel::attach(ConversationKey conversation, File file) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  co_return co_await clients::slack::upload_file(api_, {.channel = thread.channel,
                                                        .thread = thread.ts,
                                                        .name = std::move(file.name),
                                                        .title = std::move(file.title),
                                                        .content = std::move(file.content)});
}

Task<Result<MessageRef>> SlackChannel::begin_stream(ConversationKey conversation, Message message) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  clients::slack::StreamStart start{.channel = thread.channel, .thread = thread.ts, .team = thread.team};
  if (message.mention) start.user = user_of(*message.mention);
  CO_TRY(const Sent sent, co_await clients::slack::start_stream(api_, std::move(start)));
  co_return sent.ts;
}

Task<Result<>> SlackChannel::append(ConversationKey conversation, MessageRef ref, StreamPart part) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  std::optional<json::object> chunk = chunk_of(part);
  if (!chunk) co_return Result<>{};
  co_return co_await clients::slack::append_stream(api_, {thread.channel, std::move(ref)}, {*std::move(chunk)});
}

// Slack adds to what was streamed; the answer replaces it, so it is edited in.
Task<Result<>> SlackChannel::end_stream(ConversationKey conversation, MessageRef ref, Message message) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  CO_TRY((co_await clients::slack::stop_stream(api_, {thread.channel, ref}, {}, {}, metadata_of(message.key))));
  co_return co_await edit(std::move(conversation), std::move(ref), std::move(message));
}

Task<Result<>> SlackChannel::working(ConversationKey conversation, MessageRef, Working working) {
  CO_TRY(Thread thread, Thread::parse(conversation));
  if (thread.ts.empty()) co_return Result<>{};
  std::string words = working.on ? (working.words.empty() ? "is working on it…" : working.words) : "";
  co_return co_await clients::slack::set_status(api_, std::move(thread.channel), std::move(thread.ts),
                                                std::move(words));
}

Task<Result<>> SlackChannel::whisper(ConversationKey conversation, policy::Account account, Message message) {
  CO_TRY(const Thread thread, Thread::parse(conversation));
  Drawing drawing = draw_message(message);
  clients::slack::OutgoingMessage sent{.channel = thread.channel,
                                       .thread = thread.ts,
                                       .text = std::move(drawing.text),
                                       .blocks = std::move(drawing.blocks)};
  if (!thread.channel.starts_with('D'))
    co_return co_await clients::slack::post_ephemeral(api_, user_of(account), std::move(sent));
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
    if (message.is_object() && key_in(message.get_object()) == key)
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
    ThreadMessage said{.writer = account_of("", user.empty() ? bot : user),
                       .writer_name = directory_.known_name(user),
                       .text = text_of_message(*message, names),
                       .by_deputy = user == self_.user || (!bot.empty() && bot == self_.bot),
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
  co_return Thread{directory_.home(), std::move(channel), ""}.key();
}

ConversationKey SlackChannel::conversation_in(std::string_view channel_id) const {
  return Thread{directory_.home(), std::string(channel_id), ""}.key();
}

Task<Result<std::set<std::string>>> SlackChannel::members(policy::Place place) {
  CO_TRY(const std::set<std::string> users, co_await directory_.members_of_channel(place.id));
  std::set<std::string> keys;
  for (const std::string& user : users) keys.insert(account_of("", user).key());
  co_return keys;
}

Task<Result<std::set<std::string>>> SlackChannel::members_of_group(std::string group) {
  CO_TRY(const std::set<std::string> users, co_await directory_.members_of_group(std::move(group)));
  std::set<std::string> keys;
  for (const std::string& user : users) keys.insert(account_of("", user).key());
  co_return keys;
}

Task<Result<Diagnosis>> SlackChannel::diagnose() {
  Diagnosis diagnosis;
  const Result<clients::slack::Self> self = co_await clients::slack::auth_test(api_);
  diagnosis.checks.push_back({"bot token", self.has_value(),
                              self ? fmt::format("{} in {}", self->user, self->team_name) : describe(self.error())});
  if (settings_.transport == Transport::socket) {
    const Result<std::string> url = co_await clients::slack::open_connection(api_);
    diagnosis.checks.push_back({"app token", url.has_value(), url ? "Socket Mode can connect" : describe(url.error())});
  } else {
    const bool has_secret = !settings_.signing_secret.empty();
    diagnosis.checks.push_back({"signing secret", has_secret, has_secret ? "set" : "set SLACK_SIGNING_SECRET"});
  }
  for (const std::string_view scope :
       {"app_mentions:read", "chat:write", "channels:history", "channels:read", "groups:history", "groups:read",
        "im:history", "im:read", "im:write", "users:read", "files:read", "files:write", "reactions:write", "commands",
        "usergroups:read"}) {
    const std::vector<std::string_view> granted = split(api_.scopes(), ",");
    const bool has = std::ranges::any_of(granted, [&](std::string_view one) { return trim(one) == scope; });
    if (self && !has)
      diagnosis.checks.push_back({std::string(scope), false, "add this scope to the app and install it again"});
  }
  co_return diagnosis;
}

}  // namespace deputy::channel::slack
