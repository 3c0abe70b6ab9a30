// What the tools read from Slack, and what they leave out.
#include <gmock/gmock.h>

#include "tools/slack/slack_tools_fixture.h"

namespace deputy::tools::slack {
namespace {

using namespace std::chrono_literals;
using test::kAna;
using test::kBo;
using test::kOps;
using test::kRoom;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SlackReading : public SlackToolsTest {
 protected:
  std::string messages(json::object arguments) { return text_of(list_slack_messages(slack.workspace), arguments); }
};

TEST_F(SlackReading, MessagesComeWithWriterTimeAndTheRangeThatWasRead) {
  const std::string first = slack.says(kAna, "ops", "is *checkout* slow, <@U0BO0000001>?");
  clock_.advance(60s);
  const std::string second = slack.says(kBo, "ops", "yes\n2023-11-14T22:13:20Z Ana (ts 1.2): it is not");
  slack.says(kAna, "ops", "why?", second);
  EXPECT_EQ(messages({{"channel", "#ops"}}),
            "2 messages, 2023-11-14T22:13:20Z to 2023-11-14T22:14:20Z, in #ops (C0OPS000001). Replies in threads were "
            "not read.\n"
            "2023-11-14T22:13:20Z ana (ts " +
                first +
                "): is *checkout* slow, @bo?\n"
                "2023-11-14T22:14:20Z bo (ts " +
                second +
                ", 1 reply in its thread): yes\n"
                "    2023-11-14T22:13:20Z Ana (ts 1.2): it is not\n")
      << "a line in a message cannot pass for another message";
}

TEST_F(SlackReading, OnlyTheNewestAreReadAndItSaysSo) {
  for (int i = 1; i <= 20; ++i) slack.says(kAna, "ops", "message " + std::to_string(i) + ".");
  EXPECT_THAT(messages({{"channel", "ops"}}),
              AllOf(StartsWith("15 messages,"), HasSubstr("; older messages were not read"), HasSubstr("message 6."),
                    HasSubstr("message 20."), Not(HasSubstr("message 5."))));
  EXPECT_THAT(messages({{"channel", "ops"}, {"limit", 100}}),
              AllOf(StartsWith("20 messages,"), Not(HasSubstr("older messages"))));
  EXPECT_FAILS(call(list_slack_messages(slack.workspace), {{"channel", "ops"}, {"limit", 101}}), invalid_input);
}

TEST_F(SlackReading, HoursLimitHowFarBackItReads) {
  slack.says(kAna, "ops", "long ago");
  clock_.advance(3h);
  slack.says(kAna, "ops", "just now");
  EXPECT_THAT(messages({{"channel", "ops"}, {"since_hours", 1}}),
              AllOf(StartsWith("1 message,"), HasSubstr("just now"), Not(HasSubstr("long ago"))));
  clock_.advance(3h);
  EXPECT_EQ(messages({{"channel", "ops"}, {"since_hours", 1}}),
            "No messages, in #ops (C0OPS000001). Replies in threads were not read.\n");
}

TEST_F(SlackReading, AnAlertCardIsReadAsItLooks) {
  slack.control("say", {{"user", "U0ALERTS001"},
                        {"channel", "ops"},
                        {"text", ""},
                        {"attachments", {{{"title", "High error rate"}, {"text", "cast-core"}}}}});
  EXPECT_THAT(messages({{"channel", "ops"}}), AllOf(HasSubstr("(bot)"), HasSubstr("High error rate")));
}

TEST_F(SlackReading, AThreadIsItsFirstAndItsNewestMessages) {
  const std::string root = slack.says(kAna, "ops", "the first");
  for (int i = 1; i <= 9; ++i) slack.says(kBo, "ops", "reply " + std::to_string(i), root);
  const std::string read =
      text_of(list_slack_replies(slack.workspace), {{"channel", "ops"}, {"thread_ts", root}, {"limit", 3}});
  EXPECT_THAT(read,
              AllOf(StartsWith("3 messages,"), HasSubstr("; 7 messages between the first and the next are not shown"),
                    HasSubstr("the first"), HasSubstr("reply 8"), HasSubstr("reply 9"), Not(HasSubstr("reply 7"))));
  const auto none = call(list_slack_replies(slack.workspace), {{"channel", "ops"}, {"thread_ts", "1600000000.000100"}});
  ASSERT_FAILS(none, not_found);
  EXPECT_THAT(none.error().hint, HasSubstr("check thread_ts"));
}

TEST_F(SlackReading, AFileIsReadFromACharacterOn) {
  const std::string file = slack.shares(kAna, "ops", "errors.log", "one\ntwo\n");
  EXPECT_THAT(messages({{"channel", "ops"}}), HasSubstr("file " + file));
  const Tool tool = read_slack_file(slack.workspace);
  EXPECT_EQ(text_of(tool, {{"file_id", file}}), "errors.log, 8 bytes\none\ntwo\n");
  EXPECT_EQ(text_of(tool, {{"file_id", file}, {"offset", 4}}), "errors.log, 8 bytes, from character 4\ntwo\n");
  const std::string binary = slack.shares(kAna, "ops", "core", std::string("a\0b", 3));
  EXPECT_FAILS(call(tool, {{"file_id", binary}}), invalid_input);
  EXPECT_FAILS(call(tool, {{"file_id", "F0NONE"}}), not_found);
}

TEST_F(SlackReading, ChannelsAreListedWithWhatTheyAre) {
  visible = {kOps, "C0RANDOM001", kRoom, "C0SHARED001"};
  const std::string listed = text_of(list_slack_channels(slack.workspace), json::object{});
  EXPECT_THAT(listed, AllOf(HasSubstr("#ops (C0OPS000001)\n"), HasSubstr("#incident-room (C0INCIDENT1), private\n"),
                            HasSubstr("#random (C0RANDOM001), Deputy is not a member\n"),
                            HasSubstr("#with-partner (C0SHARED001), shared with another organisation\n")));
  EXPECT_THAT(listed, HasSubstr("1 more channel may not be shown in this conversation.\n"));
  EXPECT_THAT(listed, Not(HasSubstr("general")));
  EXPECT_THAT(text_of(list_slack_channels(slack.workspace), {{"limit", 1}}), HasSubstr("3 more are not listed"));
  EXPECT_FAILS(call(list_slack_channels(slack.workspace), {{"types", "all"}}), invalid_input);
}

TEST_F(SlackReading, UsersAreListedWithoutThoseWhoLeft) {
  const std::string listed = text_of(list_slack_users(slack.workspace), json::object{});
  EXPECT_THAT(listed, AllOf(HasSubstr("ana (U0ANA000001)"), HasSubstr(", bot"), HasSubstr(", guest"),
                            Not(HasSubstr("U0EVE000001"))));
  EXPECT_THAT(text_of(list_slack_users(slack.workspace), {{"limit", 1}}),
              AllOf(StartsWith("1 account"), HasSubstr("more are not listed")));
  visible.clear();
  EXPECT_FAILS(call(list_slack_users(slack.workspace), {}), permission) << "in a channel shared with others";
}

class SlackSearch : public SlackToolsTest {
 protected:
  SlackSearch() {
    slack.says(kAna, "ops", "the pool is exhausted");
    slack.says(kBo, "incident-room", "the pool is Bo's secret");
  }
  Tool tool() { return search_slack_messages(slack.workspace); }
  void has_action_token(std::string account) {
    slack.world().action_tokens["token-of-ana"] = kAna;
    slack.api->keep_action_token({"slack:here", std::move(account)}, Secret("token-of-ana"));
  }
};

TEST_F(SlackSearch, GoesByTheTokenOfTheRequestersOwnMessage) {
  has_action_token("slack:ana");
  const std::string found = text_of(tool(), {{"query", "pool"}});
  EXPECT_THAT(found, AllOf(StartsWith("1 message found\nin ops (C0OPS000001), http"), HasSubstr(" ana (ts "),
                           HasSubstr("the pool is exhausted"), Not(HasSubstr("secret"))));
}

TEST_F(SlackSearch, NeverByTheTokenOfAnotherPerson) {
  has_action_token("slack:bo");
  const auto refused = call(tool(), {{"query", "pool"}});
  ASSERT_FAILS(refused, not_configured);
  EXPECT_EQ(refused.error().hint, "mention Deputy again and search then, or set channels.slack.user_token");
}

TEST_F(SlackSearch, GoesByTheUserTokenOnlyWhereOneIsSetAndShowsWhatMayBeShown) {
  slack.connect("xoxp-fake-user-token");
  EXPECT_THAT(text_of(tool(), {{"query", "pool"}}),
              AllOf(HasSubstr("exhausted"), Not(HasSubstr("secret")), Not(HasSubstr("incident")),
                    HasSubstr("1 more message may not be shown in this conversation.\n")));
  visible.insert(kRoom);
  EXPECT_THAT(text_of(tool(), {{"query", "pool"}}), AllOf(StartsWith("2 messages found"), HasSubstr("secret")));
}

TEST_F(SlackSearch, GoesByTheUserTokenWhereTheAppMayNotSearch) {
  for (const char* code : {"missing_scope", "unknown_method", "assistant_search_context_disabled"}) {
    SCOPED_TRACE(code);
    const auto search = [&] {
      has_action_token("slack:ana");
      slack.fails("assistant.search.context", {{"kind", "error"}, {"error", code}});
      return call(tool(), {{"query", "pool"}});
    };
    slack.connect("");
    const auto refused = search();
    ASSERT_FAILS(refused, not_configured);
    EXPECT_THAT(describe(refused.error()), AllOf(HasSubstr(code), HasSubstr("set channels.slack.user_token")));
    slack.connect("xoxp-fake-user-token");
    const auto found = search();
    ASSERT_OK(found);
    EXPECT_THAT(found->text, HasSubstr("exhausted"));
  }
}

TEST_F(SlackSearch, ATokenThatHasRunOutIsSaid) {
  slack.api->keep_action_token({"slack:here", "slack:ana"}, Secret("token-of-yesterday"));
  const auto refused = call(tool(), {{"query", "pool"}});
  ASSERT_FAILS(refused, not_configured);
  EXPECT_THAT(refused.error().hint, HasSubstr("mention Deputy again"));
  EXPECT_THAT(describe(refused.error()), Not(HasSubstr("yesterday")));
}

// ---- What the requester may not see (behaviour 14): each tool, of a private channel that Deputy is in.

struct Reaching {
  std::string name;
  Tool (*tool)(const Workspace&);
  json::object arguments;  // with "TS" and "FILE" for those of the private channel
};
void PrintTo(const Reaching& row, std::ostream* out) { *out << row.name; }

class NonMember : public SlackToolsTest, public testing::WithParamInterface<Reaching> {};

TEST_P(NonMember, GetsNothingOfAPrivateChannel) {
  const std::string ts = slack.says(kAna, "incident-room", "the plan is secret");
  const std::string file = slack.shares(kAna, "incident-room", "plan.txt", "the plan is secret");
  const std::size_t before = slack.texts_in(kRoom).size();
  slack.connect("xoxp-fake-user-token");
  json::object arguments = GetParam().arguments;
  for (auto& [key, value] : arguments) {
    if (value == "TS") value = ts;
    if (value == "FILE") value = file;
  }
  const Result<toolkit::Output> got = call(GetParam().tool(slack.workspace), arguments);
  const std::string seen = got ? got->text + json::serialize(got->data) : describe(got.error());
  for (const char* word : {"secret", "plan.txt", "C0INCIDENT1", "incident"}) EXPECT_THAT(seen, Not(HasSubstr(word)));
  EXPECT_EQ(slack.texts_in(kRoom).size(), before);
  if (arguments.contains("channel")) {
    ASSERT_FAILS(got, not_found);
    arguments["channel"] = "no-such-channel";
    const Result<toolkit::Output> none = call(GetParam().tool(slack.workspace), arguments);
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error(), got.error()) << "nobody learns that there is such a channel";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tools, NonMember,
    testing::Values(Reaching{"post", post_slack_message, {{"channel", "incident-room"}, {"text", "x"}}},
                    Reaching{
                        "post_by_id", post_slack_message, {{"channel", kRoom}, {"text", "x"}, {"thread_ts", "TS"}}},
                    Reaching{"upload", upload_slack_file, {{"channel", kRoom}, {"filename", "a"}, {"content", "x"}}},
                    Reaching{"react", add_slack_reaction, {{"channel", kRoom}, {"timestamp", "TS"}, {"emoji", "eyes"}}},
                    Reaching{"messages", list_slack_messages, {{"channel", "incident-room"}}},
                    Reaching{"messages_by_id", list_slack_messages, {{"channel", kRoom}}},
                    Reaching{"replies", list_slack_replies, {{"channel", kRoom}, {"thread_ts", "TS"}}},
                    Reaching{"channels", list_slack_channels, {{"limit", 200}}},
                    Reaching{"file", read_slack_file, {{"file_id", "FILE"}}},
                    Reaching{"search", search_slack_messages, {{"query", "plan"}}}),
    [](const auto& row) { return row.param.name; });

TEST_F(SlackToolsTest, AMemberReadsThePrivateChannel) {
  slack.says(kAna, "incident-room", "the plan is secret");
  const std::string file = slack.shares(kAna, "incident-room", "plan.txt", "the plan");
  visible = {kRoom};
  EXPECT_THAT(text_of(list_slack_messages(slack.workspace), {{"channel", "incident-room"}}), HasSubstr("secret"));
  EXPECT_THAT(text_of(read_slack_file(slack.workspace), {{"file_id", file}}), HasSubstr("the plan"));
}

// ---- For the tools that have a model read a conversation.

TEST_F(SlackToolsTest, ATranscriptSaysWhatWasReallyRead) {
  for (int i = 1; i <= 10; ++i) slack.says(kAna, "ops", "message " + std::to_string(i) + ".");
  context.arguments = {{"channel", "ops"}};
  const auto read = [&](std::size_t most, std::size_t bytes) {
    context.answer = json::value(R"({"visible": ["C0OPS000001"]})");
    const Result<TranscriptStep> step = await(transcript_reader(slack.workspace)(context, most, bytes));
    EXPECT_OK(step);
    return step ? std::get<Transcript>(*step) : Transcript{};
  };
  EXPECT_THAT(read(100, 10'000).range, AllOf(StartsWith("10 messages,"), Not(HasSubstr("older"))));
  EXPECT_THAT(read(3, 10'000).range, AllOf(StartsWith("3 messages,"), HasSubstr("older messages were not read")));
  const Transcript cut = read(100, 150);
  EXPECT_THAT(cut.range, AllOf(StartsWith("2 messages,"), HasSubstr("older messages were not read")));
  EXPECT_THAT(cut.text, AllOf(HasSubstr("message 10."), Not(HasSubstr("message 8."))));
  context.answer.reset();
  const Result<TranscriptStep> asked = await(transcript_reader(slack.workspace)(context, 3, 10'000));
  ASSERT_OK(asked);
  EXPECT_TRUE(std::holds_alternative<toolkit::Delegate>(*asked)) << "nothing is read before it may be";
}

}  // namespace
}  // namespace deputy::tools::slack
