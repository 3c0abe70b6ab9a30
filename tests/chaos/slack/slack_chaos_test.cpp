// Deputy in Slack under violence: the real program, killed at random and at named points, while sockets are cut, frozen
// and replaced, receipts and responses are lost and calls are refused. People get one answer each, and every write that
// was approved happens once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <iostream>
#include <map>
#include <random>

#include "chaos/slack/crowd.h"
#include "support/child.h"
#include "support/loop.h"
#include "support/temporary_folder.h"

namespace deputy::chaos {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::IsEmpty;

constexpr int kKilled = 128 + SIGKILL;
constexpr auto kLongestEnd = 4min;

// Where the way of a Slack message comes by. The chaos of the engine has every point; here the platform is real.
constexpr std::array kPoints = {"gateway.admit.before",
                                "gateway.admit.after",
                                "gateway.delivery.before_send",
                                "gateway.answer.before",
                                "gateway.delivery.after_send",
                                "run.step_started.after",
                                "gateway.answer.after",
                                "gateway.delivery.before_record",
                                "run.handler.after",
                                "run.outcome.before",
                                "run.asked.after",
                                "run.asked_form.after",
                                "run.replied.before",
                                "run.replied.after",
                                "run.model.after",
                                "store.before_commit",
                                "store.after_commit",
                                "store.admit.inbox",
                                "store.answer.settled",
                                "store.deliveries.taken"};

struct Plan {
  int mentions = 0;
  int kills = 0;
  CrowdSize crowd;
  std::chrono::milliseconds longest_life{0};
  std::chrono::milliseconds between_mentions{0};
  bool trouble = false;
};

class SlackChaos : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    auto model = CaseModel::start(loop_.get_executor());
    ASSERT_OK(model);
    model_ = *std::move(model);
    http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{.max_connections_per_host = 64});
    crowd_ = std::make_unique<Crowd>(*simulator_, *http_);
    folder_.write("deputy.yaml",
                  "timezone: UTC\nserve: {health: '127.0.0.1:0'}\n"
                  "models: {default: {provider: anthropic, model: claude-sonnet-5-5}}\n"
                  "policy: {approvers: {slack_tools: [T0SIM000001/U0BO0000001]}}\n");
  }
  void TearDown() override {
    deputy_.reset();
    over_ = true;
    await([](SlackChaos& self) -> Task<> {
      while (self.running_ > 0) co_await sleep_for(5ms);
    }(*this));
    http_.reset();
    await(model_->stop());
    await(simulator_->stop());
    if (HasFailure()) std::cout << "---- the end of its log\n" << last_of_log() << "\n";
  }

  void live_through(Plan plan);
  std::string figures(const Plan& plan) const;

  // ---- The program.

  void start(const std::string& failpoint = "");
  /// Kills it if it still runs. True when it died at its failpoint.
  bool end();
  Task<> life(std::chrono::milliseconds limit);
  std::size_t connections() { return simulator_->world().deliveries.sockets.connections().size(); }
  std::string last_of_log() const;

  // ---- What happens to it.

  Task<> run(Plan plan);
  Task<> ask_all(Plan plan);
  Task<> answer_cards();
  Task<> make_trouble();
  Task<> break_socket();
  Task<> break_call();
  std::string point_of(int number);
  void beside(Task<> task);
  int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(random_); }
  std::chrono::milliseconds time_below(std::chrono::milliseconds limit) {
    return std::chrono::milliseconds(below(static_cast<int>(limit.count()) + 1));
  }

  SystemClock clock_;
  test::TemporaryFolder folder_;
  std::mt19937 random_{20261118};
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<CaseModel> model_;
  std::unique_ptr<net::Client> http_;
  std::unique_ptr<Crowd> crowd_;
  std::unique_ptr<test::Child> deputy_;
  bool over_ = false;
  bool in_trouble_ = false;
  int running_ = 0;
  int named_ = 0;
  std::size_t unused_ = 0;           // faults that nothing came by
  std::map<std::string, int> done_;  // how often what was done to it
};

// ---- The program.

void SlackChaos::start(const std::string& failpoint) {
  const std::string log = (folder_ / "log").string();
  std::vector<std::string> variables{
      "HOME=" + folder_.path().string(),     "SLACK_BOT_TOKEN=xoxb-fake-bot-token",
      "SLACK_APP_TOKEN=xapp-fake-app-token", "SLACK_API_URL=" + simulator_->address() + "/api/",
      "ANTHROPIC_API_KEY=fake-key",          "ANTHROPIC_BASE_URL=" + model_->url()};
  if (!failpoint.empty()) variables.push_back("DEPUTY_FAILPOINT=" + failpoint);
  deputy_ = std::make_unique<test::Child>(
      std::vector<std::string>{"/bin/sh", "-c", "exec \"$0\" \"$@\" 2>>'" + log + "'", DEPUTY_PROGRAM, "--config",
                               (folder_ / "deputy.yaml").string(), "--data", (folder_ / "data").string(), "serve"},
      std::move(variables));
}

