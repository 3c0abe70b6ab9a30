// Runs over a real store, a scripted model and people who are who they say: everything of the runner, without channels.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "run/drive/runner.h"
#include "run/journal/fold.h"
#include "run/journal/interaction_body.h"
#include "run/journal/stored_rows.h"
#include "store/sqlite/sqlite_store.h"
#include "support/failing_store.h"
#include "support/held.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/model_script.h"
#include "support/results.h"
#include "support/sample_tools.h"
#include "support/temporary_folder.h"

namespace deputy::run {

/// Everybody is a full member.
class FakeSurroundings final : public Lookups {
 public:
  Task<policy::Identity> who(policy::Account account) override {
    co_return policy::Identity{.account = std::move(account), .standing = policy::AccountKind::member};
  }
  Task<ThreadContext> thread(std::string, std::string, int) override { co_return ThreadContext{}; }
};

class RunnerTest : public testing::Test {
 protected:
  static constexpr const char* kThread = "slack:C1:1.0";

  RunnerTest() {
    EXPECT_OK(registry_.add(test::search_notes(world_)));
    EXPECT_OK(registry_.add(test::restart_service(world_)));
    EXPECT_OK(registry_.add(test::run_command(world_)));
    policy::Settings settings;
    settings.policy.approvers = {{"service_tools", {"approver"}}, {"workspace_tools", {"approver"}}};
    settings.roles["approver"] = {.people = {"T1/U2"}};
    rules_ = rules_with(std::move(settings));
    open();
  }
  ~RunnerTest() override { close(); }

  static std::shared_ptr<const Rules> rules_with(policy::Settings settings) {
    auto rules = std::make_shared<Rules>();
    auto policy = policy::Policy::make(std::move(settings));
    EXPECT_OK(policy);
    rules->policy = *std::move(policy);
    rules->environments = {{"prod", {"production"}}, {"staging", {}}};
    return rules;
  }

  void change_rules(const std::function<void(Rules&)>& change) {
    auto changed = std::make_shared<Rules>(*rules_);
    change(*changed);
    rules_ = std::move(changed);
  }

  void open() {
    auto store =
        store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder_ / "data", .max_gap = kMaxWait});
    ASSERT_OK(store);
    store_ = *std::move(store);
    failing_ = std::make_unique<test::FailingStore>(*store_);
    executor_ = std::make_unique<toolkit::Executor>(clock_);
    dependencies_ = std::make_unique<RunDependencies>(
        RunDependencies{*failing_, clock_, registry_, *executor_, people_, [this] { return rules_; },
                        [this] { return model_; }, Redaction("secret"), nullptr, [this] { return fast_; }});
    runner_ = std::make_unique<Runner>(*dependencies_, loop_.get_executor());
    store_->on_change([this] {
      if (runner_) runner_->wake();
    });
    stopped_ = false;
    asio::co_spawn(loop_, runner_->run(), [this](const std::exception_ptr& thrown) {
      stopped_ = true;
      EXPECT_FALSE(thrown);
    });
  }
  void close() {
    if (!runner_) return;
    runner_->stop(std::chrono::seconds(5));
    until([&] { return stopped_; });
    runner_.reset();
    store_.reset();
  }

  void until(const std::function<bool()>& ended) {
    EXPECT_TRUE(test::run_until_within(std::chrono::seconds(20), loop_, ended)) << "it did not happen in time";
  }
  template <class T>
  T must(Task<Result<T>> task) {
    Result<T> result = test::run_on(loop_, std::move(task));
    EXPECT_OK(result);
    if constexpr (!std::is_void_v<T>) return result ? *std::move(result) : T{};
  }

  RunId asks(std::string text, const std::string& person = "slack:T1/U1") {
    Received received;
    received.text = std::move(text);
    received.requester = person;
    received.account = person;
    received.conversation = kThread;
    received.place = write_place({.channel = "slack", .id = "C1", .open_to = policy::OpenTo::members});
    const RunId run = RunId::make(clock_.now());
    const std::int64_t version = must(store_->conversation(kThread)).version;
    must(store_->admit({run.text(), kThread, version}, new_run(run, received, clock_.now()), {}));
    return run;
  }
  /// A run that nobody works on: this process has stopped.
  RunId prepared_to_die(std::string text) {
    runner_->stop(std::chrono::seconds(5));
    until([&] { return stopped_; });
    runner_.reset();
    const RunId run = asks(std::move(text));
    store_.reset();
    return run;
  }
  /// Takes a run up as a process would that dies after it has written these entries.
  void dies_after(const RunId& run, const std::vector<EntryBody>& bodies) {
    auto dying =
        store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder_ / "data", .max_gap = kMaxWait});
    ASSERT_OK(dying);
    const store::Claimed claimed = must((*dying)->claim(10, {}));
    ASSERT_EQ(claimed.leases.size(), 1U);
    ASSERT_EQ(claimed.leases[0].run, run);
    std::vector<store::EntryRow> rows;
    rows.reserve(bodies.size());
    for (const EntryBody& body : bodies) rows.push_back(encode(body, clock_.now()));
    must((*dying)->append(claimed.leases[0], 1, store::If::held, std::move(rows), {}));
  }
  RunState state_of(const RunId& run) {
    RunState state;
    for (const store::EntryRow& row : must(store_->journal(run, 1))) {
      const auto entry = decode(row);
      EXPECT_OK(entry);
      if (entry) state = fold(std::move(state), *entry);
    }
    return state;
  }
  store::RunStatus status_of(const RunId& run) {
    for (const store::RunRow& row : must(store_->runs({}))) {
      if (row.run == run) return row.state;
    }
    return store::RunStatus::open;
  }
  void until_finished(const RunId& run) {
    until([&] { return status_of(run) == store::RunStatus::finished; });
  }
  void until_parked(const RunId& run) {
    until([&] { return status_of(run) == store::RunStatus::parked; });
  }
  std::vector<store::InteractionRow> pending() { return must(store_->interactions({})); }
  void answers(const store::InteractionRow& row, interaction::State state, json::object response = {}) {
    interaction::Answered answered{row.id.text(), row.call, state, "slack:T1/U2", std::move(response), {}};
    const auto settled = state == interaction::State::approved ? store::InteractionState::approved
                         : state == interaction::State::denied ? store::InteractionState::denied
                                                               : store::InteractionState::answered;
    must(store_->answer(row.id, {settled, "{}", "slack:T1/U2", clock_.now()}, encode(answered, clock_.now()), {}));
  }

  asio::io_context loop_;
  test::TemporaryFolder folder_;
  test::ManualClock clock_;
  test::World world_ = std::make_shared<test::SampleWorld>();
  toolkit::Registry registry_;
  FakeSurroundings people_;
  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<model::Model> model_;
  std::shared_ptr<model::Model> fast_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<test::FailingStore> failing_;  // what the runner has of it
  std::unique_ptr<toolkit::Executor> executor_;
  std::unique_ptr<RunDependencies> dependencies_;
  std::unique_ptr<Runner> runner_;
  bool stopped_ = true;
};

}  // namespace deputy::run
