#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/redaction.h"

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

TEST(Logging, AValueIsASecretByItsName) {
  std::string logged;
  log::set_sink([&](std::string_view line) { logged += line; });
  keep_secrets_out_of_the_log();
  for (const log::Format format : {log::Format::text, log::Format::json}) {
    log::set_format(format);
    log::info("signing in", {{"password", "winter-in-berlin"}, {"user", "ana"}});
  }
  log::set_format(log::Format::text);
  log::set_filter({});
  log::set_sink({});
  EXPECT_THAT(logged, Not(HasSubstr("winter-in-berlin")));
  EXPECT_THAT(logged, HasSubstr("user=ana"));
  EXPECT_THAT(logged, HasSubstr(R"("user":"ana")"));
}

}  // namespace
}  // namespace deputy::app
