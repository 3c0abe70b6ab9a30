// Every query that runs often finds its rows by an index: with a hundred thousand runs in the file nothing is looked
// for row by row.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "store/sqlite/connect.h"
#include "store/sqlite/forgetting.h"
#include "store/sqlite/interactions.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/keeping.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/marks.h"
#include "store/sqlite/outbound.h"
#include "store/sqlite/removing.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

// Steps that read all there is of something that is small, whatever is in the file. What is not named here is found.
const std::set<std::string> kKnownScans{
    "SCAN CONSTANT ROW",
    "SCAN heartbeat",                    // one row
    "SCAN brake",                        // one row
    "SCAN runs USING INDEX runs_ready",  // what waits for an owner, oldest first, and no further than asked
    "SCAN interactions USING INDEX interactions_waiting",  // what is pending, newest first, likewise
    "SCAN search VIRTUAL TABLE INDEX 0:=",                 // one row, by its number
};

class QueryPlans : public testing::Test {
 protected:
  QueryPlans() {
    auto connected = connect(folder_ / "deputy.db", migrations(), nullptr);
    EXPECT_OK(connected);
    database_ = *std::move(connected);
    EXPECT_OK(migrate(database_, folder_ / "deputy.db", migrations(), Others::none));
    auto locks = InstanceLocks::take(folder_.path(), InstanceId::make(now_));
    EXPECT_OK(locks);
    locks_ = *std::move(locks);
  }

  /// The steps of all statements `work` runs that look at a whole table.
  std::set<std::string> whole_tables(const std::function<void(Transaction&)>& work) {
    std::set<std::string> statements;
    sqlite3_trace_v2(
        database_.handle(), SQLITE_TRACE_STMT,
        [](unsigned, void* all, void* statement, void*) {
          static_cast<std::set<std::string>*>(all)->insert(sqlite3_sql(static_cast<sqlite3_stmt*>(statement)));
          return 0;
        },
        &statements);
    Transaction in{database_, locks_, now_};
    work(in);
    sqlite3_trace_v2(database_.handle(), 0, nullptr, nullptr);
    EXPECT_FALSE(statements.empty());
    std::set<std::string> found;
    for (const std::string& sql : statements) {
      sqlite3_stmt* plan = nullptr;
      const std::string explain = "EXPLAIN QUERY PLAN " + sql;
      if (sqlite3_prepare_v2(database_.handle(), explain.c_str(), -1, &plan, nullptr) != SQLITE_OK) continue;
      while (sqlite3_step(plan) == SQLITE_ROW) {
        const std::string step = reinterpret_cast<const char*>(sqlite3_column_text(plan, 3));
        const bool whole = step.starts_with("SCAN") && !kKnownScans.contains(step);
        const bool sorts = step.contains("USE TEMP B-TREE");
        if (whole || sorts) found.insert(fmt::format("{} in {}", step, sql));
      }
      sqlite3_finalize(plan);
    }
    return found;
  }

  static Timestamp now() { return from_millis(1'700'000'000'000); }

  test::TemporaryFolder folder_;
  const Timestamp now_ = now();
  sqlite::Connection database_;
  InstanceLocks locks_;
};