bool SlackChaos::end() {
  const bool by_itself = deputy_->has_ended();
  if (!by_itself) deputy_->kill();
  const int status = deputy_->wait();
  EXPECT_EQ(status, kKilled) << "it ended otherwise: " << last_of_log();
  return by_itself;
}

std::string SlackChaos::last_of_log() const {
  const std::string log = test::read_file(folder_ / "log");
  constexpr std::size_t kMost = 20'000;
  return log.size() > kMost ? log.substr(log.size() - kMost) : log;
}

// Until it has ended by itself, or has been connected for that long.
Task<> SlackChaos::life(std::chrono::milliseconds limit) {
  const auto begun = steady_clock::now();
  while (!deputy_->has_ended() && connections() == 0 && steady_clock::now() - begun < 20s) co_await sleep_for(10ms);
  const auto until = steady_clock::now() + limit;
  while (!deputy_->has_ended() && steady_clock::now() < until) co_await sleep_for(10ms);
}

// ---- What happens to it.

void SlackChaos::beside(Task<> task) {
  ++running_;
  spawn(loop_.get_executor(), "beside", [](SlackChaos& self, Task<> what) -> Task<> {
    co_await std::move(what);
    --self.running_;
  }(*this, std::move(task)));
}

Task<> SlackChaos::ask_all(Plan plan) {
  // A first start has missed nothing: people speak to it once it is there.
  while (connections() == 0 && !over_) co_await sleep_for(10ms);
  for (int number = 1; number <= plan.mentions && !over_; ++number) {
    co_await crowd_->ask(number, static_cast<CaseKind>(number % kCaseKinds));
    co_await sleep_for(time_below(plan.between_mentions * 2));
  }
}

Task<> SlackChaos::answer_cards() {
  while (!over_) {
    crowd_->answer_what_waits();
    co_await sleep_for(200ms);
  }
}

Task<> SlackChaos::make_trouble() {
  while (!over_ && in_trouble_) {
    if (below(2) == 0) {
      co_await break_socket();
    } else {
      co_await break_call();
    }
    co_await sleep_for(time_below(500ms));
  }
}

Task<> SlackChaos::break_socket() {
  const std::vector<std::string> sockets = simulator_->world().deliveries.sockets.connections();
  if (sockets.empty()) co_return;
  const std::string socket = sockets.at(static_cast<std::size_t>(below(static_cast<int>(sockets.size()))));
  if (below(3) == 0) {
    ++done_["with their envelopes"];
    (void)co_await crowd_->control("fault", {{"on", "socket"}, {"kind", "lose_unacknowledged"}});
  }
  constexpr std::array kHow = {"cut", "cut all", "frozen", "warning", "refresh_requested"};
  const std::string how = kHow.at(static_cast<std::size_t>(below(kHow.size())));
  ++done_["sockets " + std::string(how.starts_with("cut") ? "cut" : how == "frozen" ? how : "refreshed")];
  if (how == "cut all") (void)co_await crowd_->control("disconnect", {});
  if (how == "cut") (void)co_await crowd_->control("disconnect", {{"connection", socket}});
  if (how == "frozen") (void)co_await crowd_->control("freeze", {{"connection", socket}});
  if (how == "warning" || how == "refresh_requested")
    (void)co_await crowd_->control("disconnect", {{"reason", how}, {"connection", socket}});
}

Task<> SlackChaos::break_call() {
  constexpr std::array kWrites = {"chat.postMessage", "chat.postMessage", "chat.update", "chat.startStream",
                                  "chat.stopStream"};
  // Whoever cannot be looked up may do nothing, so people are always found; a call that fails is made again.
  constexpr std::array kLimited = {"chat.postMessage", "chat.update", "conversations.replies", "conversations.history"};
  constexpr std::array kFailing = {"chat.postMessage", "chat.update", "users.info", "conversations.history"};
  const auto pick = [&](const auto& names) { return names.at(static_cast<std::size_t>(below(names.size()))); };
  switch (below(5)) {
    case 0:
      ++done_["responses lost"];
      co_await crowd_->control("fault", {{"on", "api"}, {"kind", "lose_response"}, {"name", pick(kWrites)}});
      break;
    case 1:
      ++done_["429s"];
      co_await crowd_->control(
          "fault", {{"on", "api"}, {"kind", "status"}, {"status", 429}, {"retry_after", 1}, {"name", pick(kLimited)}});
      break;
    case 2:
      ++done_["calls failed"];
      co_await crowd_->control("fault",
                               {{"on", "api"}, {"kind", below(2) == 0 ? "drop" : "status"}, {"name", pick(kFailing)}});
      break;
    case 3:
      ++done_["events repeated or reordered"];
      co_await crowd_->control("fault", {{"on", "delivery"}, {"kind", below(2) == 0 ? "duplicate" : "reorder"}});
      break;
    default:
      ++done_["events dropped"];
      co_await crowd_->control("fault", {{"on", "delivery"}, {"kind", "drop"}, {"name", "app_mention"}});
  }
}

