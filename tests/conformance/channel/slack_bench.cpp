#include "conformance/channel/slack_bench.h"

#include <boost/asio/as_tuple.hpp>

#include "base/text.h"
#include "channel/slack/blocks.h"
#include "channel/slack/slack_channel.h"
#include "channel/slack/thread.h"
#include "net/client.h"
#include "sim/slack/people/acts.h"
#include "sim/slack/people/elements.h"
#include "sim/slack/people/interactions.h"
#include "sim/slack/simulator.h"

namespace deputy::channel {
namespace {

using sim::slack::Element;
using sim::slack::elements_of;

constexpr const char* kTeam = "T0SIM000001";
constexpr const char* kOps = "C0OPS000001";
constexpr const char* kAna = "U0ANA000001";
constexpr const char* kBo = "U0BO0000001";
constexpr const char* kCyd = "U0CYD000001";
constexpr const char* kEva = "U0EVA000001";
constexpr const char* kHidden = "U0HIDDEN001";  // Slack does not tell the app who it is
constexpr std::chrono::seconds kPatience{10};

policy::Account account_of(const char* user) { return {"slack", std::string(kTeam) + "/" + user}; }

/// Stands between the channel and its receiver, so that the bench knows what has arrived and what became of it.
class Ear final : public Receiver {
 public:
  explicit Ear(asio::io_context& loop) : news_(loop) {}

  void begin(Receiver& receiver) { receiver_ = &receiver; }
  void end() {
    receiver_ = nullptr;
    is_connected_ = false;
  }
  /// It has a place to read back from.
  bool is_connected() const { return is_connected_; }
  const std::vector<Verdict>& verdicts() const { return verdicts_; }

  Task<Result<>> until_heard(MessageRef ref, InboundKind kind) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::ranges::find(heard_, std::pair(ref, kind)) == heard_.end()) {
      if (std::chrono::steady_clock::now() > deadline)
        co_return fail(ErrorKind::timeout, "the receiver has not heard of " + ref);
      news_.expires_at(deadline);
      co_await news_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    co_return Result<>{};
  }

  Task<Result<>> message(InboundMessage message) override {
    if (receiver_ == nullptr) co_return gone();
    std::pair heard(message.ref, message.kind);
    CO_TRY(co_await receiver_->message(std::move(message)));
    heard_.push_back(std::move(heard));
    news_.cancel();
    co_return Result<>{};
  }
  Task<Result<Verdict>> answer(InboundAnswer answer) override {
    if (receiver_ == nullptr) co_return gone();
    CO_TRY(Verdict verdict, co_await receiver_->answer(std::move(answer)));
    verdicts_.push_back(verdict);
    co_return verdict;
  }
  Task<Result<std::string>> cursor(std::string channel) override {
    if (receiver_ == nullptr) co_return gone();
    CO_TRY(std::string cursor, co_await receiver_->cursor(std::move(channel)));
    is_connected_ = is_connected_ || !cursor.empty();
    co_return cursor;
  }
  Task<Result<>> set_cursor(std::string channel, std::string cursor) override {
    if (receiver_ == nullptr) co_return gone();
    CO_TRY(co_await receiver_->set_cursor(std::move(channel), std::move(cursor)));
    is_connected_ = true;
    co_return Result<>{};
  }
  Task<Result<std::vector<ConversationKey>>> conversations(std::string channel, Timestamp since, int most) override {
    if (receiver_ == nullptr) co_return gone();
    co_return co_await receiver_->conversations(std::move(channel), since, most);
  }

 private:
  static std::unexpected<Error> gone() { return fail(ErrorKind::internal, "nobody receives any more"); }

  asio::steady_timer news_;
  Receiver* receiver_ = nullptr;
  bool is_connected_ = false;
  std::vector<std::pair<MessageRef, InboundKind>> heard_;
  std::vector<Verdict> verdicts_;
};

/// A SlackChannel with an ear.
class HeardChannel final : public Channel {
 public:
  HeardChannel(slack::SlackChannel& slack, Ear& ear) : slack_(slack), ear_(ear) {}

