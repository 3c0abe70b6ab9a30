// Tools that write to Slack, from the request to the card to what people see; and what a refusal of Slack's tells.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class SlackWrites : public SlackService {
 protected:
  SlackWrites() { own_tools_ = false; }

  ModelScript posts() {
    return ModelScript()
        .calls("post_slack_message", {{"channel", "#general"}, {"text", "checkout is back"}})
        .then_says("That is all.");
  }
  ModelScript uploads() {
    return ModelScript()
        .calls("upload_slack_file", {{"channel", "general"}, {"filename", "errors.csv"}, {"content", "a,b\n1,2\n"}})
        .then_says("That is all.");
  }
  std::size_t in_general() { return simulator_->world().workspace.channels.at(kGeneral).messages.size(); }
};

TEST_F(SlackWrites, AnApprovedPostIsSeenOnceWithWhoAskedAndWhoApproved) {
  script(posts());
  serve();
  const std::string ts = mention(kAna, "tell everyone");
  const std::string card = until_found("approve_once", ts);
  EXPECT_THAT(thread(ts), AllOf(HasSubstr("post_slack_message"), HasSubstr("checkout is back"), HasSubstr("general")));
  EXPECT_EQ(in_general(), 0U);
  click(kBo, card, "approve_once");
  until_shown(ts, "That is all.");
  ASSERT_EQ(in_general(), 1U);
  const json::object& posted = simulator_->world().workspace.channels.at(kGeneral).messages.front().body;
  EXPECT_EQ(text_at(posted, "text"), "checkout is back");
  const json::object& payload = posted.at("metadata").at("event_payload").as_object();
  EXPECT_EQ(text_at(payload, "asked_by"), "slack:T0SIM000001/U0ANA000001");
  EXPECT_EQ(text_at(payload, "approved_by"), "slack:T0SIM000001/U0BO0000001");
  EXPECT_THAT(text_at(payload, "run"), SizeIs(26));
}

TEST_F(SlackWrites, ADeniedPostIsNotSeen) {
  script(posts());
  serve();
  const std::string ts = mention(kAna, "tell everyone");
  click(kBo, until_found("approve_once", ts), "deny");
  until_shown(ts, "That is all.");
  EXPECT_EQ(in_general(), 0U);
  stop();
  EXPECT_THAT(asked(1), HasSubstr("denied"));
}

TEST_F(SlackWrites, ANewDenyRuleHoldsForACardThatWaits) {
  script(posts());
  serve();
  const std::string ts = mention(kAna, "tell everyone");
  const std::string card = until_found("approve_once", ts);
  // Ana becomes an approver with it: once her click counts, the new settings hold.
  write_settings(
      "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
      "policy:\n  approvers: {slack_tools: [T0SIM000001/U0ANA000001]}\n"
      "  rules: [{tool: post_slack_message, deny: ['C0GENERAL01']}]\n");
  EXPECT_TRUE(until([&] {
    if (!find("approve_once", ts).empty()) click(kAna, card, "approve_once");
    return thread(ts).contains("That is all.");
  }));
  EXPECT_EQ(in_general(), 0U) << "an approval never turns a denial into a yes";
}

TEST_F(SlackWrites, AnApprovedFileIsSeenOnce) {
  script(uploads());
  serve();
  const std::string ts = mention(kAna, "share the errors");
  click(kBo, until_found("approve_once", ts), "approve_once");
  until_shown(ts, "That is all.");
  const auto& files = simulator_->world().workspace.files;
  ASSERT_THAT(files, SizeIs(1));
  EXPECT_EQ(files.begin()->second.content, "a,b\n1,2\n");
  EXPECT_TRUE(until([&] { return in_general() == 1; }));
}

TEST_F(SlackWrites, ADeniedFileIsNotUploaded) {
  script(uploads());
  serve();
  const std::string ts = mention(kAna, "share the errors");
  click(kBo, until_found("approve_once", ts), "deny");
  until_shown(ts, "That is all.");
  EXPECT_TRUE(simulator_->world().workspace.files.empty());
  EXPECT_EQ(calls_of("files.getUploadURLExternal"), 0U);
}

// ---- What Slack refuses, as the model reads it (behaviour 9). Each code of a tool is in tools/slack/write_tools_test.

struct RefusalRow {
  std::string code;
  std::string advice;
};
void PrintTo(const RefusalRow& row, std::ostream* out) { *out << row.code; }

class SlackRefusesATool : public SlackWrites, public testing::WithParamInterface<RefusalRow> {};

TEST_P(SlackRefusesATool, AndTheModelIsToldWhatToDo) {
  script(ModelScript().calls("list_slack_users", {{"limit", 5}}).then_says("That is all."));
  serve();
  control("fault", {{"on", "api"}, {"name", "users.list"}, {"kind", "error"}, {"error", GetParam().code}});
  until_shown(mention(kAna, "who is here?"), "That is all.");
  stop();
  EXPECT_THAT(asked(1), HasSubstr(GetParam().advice));
  EXPECT_THAT(asked(1), Not(HasSubstr("xoxb")));
}

INSTANTIATE_TEST_SUITE_P(With, SlackRefusesATool,
                         testing::Values(RefusalRow{"invalid_auth", "set the new token"},
                                         RefusalRow{"token_revoked", "set the new token"},
                                         RefusalRow{"missing_scope", "add the scope"},
                                         RefusalRow{"a_code_nobody_knows", "a_code_nobody_knows"}),
                         [](const auto& row) { return row.param.code; });

}  // namespace
}  // namespace deputy::test