TEST_F(QueryPlans, OfWritesUseAnIndex) {
  const RunId run = RunId::make(now_);
  const NewRunRow row{run, "c", "ana", {0, now_, "received", 1, ""}};
  InteractionRow asked;
  asked.id = InteractionId::make(now_);
  asked.run = run;
  asked.conversation = "c";
  DeliveryRow delivery;
  delivery.id = DeliveryId::make(now_);
  delivery.conversation = "c";
  const auto steps = whole_tables([&](Transaction& in) {
    EXPECT_OK(
        admit(in, {"m1", "c", 0}, row,
              {.interactions = {{asked, {{"t", ""}}}},
               .deliveries = {delivery},
               .dues = {{"expiry", "e", now_}, {"deadline", "d", now_, MailRow{run, {0, now_, "woken", 1, ""}}}}}));
    const auto claimed = claim(in, 1, {});
    ASSERT_OK(claimed);
    EXPECT_OK(append(in, claimed->leases.at(0), 1, If::unchanged, {{0, now_, "asked", 1, ""}},
                     {.run = RunChange{RunStatus::parked}}));
    EXPECT_OK(answer(in, asked.id, {InteractionState::approved, "", "bo", now_}, {0, now_, "answered", 1, ""}, {}));
    EXPECT_OK(release(in, claimed->leases.at(0)));
    EXPECT_OK(take_due(in, 10));
    const auto taken = take_deliveries(in, 10);
    ASSERT_OK(taken);
    EXPECT_OK(change_delivery(in, {taken->at(0).id, DeliveryState::sent, "", now_}));
    EXPECT_OK(remove_old(in, {-1h, -1h, -1h, -1h}, 10));
    EXPECT_OK(hold(in, "telegram"));
    EXPECT_OK(let_go(in, "telegram"));
    EXPECT_OK(read_journal(in.database, run, 1));
    EXPECT_OK(add_downtime(in));
  });
  EXPECT_THAT(steps, testing::IsEmpty());
}

TEST_F(QueryPlans, ClaimingCostsNothingPerLiveRun) {
  Transaction in{database_, locks_, now_};
  std::int64_t steps = 0;
  const auto cost = [&](int held) {
    for (int i = 0; i < held; ++i) {
      const RunId run = RunId::make(now_);
      EXPECT_OK(
          admit(in, {run.text(), run.text(), 0}, NewRunRow{run, run.text(), "ana", {0, now_, "received", 1, ""}}, {}));
    }
    EXPECT_OK(claim(in, held, {}));
    steps = 0;
    sqlite3_progress_handler(
        database_.handle(), 1, [](void* count) { return ++*static_cast<std::int64_t*>(count), 0; }, &steps);
    const auto claimed = claim(in, 10, {});
    sqlite3_progress_handler(database_.handle(), 0, nullptr, nullptr);
    EXPECT_OK(claimed);
    if (claimed) EXPECT_EQ(claimed->leases.size() + claimed->has_mail.size(), 0U);
    return steps;
  };
  const std::int64_t few = cost(3);
  EXPECT_GT(few, 0);
  EXPECT_LE(cost(500), few + 5);
}

TEST_F(QueryPlans, OfKeepingAndForgettingUseAnIndex) {
  const NewRunRow row{RunId::make(now_), "c", "ana", {0, now_, "received", 1, ""}};
  const auto steps = whole_tables([&](Transaction& in) {
    EXPECT_OK(admit(in, {"m1", "c", 0}, row, {.texts = {{"abc", "prompt"}}}));
    const auto claimed = claim(in, 1, {});
    ASSERT_OK(claimed);
    EXPECT_OK(append(in, claimed->leases.at(0), 1, If::unchanged, {{0, now_, "finished", 1, "words"}},
                     {.run = RunChange{RunStatus::finished}}));
    EXPECT_OK(forget(in, {.conversation = "c"}, {}, 10));
    EXPECT_OK(forget(in, {.person = "ana"}, {}, 10));
    EXPECT_OK(wipe_step(in));
    EXPECT_EQ(owed_emptying(in.database), 0);
    EXPECT_OK(remove_old(in, {-1h, -1h, -1h, -1h}, 10));
    EXPECT_OK(read_spent(in.database, "2026-11-15", "2026-11-15"));
  });
  // A row of the index by its number, and what the index reads of its own.
  for (const std::string& step : steps)
    EXPECT_THAT(step, testing::AnyOf(testing::HasSubstr("search VIRTUAL TABLE INDEX 0:="),
                                     testing::HasSubstr("FROM 'main'.'search_config'")));
}

