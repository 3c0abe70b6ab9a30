#include "app/logging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::app {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Logging, NoSecretReachesTheLog) {
  std::string logged;
  log::set_sink([&](std::string_view line) { logged += line; });
  keep_secrets_out_of_the_log();
  log::error("cannot sign in with password=hunter2-and-more",
             {{"header", "Authorization: Bearer abcdef0123456789abcdef"}, {"host", "api"}});
  log::set_filter({});
  log::set_sink({});
  EXPECT_THAT(logged, Not(HasSubstr("hunter2")));
  EXPECT_THAT(logged, Not(HasSubstr("abcdef0123456789")));
  EXPECT_THAT(logged, HasSubstr("[redacted:"));
  EXPECT_THAT(logged, HasSubstr("host=api"));
}

}  // namespace
}  // namespace deputy::app
