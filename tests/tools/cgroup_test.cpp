#include "tools/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace deputy::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct CgroupFolders : testing::Test {
  CgroupFolders() {
    for (const char* folder : {"memory/box", "pids", "unified/user.slice"})
      std::filesystem::create_directories(root / folder);
  }
  std::string mount(const std::string& name, const std::string& type, const std::string& options) const {
    return type + " " + (root / name).string() + " " + type + " rw," + options + " 0 0\n";
  }

  test::TemporaryFolder root;
};

TEST_F(CgroupFolders, OfVersion1AreOneAController) {
  const std::string mounts = mount("memory", "cgroup", "memory") + mount("pids", "cgroup", "pids") +
                             mount("cpu", "cgroup", "cpu,cpuacct") + "proc /proc proc rw 0 0\n";
  EXPECT_THAT(cgroup_places("8:pids:/\n4:memory:/box\n1:cpu,cpuacct:/\n", mounts),
              ElementsAre(CgroupPlace{root / "memory/box", "memory.limit_in_bytes", "", false},
                          CgroupPlace{root / "pids", "", "pids.max", false}));
}

TEST_F(CgroupFolders, OfVersion2AreOneForAll) {
  EXPECT_THAT(cgroup_places("0::/user.slice\n", mount("unified", "cgroup2", "nsdelegate")),
              ElementsAre(CgroupPlace{root / "unified/user.slice", "memory.max", "pids.max", true}));
}

TEST_F(CgroupFolders, AreThoseThatAreSeenInAContainerWhoseOwnPathIsNot) {
  EXPECT_THAT(cgroup_places("4:memory:/machine/box7\n", mount("memory", "cgroup", "memory")),
              ElementsAre(CgroupPlace{root / "memory", "memory.limit_in_bytes", "", false}));
}

TEST_F(CgroupFolders, AreNoneWhereNoneAreMounted) {
  EXPECT_THAT(cgroup_places("", ""), IsEmpty());
  EXPECT_THAT(cgroup_places("0::/\nnonsense\n:::", "x\nproc /proc proc rw\n"), IsEmpty());
}

TEST(Cgroup, IsGoneWithItsObject) {
  std::vector<std::string> files;
  {
    const std::optional<Cgroup> group = Cgroup::make(64UL << 20, 10);
    if (!group) GTEST_SKIP() << "no control group can be made";
    files = group->files_to_join();
    for (const std::string& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
  for (const std::string& file : files) EXPECT_FALSE(std::filesystem::exists(file)) << file;
}

TEST(Cgroup, EndsWhatIsLeftInIt) {
  std::optional<Cgroup> group = Cgroup::make(64UL << 20, 10);
  if (!group) GTEST_SKIP() << "no control group can be made";
  const pid_t child = fork();
  if (child == 0) {
    setsid();  // out of every group and session that is told
    pause();
    _exit(0);
  }
  for (const std::string& file : group->files_to_join()) std::ofstream(file) << child;
  group.reset();
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace deputy::tools