  Task<Result<>> run(Receiver& receiver) override {
    struct End {
      Ear& ear;
      ~End() { ear.end(); }
    } const end{ear_};
    ear_.begin(receiver);
    co_return co_await slack_.run(ear_);
  }
  std::string_view name() const override { return slack_.name(); }
  Capabilities capabilities() const override { return slack_.capabilities(); }
  Capabilities capabilities_in(const ConversationKey& in) const override { return slack_.capabilities_in(in); }
  Traffic traffic() const override { return slack_.traffic(); }
  Task<Result<MessageRef>> post(ConversationKey in, Message message) override { return slack_.post(in, message); }
  Task<Result<>> edit(ConversationKey in, MessageRef ref, Message message) override {
    return slack_.edit(in, ref, message);
  }
  Task<Result<MessageRef>> show(ConversationKey in, Card card) override { return slack_.show(in, card); }
  Task<Result<>> redraw(ConversationKey in, MessageRef ref, Card card) override { return slack_.redraw(in, ref, card); }
  Task<Result<MessageRef>> attach(ConversationKey in, File file) override { return slack_.attach(in, file); }
  Task<Result<PostedRequest>> post_request(ConversationKey in, policy::Account account, std::string text) override {
    return slack_.post_request(in, account, text);
  }
  Task<Result<MessageRef>> begin_stream(ConversationKey in, Message message) override {
    return slack_.begin_stream(in, message);
  }
  Task<Result<>> append(ConversationKey in, MessageRef ref, StreamPart part) override {
    return slack_.append(in, ref, part);
  }
  Task<Result<>> end_stream(ConversationKey in, MessageRef ref, Message message) override {
    return slack_.end_stream(in, ref, message);
  }
  Task<Result<>> working(ConversationKey in, MessageRef request, Working working) override {
    return slack_.working(in, request, working);
  }
  Task<Result<>> set_title(ConversationKey in, std::string title) override { return slack_.set_title(in, title); }
  Task<Result<>> whisper(ConversationKey in, policy::Account account, Message message) override {
    return slack_.whisper(in, account, message);
  }
  Task<Result<std::optional<MessageRef>>> find(ConversationKey in, DeliveryKey key) override {
    return slack_.find(in, key);
  }
  Task<Result<>> remove(ConversationKey in, MessageRef ref) override { return slack_.remove(in, ref); }
  Task<Result<ConversationContext>> context(ConversationKey in, MessageRef before, int most) override {
    return slack_.context(in, before, most);
  }
  Task<Result<std::string>> download(InboundFile file, std::size_t most) override {
    return slack_.download(file, most);
  }
  Task<Result<policy::Identity>> who(policy::Account account) override { return slack_.who(account); }
  Task<Result<ConversationKey>> direct(policy::Account account) override { return slack_.direct(account); }
  ConversationKey conversation_in(std::string_view id) const override { return slack_.conversation_in(id); }
  Task<Result<std::set<std::string>>> members(policy::Place place) override { return slack_.members(place); }
  Task<Result<std::set<std::string>>> members_of_group(std::string group) override {
    return slack_.members_of_group(group);
  }
  Task<Result<Diagnosis>> diagnose() override { return slack_.diagnose(); }

