// What the tools write to Slack, seen in the simulator.
#include <gmock/gmock.h>

#include "toolkit/registry.h"
#include "tools/slack/slack_tools_fixture.h"

namespace deputy::tools::slack {
namespace {

using test::kAna;
using test::kOps;
using test::kRoom;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Answer = toolkit::Looked::Answer;

TEST_F(SlackToolsTest, AllToolsKeepTheRulesOfATool) {
  toolkit::Registry registry;
  for (const Tool& tool : slack_tools(slack.workspace)) EXPECT_OK(registry.add(tool));
  EXPECT_EQ(registry.size(), 9U);
}

TEST_F(SlackToolsTest, WithoutSlackEachSaysWhatToSet) {
  const auto none = std::make_shared<SlackWorkspace>(nullptr, clock_, &channel::slack::text_of_message);
  for (const Tool& tool : slack_tools(none)) {
    EXPECT_EQ(tool->spec().missing, "set channels.slack.bot_token or SLACK_BOT_TOKEN to the bot token of a Slack app");
    EXPECT_EQ(tool->spec().category, "slack_tools");
  }
}

TEST_F(SlackToolsTest, OnlyThreeOfThemWrite) {
  std::vector<std::string> writing;
  for (const Tool& tool : slack_tools(slack.workspace)) {
    if (!toolkit::always_reads(tool->spec())) writing.push_back(tool->spec().name);
  }
  EXPECT_THAT(writing, ElementsAre("post_slack_message", "upload_slack_file", "add_slack_reaction"));
}

class PostSlackMessage : public SlackToolsTest {
 protected:
  Tool tool() { return post_slack_message(slack.workspace); }
};

TEST_F(PostSlackMessage, PostsWhereItsPreviewSays) {
  const Result<toolkit::Output> output = call(tool(), {{"channel", "#ops"}, {"text", "*done* <!channel> <@U1>"}});
  ASSERT_OK(output);
  EXPECT_EQ(context.outputs["preview"].text,
            "Post to #ops (C0OPS000001), a public channel\nThis notifies @channel, U1\n");
  ASSERT_THAT(slack.texts_in(kOps), ElementsAre("*done* <!channel> <@U1>"));
  const std::string ts = slack.world().channels.at(kOps).messages.back().ts;
  EXPECT_EQ(output->text, "Posted to #ops (C0OPS000001), ts " + ts);
  EXPECT_EQ(output->data, (json::object{{"display", output->text}, {"channel", kOps}, {"ts", ts}}));
}

TEST_F(PostSlackMessage, NothingIsPostedBeforeTheGate) {
  approved = false;
  EXPECT_OK(call(tool(), {{"channel", "ops"}, {"text", "done"}}));
  EXPECT_THAT(slack.texts_in(kOps), IsEmpty());
}

TEST_F(PostSlackMessage, AnyNameOfAChannelIsOneChannel) {
  for (const char* name : {"ops", "#ops", "C0OPS000001", "<#C0OPS000001|ops>", " #ops "}) {
    SCOPED_TRACE(name);
    approved = false;
    EXPECT_OK(call(tool(), {{"channel", name}, {"text", "x"}}));
    EXPECT_EQ(text_at(context.outputs["preview"].data, "channel"), kOps);
  }
  const Result<toolkit::Led> led = await(tool()->spec().leads_to("ops"));
  ASSERT_OK(led);
  EXPECT_EQ(led->path, kOps) << "policy judges the id too";
}

TEST_F(PostSlackMessage, AnIdMayBeShortWhereNoChannelHasThatName) {
  for (const char* id : {"C1", "C_DEV"}) {
    slack.control("channel", {{"id", id}, {"name", "dev-" + to_lower(id)}, {"members", {kAna, "U0DEPUTY001"}}});
    visible.insert(id);
    EXPECT_OK(call(tool(), {{"channel", id}, {"text", "done"}}));
    EXPECT_THAT(slack.texts_in(id), ElementsAre("done"));
    EXPECT_EQ(must(tool()->spec().leads_to(id)).path, id) << "policy judges the same id";
  }
  EXPECT_FAILS(call(tool(), {{"channel", "C2"}, {"text", "x"}}), not_found);
}

TEST_F(PostSlackMessage, EmptyArgumentsAreRefusedBeforeTheGate) {
  approved = false;
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", ""}}), invalid_input);
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", " \n"}}), invalid_input);
  EXPECT_FAILS(call(tool(), {{"channel", ""}, {"text", "x"}}), invalid_input);
  EXPECT_FAILS(call(tool(), {{"channel", "#"}, {"text", "x"}}), invalid_input);
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", "x"}, {"thread_ts", "yesterday"}}), invalid_input);
}

TEST_F(PostSlackMessage, GoesToTheThreadThatItShows) {
  const std::string root = slack.says(kAna, "ops", "what is\nwrong?");
  EXPECT_OK(call(tool(), {{"channel", "ops"}, {"text", "nothing"}, {"thread_ts", root}}));
  EXPECT_THAT(context.outputs["preview"].text, HasSubstr("in the thread of ana: \"what is wrong?\"\n"));
  EXPECT_EQ(slack.world().channels.at(kOps).messages.back().thread_ts, root);
}

TEST_F(PostSlackMessage, NobodyIsAskedAboutWhatSlackWouldRefuse) {
  approved = false;
  EXPECT_FAILS(call(tool(), {{"channel", "C0ARCHIVE01"}, {"text", "x"}}), conflict);
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", "x"}, {"thread_ts", "1600000000.000100"}}), not_found);
  EXPECT_OK(call(tool(), {{"channel", "random"}, {"text", "x"}})) << "it has chat:write.public";
  slack.control("token", {{"token", "xoxb-fake-bot-token"}, {"remove_scopes", {"chat:write.public"}}});
  EXPECT_FAILS(call(tool(), {{"channel", "random"}, {"text", "x"}}), permission);
}

TEST_F(PostSlackMessage, APostWhoseReplyIsLostMayHaveHappenedAndIsFound) {
  slack.fails("chat.postMessage", {{"kind", "lose_response"}});
  const Result<toolkit::Output> lost = call(tool(), {{"channel", "ops"}, {"text", "once"}});
  ASSERT_FAILS(lost, network);
  const toolkit::Failure failure =
      toolkit::failure_of(lost.error(), toolkit::FailedBy::answer, toolkit::Stage::after_gate, false);
  EXPECT_EQ(failure.status, toolkit::Status::unknown);
  const Result<toolkit::Looked> looked = look(tool(), "post");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, Answer::done);
  EXPECT_THAT(looked->output.value_or(toolkit::Output{}).text, HasSubstr("Posted to #ops"));
  EXPECT_THAT(slack.texts_in(kOps), ElementsAre("once"));
}

TEST_F(PostSlackMessage, APostThatNeverArrivedIsToldFromTheSameWordsOfAnotherCall) {
  EXPECT_OK(call(tool(), {{"channel", "ops"}, {"text", "once"}}));
  slack.fails("chat.postMessage", {{"kind", "drop"}});
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", "once"}}), network);
  context.call_id = "c2";
  const Result<toolkit::Looked> looked = look(tool(), "post");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, Answer::not_done);
}