TEST_F(QueryPlans, OfReadsUseAnIndex) {
  const RunId run = RunId::make(now_);
  const auto steps = whole_tables([&](Transaction& in) {
    EXPECT_OK(read_conversation(in.database, "c"));
    for (const bool pending_only : {true, false}) {
      EXPECT_OK(read_interactions(in.database, {.run = run, .pending_only = pending_only}));
      EXPECT_OK(read_interactions(in.database, {.conversation = "c", .pending_only = true}));
      EXPECT_OK(read_interactions(in.database, {.code = "K7", .pending_only = pending_only}));
    }
    EXPECT_OK(read_interactions(in.database, {}));
    EXPECT_OK(read_interactions(in.database, {.id = InteractionId::make(now_), .pending_only = false}));
    EXPECT_OK(read_brake(in.database));
    EXPECT_FAILS(read_text_by_digest(in.database, "d"), not_found);
    EXPECT_OK(read_runs(in.database, {.run = run}));
    EXPECT_OK(read_runs(in.database, {.run = run, .conversation = "c"}));
    EXPECT_OK(read_runs(in.database, {.conversation = "c"}));
    EXPECT_OK(read_runs(in.database, {.requester = "ana"}));
    EXPECT_OK(read_runs(in.database, {.parent = run}));
    EXPECT_OK(read_runs(in.database, {.before = run}));
    EXPECT_OK(read_grants(in.database, {.conversation = "c"}, now_));
    EXPECT_OK(read_grants(in.database, {.holder = "ana"}, now_));
    EXPECT_OK(read_audit(in.database, {.run = run}));
    EXPECT_OK(read_audit(in.database, {.person = "ana"}));
    EXPECT_OK(read_audit(in.database, {.before = 7}));
    EXPECT_OK(read_deliveries(in.database, {.run = run}));
    EXPECT_OK(read_deliveries(in.database, {.interaction = InteractionId::make(now_)}));
    EXPECT_FAILS(read_token(in.database, "t"), not_found);
    EXPECT_FAILS(read_result(in.database, run, "call"), not_found);
  });
  EXPECT_THAT(steps, testing::IsEmpty());
}

// Nobody waits for these but a person who looks at a list. They read from the newest on, and end where the list does;
// where little matches they read on.
TEST_F(QueryPlans, OfListsByWhatHasNoIndexReadFromTheNewestOn) {
  const auto steps = whole_tables([&](Transaction& in) {
    EXPECT_OK(read_runs(in.database, {}));
    EXPECT_OK(read_runs(in.database, {.state = RunStatus::parked}));
    EXPECT_OK(read_interactions(in.database, {.conversation = "c", .pending_only = false}));
    EXPECT_OK(read_interactions(in.database, {.pending_only = false}));
    EXPECT_OK(read_grants(in.database, {}, now_));
    EXPECT_OK(read_grants(in.database, {.live_only = false}, now_));
  });
  std::set<std::string> scans;
  for (const std::string& step : steps) scans.insert(step.substr(0, step.find(" in ")));
  EXPECT_THAT(scans, testing::UnorderedElementsAre("SCAN runs", "SCAN interactions", "SCAN grants"));
}

TEST_F(QueryPlans, OfMarksAndCursorsUseAnIndex) {
  const auto steps = whole_tables([&](Transaction& in) {
    EXPECT_OK(put_mark(in, {.kind = "mute", .key = "c", .conversation = "c", .at = now_, .ends_at = now_ + 1h}));
    EXPECT_OK(end_mark(in, {"mute", "other"}));
    EXPECT_OK(set_cursor(in, "slack", "1"));
    EXPECT_OK(read_marks(in.database, {.kind = "mute", .keys = {"c"}, .conversation = "c"}, now_));
    EXPECT_OK(read_cursor(in.database, "slack"));
  });
  EXPECT_EQ(steps, std::set<std::string>{});
}

TEST_F(QueryPlans, OfConversationsToReadBackStopEarly) {
  const auto steps = whole_tables(
      [&](Transaction& in) { EXPECT_OK(read_active_conversations(in.database, "slack", now_ - 24h, 10)); });
  // Both are read in the order of their index, until there are enough or one is too old.
  for (const std::string& step : steps) {
    EXPECT_FALSE(step.contains("USE TEMP B-TREE")) << step;
    EXPECT_TRUE(step.starts_with("SCAN runs USING INDEX runs_unfinished in ") || step.starts_with("SCAN runs in "))
        << step;
  }
}

}  // namespace
}  // namespace deputy::store