 private:
  slack::SlackChannel& slack_;
  Ear& ear_;
};

// ---- What stands in a message.

/// Every text of the blocks, in order.
void add_texts(const json::value& part, std::string& text) {
  if (const json::array* list = part.if_array()) {
    for (const json::value& one : *list) add_texts(one, text);
  } else if (const json::object* object = part.if_object()) {
    for (const auto& [key, value] : *object) {
      if (key == "text" && value.is_string()) text += std::string(as_view(value.get_string())) + "\n";
      if (!value.is_string()) add_texts(value, text);
    }
  }
}

json::array blocks_of(const sim::slack::Message& message) {
  const json::value* blocks = message.body.if_contains("blocks");
  return blocks == nullptr ? json::array() : blocks->as_array();
}

/// The rows of a card have names of their own; below an answer there are others, for feedback and details.
bool is_of_card(const Element& element) { return element.input == nullptr && element.block_id.starts_with("actions"); }

Seen as_seen(const sim::slack::Message& message) {
  Seen seen{.text = {}, .controls = {}, .ref = message.ts};
  const json::array blocks = blocks_of(message);
  // Blocks stand in place of the text, but below what was streamed.
  const bool is_stream = message.stream == sim::slack::StreamState::in_progress || !message.chunks.empty();
  if (blocks.empty() || is_stream) seen.text = text_at(message.body, "text");
  add_texts(blocks, seen.text);
  for (const Element& element : elements_of(blocks)) {
    if (is_of_card(element)) seen.controls.push_back(text_at(*element.element, "value"));
    seen.is_form = seen.is_form || element.input != nullptr;
  }
  return seen;
}

std::string text_in(const json::object& object, std::string_view key) {
  const json::object* text = find_object(object, key);
  return text == nullptr ? "" : text_at(*text, "text");
}

bool is_own_words(std::string_view answer) { return answer.starts_with('"'); }

/// The choice in one input, as the simulator takes it; null: none.
json::value choice_in(const json::object& element, const std::vector<std::string>& answers) {
  if (text_at(element, "type") == "plain_text_input") {
    for (const std::string& answer : answers) {
      if (is_own_words(answer)) return json::value(answer.substr(1, answer.size() - 2));
    }
    return nullptr;
  }
  json::array chosen;
  for (const json::value& option : element.at("options").as_array()) {
    if (contains(answers, text_in(option.as_object(), "text"))) chosen.emplace_back(option.at("value"));
  }
  if (text_at(element, "type").starts_with("multi") || text_at(element, "type") == "checkboxes") return chosen;
  return chosen.empty() ? json::value(nullptr) : chosen.front();
}

json::object state_for(const json::array& blocks, const FilledIn& given) {
  json::object state;
  for (const Element& element : elements_of(blocks)) {
    if (element.input == nullptr) continue;
    const std::string label = text_in(*element.input, "label");
    const auto answers = given.find(label.substr(0, label.find(", in your own words")));
    if (answers == given.end()) continue;
    json::value choice = choice_in(*element.element, answers->second);
    if (!choice.is_null()) state[element.block_id] = json::object{{element.action_id(), std::move(choice)}};
  }
  return state;
}

/// What is told to who answered; empty: nothing.
std::string told_by(const Verdict& verdict) {
  if (const auto* refused = std::get_if<Refused>(&verdict)) return refused->why;
  const auto* already = std::get_if<AlreadyAnswered>(&verdict);
  return already == nullptr ? "" : already->words;
}

class SlackBench final : public Bench {
 public:
  SlackBench(const BenchSetup& setup, slack::Transport transport)
      : loop_(setup.loop), clock_(setup.clock), ear_(setup.loop), http_(setup.loop.get_executor(), {}) {
    simulator_ = sim::slack::Simulator::start(loop_.get_executor(), clock_, {}).value();
    // The clock stands still, so that no limit would ever end.
    EXPECT_OK(world().limits.set({{"tiers", {{"1", 1000}, {"2", 1000}, {"3", 1000}, {"4", 1000}}},
                                  {"posts", {{"per_second", 1000}, {"burst", 1000}}}}));
    for (const char* id : {kCyd, kEva, kHidden})
      world().workspace.people[id] = {.id = id, .name = to_lower(id), .real_name = id, .team_id = kTeam};
    world().workspace.people[kHidden].hidden = true;
    ops().members.insert({kCyd, kEva});
    root_ = slack::ts_of(clock_.now() - std::chrono::minutes(1));
    EXPECT_OK(say(world(), {{"user", kBo}, {"channel", kOps}, {"text", "root"}, {"ts", root_}}));
    slack::Settings settings;
    settings.bot_token = Secret("xoxb-fake-bot-token");
    settings.app_token = Secret("xapp-fake-app-token");
    settings.signing_secret = Secret(world().workspace.app.signing_secret);
    settings.api_url = simulator_->address() + "/api/";
    settings.transport = transport;
    api_ = std::make_unique<clients::slack::Api>(settings, http_, clock_);
    slack_ = std::make_unique<slack::SlackChannel>(settings, *api_, clock_, [] { return std::set<std::string>(); });
    heard_ = std::make_unique<HeardChannel>(*slack_, ear_);
    if (transport == slack::Transport::http) take_events();
  }
  ~SlackBench() override {
    if (server_) test::run_on(loop_, server_->stop(std::chrono::milliseconds(0)));
    test::run_on(loop_, simulator_->stop());
    loop_.restart();
    loop_.poll();  // what was on its way to Slack ends
  }

