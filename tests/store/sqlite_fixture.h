// A SQLite store in a folder of its own, over a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "store/sqlite/sqlite_store.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::store {

class SqliteFixture : public test::OnLoop {
 public:
  static constexpr const char* kThread = "slack:T1:C1:1.0";

  // Tests move the clock by hours between two looks: that is no gap unless a test is about gaps.
  static constexpr std::chrono::hours kNoGap{24 * 365 * 10};

  SqliteOptions options() const { return {.folder = data(), .max_gap = kNoGap}; }
  std::filesystem::path data() const { return folder_ / "data"; }
  std::filesystem::path file() const { return data() / "deputy.db"; }

  Result<std::unique_ptr<SqliteStore>> try_open(SqliteOptions options) {
    return SqliteStore::open(loop_.get_executor(), clock_, std::move(options));
  }
  std::unique_ptr<SqliteStore> open(SqliteOptions options) {
    auto store = try_open(std::move(options));
    EXPECT_OK(store);
    return store ? *std::move(store) : nullptr;
  }
  std::unique_ptr<SqliteStore> open() { return open(options()); }

  EntryRow entry(std::string kind, std::string body = "{}") const {
    return {0, clock_.now(), std::move(kind), 1, std::move(body)};
  }
  NewRunRow new_run(std::string conversation = kThread, std::string requester = "ana", std::string body = "{}") const {
    return {RunId::make(clock_.now()), std::move(conversation), std::move(requester),
            entry("received", std::move(body))};
  }
  InboundRow message(Store& store, std::string key, std::string conversation = kThread) {
    const std::int64_t version = must(store.conversation(conversation)).version;
    return {std::move(key), std::move(conversation), version};
  }
  RunId start(Store& store, const NewRunRow& run, Effects effects = {}) {
    must(store.admit(message(store, run.run.text(), run.conversation), run, std::move(effects)));
    return run.run;
  }
  /// Starts a run and takes it.
  Lease working_run(Store& store, const NewRunRow& run) {
    start(store, run);
    const Claimed claimed = must(store.claim(1, {}));
    EXPECT_EQ(claimed.leases.size(), 1U);
    return claimed.leases.empty() ? Lease{} : claimed.leases.front();
  }
  NewInteractionRow question(const RunId& run, std::string body = "{}") const {
    InteractionRow row;
    row.id = InteractionId::make(clock_.now());
    row.run = run;
    row.call = "call-1";
    row.conversation = kThread;
    row.kind = "approval";
    row.body = std::move(body);
    row.created_at = clock_.now();
    row.expires_at = clock_.now() + std::chrono::minutes(30);
    return {row, {}};
  }
  AnswerRow approved_by(std::string person) const {
    return {InteractionState::approved, "{}", std::move(person), clock_.now()};
  }

  test::TemporaryFolder folder_;
  test::ManualClock clock_;
};

class SqliteTest : public testing::Test, public SqliteFixture {};

}  // namespace deputy::store
