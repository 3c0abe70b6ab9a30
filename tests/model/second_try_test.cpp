// What is left out when an API refuses a request because of it.
#include "model/second_try.h"

#include <gtest/gtest.h>

#include "model/written.h"

namespace deputy::model {
namespace {

constexpr unsigned kAll = kTemperature | kEffort | kThinking | kFormat | kCacheMarks | kLongReply;

struct Row {
  std::string name;
  int status;
  std::string said;
  unsigned left_out;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class SecondTryTest : public testing::TestWithParam<Row> {};

TEST_P(SecondTryTest, LeavesOutWhatIsNamed) {
  const Row& row = GetParam();
  SecondTry second_try;
  Request request = test::asks("why?");
  EXPECT_EQ(second_try.may_help(row.status, row.said, kAll, request), row.left_out != 0);
  for (const OptionalField field : {kTemperature, kEffort, kThinking, kFormat, kCacheMarks, kLongReply})
    EXPECT_EQ(second_try.sends(field), (row.left_out & field) == 0) << field;
  EXPECT_FALSE(second_try.may_help(row.status, row.said, row.left_out, request)) << "once";
}

INSTANTIATE_TEST_SUITE_P(
    Refusals, SecondTryTest,
    testing::Values(Row{"Temperature", 400, "temperature: Extra inputs are not permitted", kTemperature},
                    Row{"Effort", 400, "Unsupported parameter: 'reasoning.effort'", kEffort},
                    Row{"AllOfAConfig", 400, "output_config: Extra inputs are not permitted", kEffort | kFormat},
                    Row{"Format", 422, "response_format is not supported", kFormat},
                    Row{"Marks", 400, "system.0.cache_control: Extra inputs are not permitted", kCacheMarks},
                    Row{"ALongReply", 400, "max_tokens: 16000 > 4096, which is the maximum allowed", kLongReply},
                    Row{"AnythingElse", 400, "messages: at least one message is required", 0},
                    Row{"ABusyServer", 429, "too many requests with thinking", 0}),
    [](const auto& row) { return row.param.name; });

TEST(SecondTry, AsksForAShorterReplyOnceALongOneWasRefused) {
  SecondTry second_try;
  EXPECT_EQ(second_try.reply_tokens(16'000), 16'000);
  Request request = test::asks("why?");
  EXPECT_TRUE(second_try.may_help(400, "max_tokens: too large", SecondTry::long_reply(16'000), request));
  EXPECT_EQ(second_try.reply_tokens(16'000), 4096);
  EXPECT_EQ(second_try.reply_tokens(100), 100);
}

}  // namespace
}  // namespace deputy::model
