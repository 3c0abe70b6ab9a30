// Several processes on one file, each working for its own conversations.
#include <gtest/gtest.h>

#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

class Reach : public SqliteTest {
 protected:
  SqliteOptions reaching(std::string beginning) const {
    SqliteOptions all = options();
    all.reach = {std::move(beginning)};
    return all;
  }
  DeliveryRow owed(std::string conversation) const {
    return {.id = DeliveryId::make(clock_.now()),
            .conversation = std::move(conversation),
            .kind = "notice",
            .body = "{}",
            .owed_at = clock_.now()};
  }
};

TEST_F(Reach, OnlyRunsOfItsConversationsAreClaimed) {
  const auto terminal = open(reaching("terminal:ana:"));
  const auto everything = open();
  const RunId other = start(*terminal, new_run("slack:T1:C1:1.0"));
  const RunId own = start(*terminal, new_run("terminal:ana:1"));
  const Claimed claimed = must(terminal->claim(10, {}));
  ASSERT_EQ(claimed.leases.size(), 1U);
  EXPECT_EQ(claimed.leases[0].run, own);
  const Claimed rest = must(everything->claim(10, {}));
  ASSERT_EQ(rest.leases.size(), 1U);
  EXPECT_EQ(rest.leases[0].run, other);
}

TEST_F(Reach, OnlyDeliveriesOfItsConversationsAreTaken) {
  const auto terminal = open(reaching("terminal:ana:"));
  Effects effects;
  effects.deliveries = {owed("slack:T1:C1:1.0"), owed("terminal:ana:1"), owed("terminal:bo:1")};
  start(*terminal, new_run("terminal:ana:1"), effects);
  const std::vector<DeliveryRow> taken = must(terminal->take_deliveries(10));
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].conversation, "terminal:ana:1");
}

TEST_F(Reach, AChildRunLivesWhereItsParentDoes) {
  const auto home = open();
  const auto other = open();
  NewRunRow run = new_run("terminal:ana:1");
  run.home = home->instance();
  const Lease lease = working_run(*home, run);
  NewRunRow child = new_run("terminal:ana:1");
  child.parent = run.run;
  Effects effects;
  effects.children = {child};
  must(home->append(lease, 1, If::held, {entry("delegated")}, std::move(effects)));
  EXPECT_TRUE(must(other->claim(10, {})).leases.empty());
  EXPECT_EQ(must(home->claim(10, {})).leases.size(), 1U);
}

}  // namespace
}  // namespace deputy::store