  Channel& channel() override { return *heard_; }
  bool is_connected() override { return ear_.is_connected(); }
  ConversationKey conversation() override { return slack::Thread{kTeam, kOps, root_}.key(); }
  policy::Account ana() override { return account_of(kAna); }
  policy::Account bo() override { return account_of(kBo); }
  policy::Account cy() override { return account_of(kCyd); }
  policy::Account eve() override { return account_of(kEva); }
  policy::Account stranger() override { return account_of(kHidden); }
  policy::Settings settings() override {
    policy::Settings settings;
    settings.people = {{"ana", {.accounts = {{"slack", ana().id}}}},
                       {"bo", {.accounts = {{"slack", bo().id}}}},
                       {"cy", {.accounts = {{"slack", cy().id}}}}};
    settings.access.people = std::vector<std::string>{"ana", "bo", "cy", eve().key()};
    settings.policy.approvers = {{"service_tools", {"bo", "cy"}}};
    return settings;
  }

  Task<Result<>> says(policy::Account account, std::string text) override {
    const std::string user = slack::user_of(account);
    // A stranger comes into the channel, writes and leaves.
    const bool comes = ops().members.insert(user).second;
    const Result<json::object> said = say(world(), in_thread(user, std::move(text)));
    if (comes) ops().members.erase(user);
    co_return co_await until_heard(said, InboundKind::posted);
  }
  Task<Result<>> ana_edits(std::string text) override {
    const std::string mention = "<@" + world().workspace.app.bot_user + "> ";
    const auto edited =
        edit(world(), {{"user", kAna}, {"channel", kOps}, {"ts", last_said_}, {"text", mention + text}});
    co_return co_await until_heard(edited, InboundKind::edited);
  }
  Task<Result<>> ana_deletes() override {
    const auto deleted = take_back(world(), {{"user", kAna}, {"channel", kOps}, {"ts", last_said_}});
    co_return co_await until_heard(deleted, InboundKind::deleted);
  }
  Task<Result<>> ana_uploads(std::string text, Upload file) override {
    json::object wanted = in_thread(kAna, std::move(text));
    wanted["name"] = file.name;
    wanted["content"] = file.content;
    const Result<json::object> uploaded = upload(world(), wanted);
    co_return co_await until_heard(uploaded, InboundKind::posted);
  }
  void ana_wrote(const std::string& text, Timestamp at) override {
    json::object wanted = in_thread(kAna, text);
    wanted["ts"] = slack::ts_of(at);
    EXPECT_OK(say(world(), wanted));
  }
  void has_been_said(int messages) override {
    for (int i = 1; i <= messages; ++i) {
      const std::string text = "message " + std::to_string(i);
      EXPECT_OK(say(world(), {{"user", kBo}, {"channel", kOps}, {"thread_ts", root_}, {"text", text}}));
    }
  }
  void refuses_messages_for(std::chrono::seconds time) override { world().limits.flood(kOps, time, clock_.now()); }

  Task<Result<Verdict>> ana_presses(MessageRef ref) override {
    const json::array blocks = blocks_of(message(ref));
    for (const Element& element : elements_of(blocks)) {
      if (is_of_card(element)) co_return co_await clicks(ana(), std::move(ref), element.action_id());
    }
    co_return fail(ErrorKind::not_found, "nothing can be pressed");
  }
  Task<Result<Verdict>> presses(policy::Account account, MessageRef ref, interaction::Control control,
                                std::string reason) override {
    std::string action;
    for (const auto& [one, name] : choices_of(control)) {
      if (one == control) action = name;
    }
    if (control == interaction::Control::deny_with_reason)
      return denies(std::move(account), std::move(ref), std::move(reason));
    return clicks(std::move(account), std::move(ref), std::move(action));
  }
  Task<Result<Verdict>> fills_in(policy::Account account, MessageRef ref, FilledIn given) override {
    json::object state = state_for(blocks_of(message(ref)), given);
    return clicks(std::move(account), std::move(ref), "send", std::move(state));
  }

  std::vector<Seen> seen_by(policy::Account account) override {
    std::vector<Seen> all;
    for (const sim::slack::Message& message : ops().messages) {
      const bool is_here = message.user == world().workspace.app.bot_user && message.thread_ts == root_;
      const bool is_shown = message.only_for.empty() || message.only_for == slack::user_of(account);
      if (is_here && is_shown) all.push_back(as_seen(message));
    }
    return all;
  }

