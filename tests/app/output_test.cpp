// What becomes of output that nobody gets, by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"

namespace deputy {
namespace {

class LostOutput : public testing::TestWithParam<std::string> {};

TEST_P(LostOutput, IsNoSuccess) {
  const test::Program deputy;
  for (const char* lost : {">/dev/full", ">&-"}) {
    const ProcessEnd end = deputy.run_in_shell(GetParam() + " " + lost);
    EXPECT_EQ(end.exit_code, 1) << lost;
    EXPECT_THAT(end.errors, testing::HasSubstr("the output could not be written")) << lost;
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, LostOutput,
                         testing::Values("ask hello", "runs list", "tools list --json", "config show", "--help"),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                           return name;
                         });

TEST(Output, OfWhatWaitsThatIsLostIsNoSuccessEither) {
  const test::Program deputy;
  EXPECT_EQ(deputy.run_in_shell("ask investigate the issue of service checkout </dev/null >/dev/full").exit_code, 1);
}

}  // namespace
}  // namespace deputy