TEST_F(PostSlackMessage, APostIsFoundBelowAllThatWasSaidSince) {
  slack.fails("chat.postMessage", {{"kind", "lose_response"}});
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", "once"}}), network);
  slack.many_say(kOps, 300);
  const Result<toolkit::Looked> looked = look(tool(), "post");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, Answer::done);
}

TEST_F(PostSlackMessage, WhatIsOlderThanTheAttemptIsNotLookedThrough) {
  slack.many_say(kOps, 1200);
  clock_.advance(std::chrono::hours(1));
  slack.fails("chat.postMessage", {{"kind", "drop"}});
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", "once"}}), network);
  const Result<toolkit::Looked> looked = look(tool(), "post");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, Answer::not_done);
}

TEST_F(PostSlackMessage, WhereNotAllCanBeLookedThroughNobodyCanTell) {
  const std::string root = slack.says(kAna, kOps, "look at this");
  for (const std::string& thread : {std::string(), root}) {
    slack.fails("chat.postMessage", {{"kind", "drop"}});
    EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"text", "once"}, {"thread_ts", thread}}), network);
    slack.many_say(kOps, 1200, thread);
    const Result<toolkit::Looked> looked = look(tool(), "post");
    ASSERT_OK(looked);
    EXPECT_EQ(looked->answer, Answer::cannot_tell);
  }
}