// Most points are soon reached. A commit comes many times before anything has got further.
std::string SlackChaos::point_of(int number) {
  const std::string point = kPoints.at(static_cast<std::size_t>(number) % kPoints.size());
  return fmt::format("{}:{}", point, point.ends_with("_commit") ? 30 + below(30) : 2 + below(6));
}

Task<> SlackChaos::run(Plan plan) {
  co_await crowd_->gather(plan.crowd);
  // Slack repeats an event at once, after a minute and after five; here too, but sooner.
  (void)co_await crowd_->control("timing", {{"retry_ms", json::array{0, 500, 2000}}, {"goodbye_ms", 2000}});
  in_trouble_ = plan.trouble;
  beside(ask_all(plan));
  beside(answer_cards());
  if (plan.trouble) beside(make_trouble());
  for (int kill = 0; kill < plan.kills; ++kill) {
    const bool at_point = plan.trouble && kill % 2 == 1;
    const std::string point = at_point ? point_of(kill / 2) : "";
    start(point);
    co_await life(at_point ? plan.longest_life * 2 : plan.longest_life / 3 + time_below(plan.longest_life * 2 / 3));
    if (below(3) == 0) {
      ++done_["with their envelopes"];
      (void)co_await crowd_->control("fault", {{"on", "socket"}, {"kind", "lose_unacknowledged"}, {"times", 2}});
    }
    if (!end()) continue;
    ++named_;
    std::cout << "killed at " << point << ", in Slack\n";
  }
  in_trouble_ = false;
  unused_ = simulator_->world().faults.show().size();
  (void)co_await crowd_->control("fault", {{"kind", "clear"}});
  start();
  const auto last = steady_clock::now() + kLongestEnd;
  while (steady_clock::now() < last && !deputy_->has_ended()) {
    if (crowd_->asked() == static_cast<std::size_t>(plan.mentions) && crowd_->all_done()) break;
    co_await sleep_for(200ms);
  }
  EXPECT_FALSE(deputy_->has_ended()) << "it ended by itself";
  // What comes late would come now: a second answer, a second write.
  co_await sleep_for(2s);
  (void)end();
}

void SlackChaos::live_through(Plan plan) {
  await(run(plan));
  EXPECT_THAT(crowd_->judge(), IsEmpty());
  EXPECT_LE(crowd_->given_up(), plan.mentions / 20) << "after three crashes in a row that it was part of";
  const std::string log = test::read_file(folder_ / "log");
  EXPECT_FALSE(log.contains("Sanitizer") || log.contains("runtime error"));
  std::cout << figures(plan) << "\n";
}

std::string SlackChaos::figures(const Plan& plan) const {
  std::string what =
      fmt::format("slack: {} mentions, {} kills, {} of them at named points", plan.mentions, plan.kills, named_);
  for (const auto& [how, times] : done_) what += fmt::format(", {} {}", times, how);
  if (unused_ > 0) what += fmt::format(" ({} of these struck nothing)", unused_);
  what += fmt::format(", {} writes approved with {} clicks, {} runs given up; ", crowd_->approved(), crowd_->clicks(),
                      crowd_->given_up());
  return what + (simulator_->world().limits.raised() ? "Slack's limits were raised" : "at Slack's own limits");
}

TEST_F(SlackChaos, EveryMentionIsAnsweredOnceHoweverOftenItIsKilled) {
  (void)await(crowd_->control("limits", {{"tiers", {{"1", 100'000}, {"2", 100'000}, {"3", 100'000}, {"4", 100'000}}},
                                         {"posts", {{"per_second", 1000}, {"burst", 1000}}}}));
  live_through({.mentions = 300,
                .kills = 40,
                .crowd = {.people = 100, .channels = 30},
                .longest_life = 2500ms,
                .between_mentions = 300ms,
                .trouble = true});
}

TEST_F(SlackChaos, AtSlacksOwnLimitsEveryMentionIsAnsweredOnce) {
  live_through({.mentions = 30,
                .kills = 3,
                .crowd = {.people = 10, .channels = 6},
                .longest_life = 6s,
                .between_mentions = 500ms});
}

}  // namespace
}  // namespace deputy::chaos
