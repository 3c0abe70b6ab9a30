#include "base/failpoint.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace deputy {
namespace {

struct End {
  bool killed;
  int code;  // signal, or exit code

  bool operator==(const End&) const = default;
};

// Passes `first` twice and `second` three times in a process of its own, with DEPUTY_FAILPOINT set, and reports where
// it got to.
End run_with(const char* chosen) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (chosen == nullptr) {
      unsetenv("DEPUTY_FAILPOINT");
    } else {
      setenv("DEPUTY_FAILPOINT", chosen, 1);
    }
    for (int i = 0; i < 2; ++i) failpoint("test.first");
    for (int i = 0; i < 3; ++i) failpoint("test.second");
    _exit(7);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFSIGNALED(status) ? End{true, WTERMSIG(status)} : End{false, WEXITSTATUS(status)};
}

constexpr End kKilled{true, SIGKILL};
constexpr End kWentThrough{false, 7};

TEST(Failpoint, KillsTheProcessAtTheChosenPoint) {
  EXPECT_EQ(run_with("test.first"), kKilled);
  EXPECT_EQ(run_with("test.second"), kKilled);
}

TEST(Failpoint, KillsTheProcessAtTheChosenTime) {
  EXPECT_EQ(run_with("test.second:3"), kKilled);
  EXPECT_EQ(run_with("test.first:2"), kKilled);
  EXPECT_EQ(run_with("test.first:3"), kWentThrough);
  EXPECT_EQ(run_with("test.second:4"), kWentThrough);
}

TEST(Failpoint, DoesNothingElsewhere) {
  EXPECT_EQ(run_with(nullptr), kWentThrough);
  EXPECT_EQ(run_with(""), kWentThrough);
  EXPECT_EQ(run_with("test.other"), kWentThrough);
  EXPECT_EQ(run_with("test.firs"), kWentThrough);
}

}  // namespace
}  // namespace deputy
