// One run that ends whatever process works on it must not take its neighbours with it.
#include <gmock/gmock.h>

#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

class AfterCrash : public SqliteTest {
 protected:
  std::vector<RunId> start_many(Store& store, int many) {
    std::vector<RunId> runs;
    for (int i = 0; i < many; ++i) {
      runs.push_back(start(store, new_run("slack:T1:C1:" + std::to_string(i))));
      clock_.advance(std::chrono::milliseconds(1));
    }
    return runs;
  }
  static std::vector<RunId> runs_of(const Claimed& claimed) {
    std::vector<RunId> runs;
    for (const Lease& lease : claimed.leases) runs.push_back(lease.run);
    return runs;
  }
  std::vector<RunId> claim(Store& store, ClaimFilter filter = {}) {
    return runs_of(must(store.claim(100, std::move(filter))));
  }
};

TEST_F(AfterCrash, AFewAreTakenUpAtATime) {
  std::vector<RunId> runs;
  {
    const auto dying = open();
    runs = start_many(*dying, 20);
    EXPECT_EQ(claim(*dying).size(), 20U) << "new ones are taken as they come";
  }
  const auto store = open();
  const RunId fresh = start(*store, new_run("slack:T1:C1:new"));
  std::vector<RunId> expected(runs.begin(), runs.begin() + kMaxAfterCrash);
  expected.push_back(fresh);
  EXPECT_EQ(claim(*store), expected);
  EXPECT_THAT(claim(*store, {.after_crash = 0}), testing::IsEmpty());
  EXPECT_THAT(claim(*store, {.after_crash = 2}), testing::ElementsAre(runs[8], runs[9]));
}

TEST_F(AfterCrash, ThoseAtWorkInSeveralComeLastAndAlone) {
  std::vector<RunId> runs;
  {
    const auto dying = open();
    runs = start_many(*dying, 10);
    claim(*dying);
  }
  {
    const auto dying = open();
    EXPECT_EQ(claim(*dying).size(), 8U);
  }
  const auto store = open();
  const RunId fresh = start(*store, new_run("slack:T1:C1:new"));
  EXPECT_THAT(claim(*store), testing::ElementsAre(runs[8], runs[9], fresh));
  EXPECT_THAT(claim(*store, {.after_crash = 6}), testing::IsEmpty()) << "those two have not got further";
  const RunId later = start(*store, new_run("slack:T1:C1:later"));
  const Claimed alone = must(store->claim(100, {}));
  EXPECT_THAT(runs_of(alone), testing::ElementsAre(runs[0]));
  EXPECT_EQ(alone.leases.at(0).crashes, 2);
  EXPECT_THAT(claim(*store, {.after_crash = 7}), testing::ElementsAre(later));
}

TEST_F(AfterCrash, OneThatWaitedOrWasReleasedIsNoSuspectAnyMore) {
  for (const bool parks : {true, false}) {
    const RunId run = start(*open(), new_run());
    for (int crash = 0; crash < 2; ++crash) EXPECT_THAT(claim(*open()), testing::ElementsAre(run));
    {
      const auto store = open();
      const Claimed claimed = must(store->claim(1, {}));
      ASSERT_EQ(claimed.leases.size(), 1U);
      const Lease lease = claimed.leases[0];
      EXPECT_EQ(lease.crashes, 2);
      if (parks) {
        must(store->append(lease, 1, If::unchanged, {}, {.run = RunChange{RunStatus::parked}}));
        must(store->mail({run, entry("noted")}, {}));
      } else {
        must(store->release(lease, {}));
      }
    }
    const auto store = open();
    const Claimed claimed = must(store->claim(1, {}));
    ASSERT_EQ(claimed.leases.size(), 1U);
    EXPECT_EQ(claimed.leases[0].crashes, 0);
    must(store->append(claimed.leases[0], parks ? 2 : 1, If::unchanged, {}, {.run = RunChange{RunStatus::finished}}));
  }
}

}  // namespace
}  // namespace deputy::store