 private:
  sim::slack::World& world() { return simulator_->world(); }
  sim::slack::Channel& ops() { return world().workspace.channels.at(kOps); }
  sim::slack::Message message(const MessageRef& ref) {
    const sim::slack::Message* found = world().workspace.message(ops(), ref);
    return found == nullptr ? sim::slack::Message{} : *found;
  }

  void take_events() {
    const auto handler = [this](net::ServerRequest request) { return slack_->answer_request(std::move(request)); };
    server_ = net::Server::listen(loop_.get_executor(), {}, handler).value();
    world().workspace.app.request_url =
        "http://127.0.0.1:" + std::to_string(server_->port()) + std::string(slack::kEventsPath);
  }

  /// A message to Deputy.
  json::object in_thread(const std::string& user, std::string text) {
    return {{"user", user}, {"channel", kOps}, {"thread_ts", root_}, {"text", std::move(text)}, {"mention", true}};
  }
  Task<Result<>> until_heard(Result<json::object> done, InboundKind kind) {
    if (!done) co_return std::unexpected(done.error());
    last_said_ = text_at(*done, "ts");
    co_return co_await ear_.until_heard(last_said_, kind);
  }

  Task<Result<Verdict>> clicks(policy::Account account, MessageRef ref, std::string action, json::object state = {}) {
    const std::string user = slack::user_of(account);
    const std::int64_t before = world().record.last();
    json::object wanted{
        {"user", user}, {"channel", kOps}, {"ts", ref}, {"action_id", action}, {"state", std::move(state)}};
    CO_TRY(const json::object seen, co_await sim::slack::click(world(), std::move(wanted)));
    CO_TRY(Verdict verdict, verdict_of(seen));
    if (told_by(verdict).empty() || !ops().members.contains(user)) co_return verdict;
    CO_TRY((co_await until_called(before, "chat.postEphemeral")));
    if (seen_by(account).back().text.find(told_by(verdict)) == std::string::npos)
      co_return fail(ErrorKind::internal, "who clicked does not see: " + told_by(verdict));
    co_return verdict;
  }
  Task<Result<Verdict>> denies(policy::Account account, MessageRef ref, std::string reason) {
    const std::string user = slack::user_of(account);
    const std::int64_t before = world().record.last();
    CO_TRY((co_await sim::slack::click(
        world(), {{"user", user}, {"channel", kOps}, {"ts", ref}, {"action_id", "deny_with_reason"}})));
    CO_TRY(const json::object opened, co_await until_called(before, "views.open"));
    json::object submitted{{"user", user},
                           {"view_id", opened.at("view").at("id")},
                           {"values", {{"reason", {{"reason", std::move(reason)}}}}}};
    CO_TRY(const json::object seen, co_await sim::slack::submit(world(), std::move(submitted)));
    co_return verdict_of(seen);
  }
  /// The verdict on the last answer, if Slack got a receipt for it.
  Result<Verdict> verdict_of(const json::object& seen) {
    if (seen.at("acknowledged") == json::value(true) && !ear_.verdicts().empty()) return ear_.verdicts().back();
    return fail(ErrorKind::timeout, "no receipt: " + text_at(seen, "reason"));
  }
  /// Slack's answer to a call of Deputy's after so many entries of the record.
  Task<Result<json::object>> until_called(std::int64_t after, std::string method) {
    const json::array calls = co_await world().record.wait(after, "call", {{"method", method}}, kPatience);
    if (calls.empty()) co_return fail(ErrorKind::timeout, "Deputy did not call " + method);
    co_return calls.front().at("answer").as_object();
  }

  asio::io_context& loop_;
  const Clock& clock_;
  Ear ear_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  net::Client http_;
  std::unique_ptr<clients::slack::Api> api_;
  std::unique_ptr<slack::SlackChannel> slack_;
  std::unique_ptr<HeardChannel> heard_;
  std::unique_ptr<net::Server> server_;
  std::string root_;  // ts of the thread
  MessageRef last_said_;
};

}  // namespace

std::unique_ptr<Bench> make_slack_bench(const BenchSetup& setup, slack::Transport transport) {
  return std::make_unique<SlackBench>(setup, transport);
}

}  // namespace deputy::channel
