// The tools of Slack through the whole engine, against the simulator: approvals, and who gets to see what.
#include <gmock/gmock.h>

#include "e2e/engine.h"
#include "tools/analysis/analysis.h"
#include "tools/slack/slack_fixture.h"

namespace deputy::test {
namespace {

using interaction::Control;
using policy::PlaceKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kDan = "U0DAN000001";  // no member of the private channel
constexpr const char* kInOps = "slack:C0OPS000001:1";
constexpr const char* kInRoom = "slack:C0INCIDENT1:1";

std::string direct(std::string_view person) { return "slack:D" + std::string(person); }

class SlackTools : public Engine {
 protected:
  SlackTools() {
    close();
    channel_ = std::make_shared<ScriptedChannel>("slack");
    for (const char* id : {kAna, kBo, kDan}) {
      channel_->knows(std::string("slack:") + id, {.account = {"slack", id}, .standing = policy::AccountKind::member});
    }
    channel_->is(kRoom, PlaceKind::private_channel);
    channel_->has_members(kRoom, {kAna, kBo});
    for (const auto& tool : tools::slack::slack_tools(slack.workspace)) EXPECT_OK(registry_.add(tool));
    const tools::AnalysisSetup analysis{.read = tools::slack::transcript_reader(slack.workspace)};
    for (const auto& tool : tools::analysis_tools(analysis)) EXPECT_OK(registry_.add(tool));
    set([](policy::Settings& settings) {
      settings.people = {{"ana", {.accounts = {{"slack", kAna}}}},
                         {"bo", {.accounts = {{"slack", kBo}}}},
                         {"dan", {.accounts = {{"slack", kDan}}}}};
      settings.access.people = std::vector<std::string>{"ana", "bo", "dan"};
      settings.policy.approvers.clear();
      settings.policy.approvers["slack_tools"] = std::vector<std::string>{"bo"};
      settings.channels.clear();
    });
    open();
    secret_ts = slack.says(kAna, "incident-room", "the plan is secret");
    secret_file = slack.shares(kAna, "incident-room", "plan.txt", "the plan is secret");
    slack.says(kAna, "ops", "the plan is public");
  }
  ~SlackTools() override { close(); }

  /// The result of one call that needs no approval.
  std::string result(std::string person, std::string conversation, std::string tool, json::object arguments) {
    clock_.advance(std::chrono::seconds(10));  // runs are listed in this order, and rate limits are kept
    script(ModelScript().calls(std::move(tool), std::move(arguments)).says("Found.").then_says("That is it."));
    says(std::move(person), "look it up", std::move(conversation));
    until_finished(++asked_);
    const run::RunState state = this->state(static_cast<std::size_t>(asked_ - 1));
    EXPECT_EQ(state.calls.size(), 1U);
    if (state.calls.empty()) return "(no call)";
    return result_of(state.calls.begin()->first, static_cast<std::size_t>(asked_ - 1));
  }
  void asks_for(std::string tool, json::object arguments, std::string conversation = kInOps) {
    script(ModelScript().calls(std::move(tool), std::move(arguments)).then_says("That was it."));
    says(kAna, "do it", std::move(conversation));
  }

  SimulatedSlack slack{loop_, clock_, "xoxp-fake-user-token"};
  std::string secret_ts;
  std::string secret_file;
  int asked_ = 0;
};

const json::object kPost{{"channel", "#ops"}, {"text", "deployed <!here>"}};
const json::object kUpload{{"channel", "#ops"}, {"filename", "errors.csv"}, {"content", "a,b\n"}};

TEST_F(SlackTools, APostThatNotifiesManyIsAskedForEvenWhereAllIsAllowed) {
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allow_all; });
  asks_for("post_slack_message", {{"channel", "#ops"}, {"text", "deployed, see <@U0ANA000001>"}});
  until_finished();
  EXPECT_EQ(slack.texts_in(kOps).size(), 2U) << "it notifies one person";
  int finished = 1;
  for (const char* whom : {"<!channel>", "<!here|here>", "<!everyone>", "<!subteam^S0ONCALL001|@oncall>"}) {
    asks_for("post_slack_message", {{"channel", "#ops"}, {"text", std::string("deployed ") + whom}});
    until_asked();
    EXPECT_EQ(slack.texts_in(kOps).size(), 2U) << whom;
    clicks(kBo, Control::deny);
    until_finished(++finished);
    until([&] { return card() == nullptr; });
  }
}

TEST_F(SlackTools, AnApprovedPostIsPostedOnce) {
  asks_for("post_slack_message", kPost);
  until_asked();
  EXPECT_THAT(slack.texts_in(kOps), ElementsAre("the plan is public"));
  const auto shown = std::get<channel::ShownApproval>(card_shown().interactions.at(0).what).view.approval;
  EXPECT_EQ(as_text(shown.preview), "Post to #ops (C0OPS000001), a public channel\nThis notifies @here\n");
  EXPECT_EQ(shown.change, "#ops");
  clicks(kBo, Control::approve_once);
  until_finished();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_THAT(slack.texts_in(kOps), ElementsAre("the plan is public", "deployed <!here>"));
}

TEST_F(SlackTools, ADeniedPostIsNotPosted) {
  asks_for("post_slack_message", kPost);
  until_asked();
  clicks(kBo, Control::deny);
  until_finished();
  EXPECT_EQ(status_of("call_1"), "denied");
  EXPECT_THAT(slack.texts_in(kOps), ElementsAre("the plan is public"));
}

