#include "slack/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "sim/slack/people/acts.h"

namespace deputy::bench {

namespace {

using namespace std::chrono_literals;

// Enough channels that none grows long: the simulator looks through all messages of one.
constexpr int kChannels = 200;
constexpr int kMuch = 1'000'000'000;
constexpr std::chrono::seconds kMaxTime{180};

double own_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double milliseconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

double at_share(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

}  // namespace

SlackLoad::~SlackLoad() {
  bool stopped = false;
  asio::co_spawn(loop_, simulator_->stop(), [&](const std::exception_ptr&) { stopped = true; });
  while (!stopped) loop_.run_one();
}

Result<std::unique_ptr<SlackLoad>> SlackLoad::start(asio::io_context& loop) {
  std::unique_ptr<SlackLoad> load(new SlackLoad(loop));
  TRY(load->simulator_, sim::slack::Simulator::start(loop.get_executor(), load->clock_, {}));
  sim::slack::World& world = load->simulator_->world();
  TRY((world.limits.set({{"tiers", {{"1", kMuch}, {"2", kMuch}, {"3", kMuch}, {"4", kMuch}}},
                         {"methods", {{"chat.postMessage", kMuch}}},
                         {"posts", {{"per_second", kMuch}, {"burst", kMuch}}}})));
  for (int number = 0; number < kChannels; ++number) {
    const std::string id = fmt::format("C0BENCH{:04}", number);
    world.workspace.channels[id] = {
        .id = id, .name = fmt::format("bench-{}", number), .members = {world.workspace.app.bot_user}};
  }
  return load;
}

bool SlackLoad::until(std::chrono::seconds limit, const std::function<bool()>& happened) {
  const auto deadline = SteadyClock::now() + limit;
  while (!happened()) {
    if (SteadyClock::now() > deadline) return false;
    loop_.run_one_for(1ms);
    look();
  }
  return true;
}

void SlackLoad::wait(std::chrono::milliseconds time) {
  const auto end = SteadyClock::now() + time;
  until(kMaxTime, [&] { return SteadyClock::now() >= end; });
}

// What belongs to a flow may come after its answer: receipts, notes of the app to itself.
void SlackLoad::until_quiet() {
  std::int64_t before = seen_;
  do {
    before = seen_;
    wait(200ms);
  } while (before != seen_);
}

Result<> SlackLoad::until_connected(const AppProcess& app) {
  const auto& sockets = simulator_->world().deliveries.sockets;
  const bool connected = until(60s, [&] { return !sockets.connections().empty() || !app.is_running(); });
  if (connected && !sockets.connections().empty()) return {};
  return fail(ErrorKind::timeout, "the app did not connect");
}

Result<> SlackLoad::until_disconnected() {
  const auto& sockets = simulator_->world().deliveries.sockets;
  if (until(10s, [&] { return sockets.connections().empty(); })) return {};
  return fail(ErrorKind::timeout, "the sockets of an app that has ended stay open");
}

// Somebody who has not written before mentions the app below a message of another.
void SlackLoad::mention() {
  sim::slack::World& world = simulator_->world();
  const int number = ++mentions_;
  sim::slack::Channel& channel = world.workspace.channels.at(fmt::format("C0BENCH{:04}", number % kChannels));
  const std::string user = fmt::format("U0B{:08}", number);
  world.workspace.people[user] = {.id = user,
                                  .name = fmt::format("person{}", number),
                                  .real_name = fmt::format("Person {}", number),
                                  .team_id = world.workspace.team_id};
  channel.members.insert(user);
  const std::string root =
      world.workspace.add(channel, {.ts = {}, .user = user, .body = {{"text", "Orders are slow today."}}}).ts;
  const auto said = sim::slack::say(world, {{"user", user},
                                            {"channel", channel.id},
                                            {"thread_ts", root},
                                            {"text", "which services do we have?"},
                                            {"mention", true}});
  if (!said) throw std::runtime_error(describe(said.error()));
}

void SlackLoad::look() {
  const sim::slack::Record& record = simulator_->world().record;
  while (seen_ < record.last()) {
    const json::object* entry = record.entry(++seen_);
    if (entry == nullptr) throw std::runtime_error("the record of the simulator is too short");
    const std::string kind = text_at(*entry, "kind");
    if (kind == "call") {
      take_call(*entry);
    } else if (kind == "envelope") {
      const json::object& envelope = entry->at("envelope").as_object();
      const json::object* event = find_object(envelope.at("payload").as_object(), "event");
      if (event != nullptr && text_at(*event, "type") == "app_mention")
        sent_[text_at(envelope, "envelope_id")] = SteadyClock::now();
    } else if (kind == "acknowledged") {
      const auto sent = sent_.extract(text_at(*entry, "envelope_id"));
      if (!sent.empty()) receipts_.push_back(milliseconds_since(sent.mapped()));
    } else if (kind == "not_acknowledged") {
      const auto sent = sent_.extract(text_at(*entry, "envelope_id"));
      if (!sent.empty()) receipts_.push_back(milliseconds_since(sent.mapped()));
      ++late_;
    }
  }
}

void SlackLoad::take_call(const json::object& call) {
  ++slack_calls_;
  const std::string method = text_at(call, "method");
  const json::object& arguments = call.at("arguments").as_object();
  const json::value* ok = call.at("answer").as_object().if_contains("ok");
  if (ok == nullptr || *ok != true) return;
  // A stream ends with the answer and what stands below it; an edit has all of it.
  const bool ends_stream = method == "chat.stopStream" && arguments.contains("blocks");
  const bool is_edit = method == "chat.update" && text_at(arguments, "text").contains(kAnswer);
  if (!ends_stream && !is_edit) return;
  answered_.insert(text_at(arguments, "channel") + text_at(arguments, "ts"));
}

Result<LoadResult> SlackLoad::run(const AppProcess& app, const ModelStandIn& model, Load load) {
  LoadResult result;
  receipts_.clear();
  slack_calls_ = late_ = 0;
  const int first = static_cast<int>(answered_.size());
  const int asked_before = model.requests();
  const double cpu_before = app.cpu_seconds();
  const double own_before = own_cpu_seconds();
  const auto begin = SteadyClock::now();
  auto next_look = begin;
  int begun = 0;
  const auto go_on = [&] {
    const auto now = SteadyClock::now();
    const int answered = static_cast<int>(answered_.size()) - first;
    const double due = load.per_second == 0 ? load.flows : milliseconds_since(begin) / 1000 * load.per_second;
    while (begun < load.flows && begun - answered < load.at_once && begun < due) {
      mention();
      ++begun;
    }
    if (now >= next_look) {
      result.megabytes = std::max(result.megabytes, app.resident_megabytes());
      next_look = now + 250ms;
    }
    return answered == load.flows || !app.is_running();
  };
  const bool in_time = until(kMaxTime, go_on);
  result.seconds = milliseconds_since(begin) / 1000;
  const int answered = static_cast<int>(answered_.size()) - first;
  if (!in_time || answered != load.flows)
    return fail(ErrorKind::timeout, fmt::format("{} of {} mentions were answered", answered, load.flows));
  until_quiet();
  const double flows = load.flows;
  result.cpu = (app.cpu_seconds() - cpu_before) / flows * 1e6;
  result.judge_cpu = (own_cpu_seconds() - own_before) / flows * 1e6;
  result.receipt_median = at_share(receipts_, 0.5);
  result.receipt_p99 = at_share(receipts_, 0.99);
  result.slack_calls = slack_calls_ / flows;
  result.model_calls = (model.requests() - asked_before) / flows;
  result.late = late_;
  return result;
}

}  // namespace deputy::bench
