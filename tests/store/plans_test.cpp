// Every query that runs often finds its rows by an index: with a hundred thousand runs in the file nothing is looked
// for row by row.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "store/sqlite/connect.h"
#include "store/sqlite/interactions.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/keeping.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/outbound.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

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
        const bool whole = step.starts_with("SCAN") && !step.contains("USING") && !step.contains("CONSTANT ROW") &&
                           step != "SCAN heartbeat";
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
  });
  EXPECT_THAT(steps, testing::IsEmpty());
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
    EXPECT_OK(read_runs(in.database, {.conversation = "c"}));
    EXPECT_OK(read_runs(in.database, {.requester = "ana"}));
    EXPECT_OK(read_runs(in.database, {.parent = run}));
    EXPECT_OK(read_runs(in.database, {.before = run}));
    EXPECT_OK(read_grants(in.database, {.conversation = "c"}, now_));
    EXPECT_OK(read_grants(in.database, {.holder = "ana"}, now_));
    EXPECT_OK(read_audit(in.database, {.run = run}));
    EXPECT_OK(read_audit(in.database, {.person = "ana"}));
    EXPECT_OK(read_audit(in.database, {.after = 7}));
    EXPECT_OK(read_deliveries(in.database, {.run = run}));
    EXPECT_OK(read_deliveries(in.database, {.interaction = InteractionId::make(now_)}));
    EXPECT_FAILS(read_token(in.database, "t"), not_found);
    EXPECT_FAILS(read_result(in.database, run, "call"), not_found);
  });
  EXPECT_THAT(steps, testing::IsEmpty());
}

}  // namespace
}  // namespace deputy::store