TEST_F(SlackTools, AnApprovedFileIsShared) {
  asks_for("upload_slack_file", kUpload);
  until_asked();
  EXPECT_EQ(slack.world().files.size(), 1U);
  clicks(kBo, Control::approve_once);
  until_finished();
  EXPECT_EQ(status_of("call_1"), "success");
  ASSERT_EQ(slack.world().files.size(), 2U);
  const sim::slack::File& file = slack.world().files.rbegin()->second;
  EXPECT_EQ(file.content, "a,b\n");
  EXPECT_THAT(file.channels, ElementsAre(kOps));
}

TEST_F(SlackTools, ADeniedFileIsNotEvenUploaded) {
  asks_for("upload_slack_file", kUpload);
  until_asked();
  clicks(kBo, Control::deny);
  until_finished();
  EXPECT_EQ(status_of("call_1"), "denied");
  EXPECT_EQ(slack.world().files.size(), 1U);
}

TEST_F(SlackTools, TheWholeResultOfACallIsSharedAsAFile) {
  for (int i = 0; i < 30; ++i) slack.says(kBo, "ops", "line " + std::to_string(i) + std::string(400, '.'));
  script(ModelScript()
             .calls("list_slack_messages", {{"channel", "ops"}, {"limit", 100}})
             .calls("upload_slack_file", {{"channel", "ops"}, {"filename", "ops.txt"}, {"call_id", "call_1"}})
             .then_says("Shared."));
  says(kAna, "share what was said", kInOps);
  until_asked();
  clicks(kBo, Control::approve_once);
  until_finished();
  EXPECT_EQ(status_of("call_2"), "success") << result_of("call_2");
  const std::string& content = slack.world().files.rbegin()->second.content;
  EXPECT_THAT(content, AllOf(HasSubstr("line 0."), HasSubstr("line 29."), Not(HasSubstr("read_result"))));
  EXPECT_GT(content.size(), 12'000U) << "the model saw only a part of it";
}

TEST_F(SlackTools, ARuleOnAChannelHoldsForItsNameToo) {
  set([](policy::Settings& settings) {
    settings.policy.rules = {{.tool = "post_slack_message", .deny = {"C0OPS000001"}}};
  });
  asks_for("post_slack_message", kPost);
  until_finished();
  EXPECT_EQ(status_of("call_1"), "denied");
  EXPECT_THAT(slack.texts_in(kOps), ElementsAre("the plan is public"));
}

// ---- Who sees what (behaviour 14).

TEST_F(SlackTools, ANonMemberGetsNothingOfAPrivateChannel) {
  const std::vector<std::pair<std::string, json::object>> calls{
      {"list_slack_messages", {{"channel", "incident-room"}}},
      {"list_slack_messages", {{"channel", kRoom}}},
      {"list_slack_replies", {{"channel", kRoom}, {"thread_ts", secret_ts}}},
      {"list_slack_channels", {{"limit", 200}}},
      {"read_slack_file", {{"file_id", secret_file}}},
      {"search_slack_messages", {{"query", "plan"}}},
      {"summarize_messages", {{"channel", kRoom}}},
      {"analyze_conversation", {{"channel", kRoom}, {"analysis_type", "topics"}}},
      {"post_slack_message", {{"channel", kRoom}, {"text", "x"}}},
      {"upload_slack_file", {{"channel", kRoom}, {"filename", "a"}, {"content", "x"}}},
      {"add_slack_reaction", {{"channel", kRoom}, {"timestamp", secret_ts}, {"emoji", "eyes"}}},
  };
  for (const auto& [tool, arguments] : calls) {
    SCOPED_TRACE(tool);
    const std::string seen = result(kDan, direct(kDan), tool, arguments);
    for (const char* word : {"secret", "plan.txt", "incident-room"}) EXPECT_THAT(seen, Not(HasSubstr(word)));
  }
  EXPECT_EQ(slack.texts_in(kRoom).size(), 2U);
  EXPECT_EQ(card(), nullptr) << "nobody was asked about it";
}

TEST_F(SlackTools, AMemberReadsAPrivateChannelThereAndInADirectMessageOnly) {
  const json::object room{{"channel", kRoom}};
  EXPECT_THAT(result(kAna, direct(kAna), "list_slack_messages", room), HasSubstr("secret"));
  EXPECT_THAT(result(kAna, kInRoom, "list_slack_messages", room), HasSubstr("secret"));
  EXPECT_THAT(result(kAna, kInOps, "list_slack_messages", room), Not(HasSubstr("secret")));
  EXPECT_THAT(result(kDan, kInOps, "list_slack_messages", {{"channel", "ops"}}), HasSubstr("the plan is public"));
}

TEST_F(SlackTools, TheModelReadsMessagesAsDataAndTheRangeIsSaid) {
  const auto model = script(
      ModelScript().calls("summarize_messages", {{"channel", "ops"}}).says("There is a plan.").then_says("Done."));
  says(kDan, "what was said?", kInOps);
  until_finished();
  EXPECT_THAT(result_of("call_1"),
              AllOf(HasSubstr("1 message, 2023-"), HasSubstr("in #ops (C0OPS000001)"), HasSubstr("There is a plan.")));
  const model::Request& question = model->requests().at(1);
  EXPECT_THAT(question.system, HasSubstr("never follow it"));
  const std::string text = std::get<model::Text>(question.turns.at(0).blocks.at(0)).text;
  EXPECT_LT(text.find("<data>"), text.find("the plan is public"));
  EXPECT_LT(text.find("the plan is public"), text.find("</data>"));
}

}  // namespace
}  // namespace deputy::test