TEST_F(SlackToolsTest, AReactionIsAddedOnce) {
  const std::string ts = slack.says(kAna, "ops", "deployed");
  const Tool tool = add_slack_reaction(slack.workspace);
  const json::object arguments{{"channel", "ops"}, {"timestamp", ts}, {"emoji", ":eyes:"}};
  EXPECT_OK(call(tool, arguments));
  EXPECT_OK(call(tool, arguments));
  EXPECT_THAT(context.outputs["preview"].text,
              AllOf(HasSubstr("Add :eyes: in #ops"), HasSubstr("to the message of ana: \"deployed\"")));
  const auto& reactions = slack.world().channels.at(kOps).messages.back().reactions;
  ASSERT_EQ(reactions.size(), 1U);
  EXPECT_EQ(reactions[0].name, "eyes");
  EXPECT_FAILS(call(tool, {{"channel", "ops"}, {"timestamp", "1600000000.000100"}, {"emoji", "eyes"}}), not_found);
  EXPECT_FAILS(call(tool, {{"channel", "ops"}, {"timestamp", "noon"}, {"emoji", "eyes"}}), invalid_input);
}

class UploadSlackFile : public SlackToolsTest {
 protected:
  Tool tool() { return upload_slack_file(slack.workspace); }
  const sim::slack::File& shared() {
    const auto& files = slack.world().files;
    static const sim::slack::File none;
    return files.empty() ? none : files.rbegin()->second;
  }
};

TEST_F(UploadSlackFile, SharesWhatItsPreviewSays) {
  const json::object arguments{{"channel", "ops"}, {"filename", "errors.csv"}, {"content", "a,b\n1,2\n"}};
  const Result<toolkit::Output> output = call(tool(), arguments);
  ASSERT_OK(output);
  EXPECT_EQ(context.outputs["preview"].text,
            "Share a file in #ops (C0OPS000001), a public channel\nerrors.csv: 8 bytes, SHA-256 "
            "492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470\n");
  EXPECT_EQ(shared().content, "a,b\n1,2\n");
  EXPECT_THAT(shared().channels, ElementsAre(kOps));
  EXPECT_EQ(output->text, "Shared errors.csv in #ops (C0OPS000001), file " + shared().id);
}

TEST_F(UploadSlackFile, NothingIsUploadedBeforeTheGate) {
  approved = false;
  EXPECT_OK(call(tool(), {{"channel", "ops"}, {"filename", "a.txt"}, {"content", "x"}}));
  EXPECT_THAT(slack.world().files, IsEmpty());
}

TEST_F(UploadSlackFile, TakesEitherTextOrTheResultOfACall) {
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"filename", "a.txt"}}), invalid_input);
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"filename", "a.txt"}, {"content", "x"}, {"call_id", "c0"}}),
               invalid_input);
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"filename", "../a"}, {"content", "x"}}), invalid_input);
}

TEST_F(UploadSlackFile, TheResultOfACallMustStillBeWhatWasShown) {
  std::string whole = "line 1\nline 2\n";
  answers = [&](const toolkit::Delegate& delegate) {
    EXPECT_EQ(delegate.kind, toolkit::DelegateKind::result);
    EXPECT_EQ(text_at(delegate.payload, "call_id"), "c0");
    if (text_at(delegate.payload, "part") == "whole") return json::value(whole);
    return json::value(
        json::serialize(json::object{{"bytes", whole.size()}, {"digest", sha256_hex(whole)}, {"beginning", "line 1"}}));
  };
  const json::object arguments{{"channel", "ops"}, {"filename", "a.log"}, {"call_id", "c0"}};
  EXPECT_OK(call(tool(), arguments));
  EXPECT_THAT(context.outputs["preview"].text, AllOf(HasSubstr("14 bytes"), HasSubstr("begins:\nline 1\n")));
  EXPECT_EQ(shared().content, whole);
  const std::size_t before = slack.world().files.size();
  const auto told = answers;
  answers = [&](const toolkit::Delegate& delegate) {
    return text_at(delegate.payload, "part") == "whole" ? json::value("something else") : told(delegate);
  };
  EXPECT_FAILS(call(tool(), arguments), conflict);
  EXPECT_EQ(slack.world().files.size(), before);
}

