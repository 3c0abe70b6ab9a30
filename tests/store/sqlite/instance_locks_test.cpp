// Who is alive, by the locks that the kernel lets go of.
#include <gtest/gtest.h>

#include "store/sqlite/data_folder.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

class Locks : public testing::Test {
 protected:
  static InstanceId new_id() { return InstanceId::make(SystemClock{}.now()); }
  InstanceLocks take(InstanceId id) {
    auto locks = InstanceLocks::take(folder_.path(), id);
    EXPECT_OK(locks);
    return *std::move(locks);
  }
  std::filesystem::path lock_file(const std::string& id) const { return folder_ / ("instances/" + id + ".lock"); }

  test::TemporaryFolder folder_;
};

TEST_F(Locks, AnInstanceIsAliveToItselfAndAloneAtFirst) {
  const InstanceId id = new_id();
  const InstanceLocks self = take(id);
  EXPECT_EQ(self.self(), id);
  EXPECT_TRUE(self.is_alive(id.text()));
  EXPECT_FALSE(self.others_are_alive());
}

TEST_F(Locks, AnotherOneIsAliveAsLongAsItHoldsItsLock) {
  const InstanceLocks self = take(new_id());
  const InstanceId other = new_id();
  {
    const InstanceLocks locks = take(other);
    EXPECT_TRUE(self.is_alive(other.text()));
    EXPECT_TRUE(self.others_are_alive());
  }
  EXPECT_FALSE(self.is_alive(other.text()));
  EXPECT_FALSE(self.others_are_alive());
}

TEST_F(Locks, TheLockFileOfTheDeadIsRemoved) {
  const InstanceLocks self = take(new_id());
  const std::string dead = new_id().text();
  folder_.write("instances/" + dead + ".lock", "");
  EXPECT_FALSE(self.is_alive(dead));
  EXPECT_FALSE(std::filesystem::exists(lock_file(dead)));
  folder_.write("instances/" + dead + ".lock", "");
  EXPECT_FALSE(self.others_are_alive());
  EXPECT_FALSE(std::filesystem::exists(lock_file(dead)));
}

TEST_F(Locks, AMovedLockIsHeldOnce) {
  const InstanceLocks self = take(new_id());
  const InstanceId other = new_id();
  InstanceLocks locks = take(other);
  {
    const InstanceLocks moved = std::move(locks);
    EXPECT_TRUE(self.is_alive(other.text()));
  }
  EXPECT_FALSE(self.is_alive(other.text()));
}

TEST_F(Locks, AMadeUpIdIsDeadAndTouchesNothing) {
  const InstanceLocks self = take(new_id());
  const auto outside = folder_.write("x.lock", "kept");
  for (const std::string& made_up : {"../x", "", ".", "/", "x", "../../../etc/passwd", "01ARZ3NDEKTSV4RRFFQ69G5FA\n"}) {
    EXPECT_FALSE(self.is_alive(made_up)) << made_up;
  }
  EXPECT_EQ(test::read_file(outside), "kept");
}

TEST_F(Locks, OtherFilesInTheFolderAreNobody) {
  const InstanceLocks self = take(new_id());
  const auto kept = folder_.write("instances/notes.lock", "kept");
  folder_.write("instances/" + new_id().text() + ".new", "");
  EXPECT_FALSE(self.others_are_alive());
  EXPECT_TRUE(std::filesystem::exists(kept));
}

}  // namespace
}  // namespace deputy::store
