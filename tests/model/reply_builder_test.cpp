// Calls as they come, and what is said of those that cannot be run.
#include "model/reply_builder.h"

#include <gtest/gtest.h>

#include "model/heard.h"
#include "support/results.h"

namespace deputy::model {
namespace {

constexpr const char* kInstead =
    R"(; send them as one JSON object, such as {"name": "value"}, or {} where there are none)";

struct Row {
  std::string name;
  std::string tool;
  std::string arguments;
  Call expected;
};

class BuiltCall : public testing::TestWithParam<Row> {};

TEST_P(BuiltCall, Is) {
  ReplyBuilder builder(Calls::allowed, {});
  ASSERT_OK(builder.call("c", GetParam().tool, GetParam().arguments));
  const auto reply = std::move(builder).finish(Ending::done, {});
  ASSERT_OK(reply);
  EXPECT_EQ(reply->blocks, std::vector<Block>{GetParam().expected});
  EXPECT_EQ(reply->stop, Stop::calls);
}

Row broken(std::string name, std::string arguments, const std::string& why) {
  return {std::move(name), "f", std::move(arguments),
          Call{"c", "f", {}, "the arguments cannot be read: " + why + kInstead}};
}

Row unnamed(std::string name, std::string tool, std::string arguments) {
  return {std::move(name), std::move(tool), std::move(arguments),
          Call{"c", "unnamed_tool", {}, "the call names no tool; send it again with the name of one"}};
}

INSTANTIATE_TEST_SUITE_P(
    Of, BuiltCall,
    testing::Values(Row{"AnObject", "f", R"( {"a": 1} )", {"c", "f", {{"a", 1}}}}, Row{"Nothing", "f", "", {"c", "f"}},
                    Row{"Space", "f", " \n", {"c", "f"}}, Row{"Null", "f", " null ", {"c", "f"}},
                    broken("AText", R"("{}")", "expected a JSON object, got: text"),
                    broken("AList", "[1]", "expected a JSON object, got: list"),
                    broken("ANumber", "7", "expected a JSON object, got: whole number"),
                    broken("HalfAnObject", R"({"a": 1)", "not valid JSON near byte 7: incomplete JSON"),
                    broken("Prose", "all of them", "not valid JSON near byte 0: syntax error"),
                    unnamed("NoName", "", R"({"a": 1})"), unnamed("ABlankName", " ", "{}"),
                    unnamed("NoNameAndHalfAnObject", "", "{")),
    [](const auto& row) { return row.param.name; });

std::string finished(ReplyBuilder builder, Ending ending) {
  const auto reply = std::move(builder).finish(ending, {});
  return reply ? test::in_a_line(*reply) : describe(reply.error());
}

TEST(BuiltReply, AtTheLimitOfTokensABrokenCallIsCut) {
  ReplyBuilder builder(Calls::allowed, {});
  ASSERT_OK(builder.call("c1", "f", "{}"));
  ASSERT_OK(builder.call("c2", "f", "{"));
  ASSERT_OK(builder.call("c3", "", "{}"));
  EXPECT_EQ(finished(builder, Ending::done),
            "call c1 f {}; call c2 f {} with a fault; call c3 unnamed_tool {} with a fault; calls");
  EXPECT_EQ(finished(builder, Ending::max_tokens), "call c1 f {}; cut_call");
  EXPECT_EQ(finished(builder, Ending::refusal), "refusal");
  builder.end_calls();
  EXPECT_EQ(finished(builder, Ending::max_tokens), "call c1 f {}; call c3 unnamed_tool {} with a fault; cut_call");
}

TEST(BuiltReply, WhereTheApiCouldNotReadACallNoneIsRun) {
  ReplyBuilder builder(Calls::allowed, {});
  EXPECT_EQ(finished(builder, Ending::broken_call), "call call_1 unnamed_tool {} with a fault; calls");
  ASSERT_OK(builder.say("a"));
  ASSERT_OK(builder.call("c1", "f", R"({"a": 1})"));
  ASSERT_OK(builder.call("c2", "f", "{"));
  const auto reply = std::move(builder).finish(Ending::broken_call, {});
  ASSERT_OK(reply);
  const std::string not_readable =
      std::string("the arguments cannot be read: not valid JSON near byte 1: incomplete JSON") + kInstead;
  EXPECT_EQ(
      reply->blocks,
      (std::vector<Block>{
          Text{"a"}, Call{"c1", "f", {}, "the calls of this turn could not be read, and none was run; send them again"},
          Call{"c2", "f", {}, not_readable}}));
}

TEST(BuiltReply, BrokenCallsCountAmongTheMost) {
  ReplyBuilder builder(Calls::allowed, {});
  for (std::size_t i = 0; i < ReplyBuilder::kMaxCalls; ++i) ASSERT_OK(builder.call("", "", "{"));
  EXPECT_FAILS(builder.call("", "f", "{}"), upstream);
}

}  // namespace
}  // namespace deputy::model