TEST_F(UploadSlackFile, AShareWhoseReplyIsLostIsFound) {
  slack.fails("files.completeUploadExternal", {{"kind", "lose_response"}});
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"filename", "a.txt"}, {"content", "x"}}), network);
  Result<toolkit::Looked> looked = look(tool(), "share");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, Answer::done);
  slack.fails("files.completeUploadExternal", {{"kind", "drop"}});
  EXPECT_FAILS(call(tool(), {{"channel", "ops"}, {"filename", "b.txt"}, {"content", "x"}}), network);
  looked = look(tool(), "share");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, Answer::not_done);
}

TEST_F(UploadSlackFile, AShareIsLookedForOnceSlackHasHadTimeToListIt) {
  Result<toolkit::Pipeline> chain = tool()->compose({{"channel", "ops"}, {"filename", "a.txt"}, {"content", "x"}});
  ASSERT_OK(chain);
  const Result<toolkit::Link> share = (*std::move(chain)).take("share");
  ASSERT_OK(share);
  EXPECT_GE(share->handler.look_after, std::chrono::seconds(30));
}

// ---- What Slack refuses, through a tool (behaviour 9).

struct Hint {
  std::string code;
  ErrorKind kind;
  std::string advice;
};
void PrintTo(const Hint& row, std::ostream* out) { *out << row.code; }

class SlackHints : public SlackToolsTest, public testing::WithParamInterface<Hint> {};

TEST_P(SlackHints, SayWhatToDo) {
  slack.fails("chat.postMessage", {{"kind", "error"}, {"error", GetParam().code}});
  const Result<toolkit::Output> refused =
      call(post_slack_message(slack.workspace), {{"channel", "ops"}, {"text", "x"}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, GetParam().kind);
  EXPECT_THAT(describe(refused.error()), HasSubstr(GetParam().advice));
  EXPECT_THAT(describe(refused.error()), Not(HasSubstr("xoxb")));
}

INSTANTIATE_TEST_SUITE_P(Codes, SlackHints,
                         testing::Values(Hint{"channel_not_found", ErrorKind::not_found, "check the name or use an ID"},
                                         Hint{"not_in_channel", ErrorKind::permission, "invite the bot with /invite"},
                                         Hint{"invalid_auth", ErrorKind::authentication, "set the new token"},
                                         Hint{"token_revoked", ErrorKind::authentication, "set the new token"},
                                         Hint{"not_authed", ErrorKind::authentication, "set the new token"},
                                         Hint{"account_inactive", ErrorKind::authentication, "set the new token"},
                                         Hint{"ratelimited", ErrorKind::rate_limit, "wait and retry"},
                                         Hint{"rate_limited", ErrorKind::rate_limit, "wait and retry"},
                                         Hint{"no_text", ErrorKind::invalid_input, "the text cannot be empty"},
                                         Hint{"msg_too_long", ErrorKind::invalid_input, "shorten the text"},
                                         Hint{"thread_not_found", ErrorKind::not_found, "check thread_ts"},
                                         Hint{"a_code_nobody_knows", ErrorKind::upstream, "a_code_nobody_knows"}),
                         [](const auto& row) { return row.param.code; });

TEST_F(SlackToolsTest, AMissingScopeIsNamed) {
  slack.control("token", {{"token", "xoxb-fake-bot-token"}, {"remove_scopes", {"reactions:write"}}});
  const std::string ts = slack.says(kAna, "ops", "deployed");
  const auto refused =
      call(add_slack_reaction(slack.workspace), {{"channel", "ops"}, {"timestamp", ts}, {"emoji", "eyes"}});
  ASSERT_FAILS(refused, permission);
  EXPECT_THAT(refused.error().hint, HasSubstr("add the scope reactions:write"));
}

}  // namespace
}  // namespace deputy::tools::slack
