#include "policy/loose_readings.h"

#include <gmock/gmock.h>

namespace deputy::policy {
namespace {

TEST(LooseReadings, TakeOffWhateverMayHideACommand) {
  EXPECT_THAT(loose_readings("a"), testing::ElementsAre("a"));
  EXPECT_THAT(loose_readings(" r''m\t -\\rf  / ; b"), testing::ElementsAre("rm -rf /\nb"));
  EXPECT_THAT(loose_readings("echo $(rm x)"), testing::ElementsAre("echo\nrm x\n"));
  EXPECT_THAT(loose_readings("rm$IFS-rf${IFS}x"), testing::Contains("rm -rf x"));
  EXPECT_THAT(loose_readings("r${Z}m x"), testing::Contains("rm x"));
  EXPECT_THAT(loose_readings("{rm,-rf,x}"), testing::Contains("rm -rf x"));
  EXPECT_THAT(loose_readings("r\\\nm x"), testing::ElementsAre("rm x"));
}

}  // namespace
}  // namespace deputy::policy
