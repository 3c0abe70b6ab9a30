// `deputy pause` and `resume`, by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"

namespace deputy {
namespace {

using testing::HasSubstr;

TEST(Brake, NothingIsBegunUntilItIsTakenOff) {
  const test::Program deputy;
  EXPECT_EQ(deputy.run({"pause"}).output, "paused: `deputy resume` ends the pause\n");
  const ProcessEnd refused = deputy.run({"ask", "hello"});
  EXPECT_EQ(refused.exit_code, 3) << refused.output;
  EXPECT_THAT(refused.errors, HasSubstr("I was paused by "));
  EXPECT_EQ(deputy.run({"tools", "call", "list_background_tasks"}).exit_code, 3);
  EXPECT_EQ(deputy.run({"resume"}).output, "resumed\n");
  EXPECT_EQ(deputy.run({"ask", "hello"}).exit_code, 0);
  EXPECT_EQ(deputy.run({"resume"}).output, "Deputy was not paused\n");
}

TEST(Brake, AuditSaysWhoPausedAndWhoResumed) {
  const test::Program deputy;
  deputy.run({"pause", "--writes"});
  deputy.run({"resume"});
  const std::string trail = deputy.run({"audit"}).output;
  EXPECT_THAT(trail, HasSubstr("paused"));
  EXPECT_THAT(trail, HasSubstr("resumed"));
}

}  // namespace
}  // namespace deputy
