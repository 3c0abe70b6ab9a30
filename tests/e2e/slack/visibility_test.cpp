// What happens in a private channel of Slack stays with its members: a non-member gets nothing of it by any tool, word
// or command.
#include "clients/slack/message.h"
#include "e2e/slack/workspace.h"
#include "store/sqlite/sqlite_store.h"
#include "support/results.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Ana talks with Deputy in a private channel that Bo has left. She approves what there is to approve.
class SlackVisibility : public SlackService {
 protected:
  SlackVisibility() {
    settings_ =
        "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
        "policy: {approvers: {service_tools: [T0SIM000001/U0ANA000001], slack_tools: [T0SIM000001/U0ANA000001]}}\n";
  }
  void SetUp() override {
    SlackService::SetUp();
    control("leave", {{"user", kBo}, {"channel", kIncidentRoom}});
    secret_ts = say(kAna, "the plan is a secret", "", kIncidentRoom);
    secret_file = text_at(
        control(
            "upload",
            {{"user", kAna}, {"channel", kIncidentRoom}, {"name", "plan.txt"}, {"content", "the plan is a secret"}}),
        "file");
  }
  static void expect_nothing_of_it(const std::string& seen) {
    for (const char* word : {"secret", "plan.txt", "incident-room"}) EXPECT_THAT(seen, Not(HasSubstr(word)));
  }

  std::string secret_ts;
  std::string secret_file;
};

// ---- Tools, called for Bo in his direct message, where he would see all that he may see.

struct ToolRow {
  std::string tool;
  json::object arguments;  // @ts and @file stand for the message and the file of the private channel
};
void PrintTo(const ToolRow& row, std::ostream* out) { *out << row.tool; }

class SlackToolVisibility : public SlackVisibility, public testing::WithParamInterface<ToolRow> {
 protected:
  SlackToolVisibility() { own_tools_ = false; }

  json::object arguments() const {
    json::object filled;
    for (const auto& [name, value] : GetParam().arguments) {
      const std::string text = as_text(value);
      filled[name] = text == "@ts" ? json::value(secret_ts) : text == "@file" ? json::value(secret_file) : value;
    }
    return filled;
  }
  /// What the model is told of the call when this person asks in a direct message.
  std::string told(const std::string& user) {
    script(ModelScript().calls(GetParam().tool, arguments()).says("That is it.").then_says("That is it."));
    serve();
    const std::string ts = mention(user, "look it up", direct(user));
    until_shown(ts, "That is it.", direct(user));
    stop();
    EXPECT_GE(model_->requests().size(), 2U);
    return asked(model_->requests().size() - 1);
  }
};

TEST_P(SlackToolVisibility, GivesANonMemberNothing) {
  expect_nothing_of_it(told(kBo));
  EXPECT_THAT(simulator_->world().workspace.channels.at(kIncidentRoom).messages, SizeIs(2)) << "nothing came to it";
}

INSTANTIATE_TEST_SUITE_P(
    Of, SlackToolVisibility,
    testing::Values(
        ToolRow{"list_slack_messages", {{"channel", "incident-room"}}},
        ToolRow{"list_slack_replies", {{"channel", kIncidentRoom}, {"thread_ts", "@ts"}}},
        ToolRow{"list_slack_channels", {{"limit", 200}}}, ToolRow{"read_slack_file", {{"file_id", "@file"}}},
        ToolRow{"search_slack_messages", {{"query", "plan"}}},
        ToolRow{"summarize_messages", {{"channel", kIncidentRoom}}},
        ToolRow{"analyze_conversation", {{"channel", kIncidentRoom}, {"analysis_type", "topics"}}},
        ToolRow{"post_slack_message", {{"channel", kIncidentRoom}, {"text", "hello"}}},
        ToolRow{"upload_slack_file", {{"channel", kIncidentRoom}, {"filename", "a.txt"}, {"content", "hello"}}},
        ToolRow{"add_slack_reaction", {{"channel", kIncidentRoom}, {"timestamp", "@ts"}, {"emoji", "eyes"}}}),
    [](const auto& row) { return row.param.tool; });

class SlackMemberReads : public SlackToolVisibility {};

TEST_P(SlackMemberReads, WhatANonMemberDoesNot) { EXPECT_THAT(told(kAna), HasSubstr("secret")); }

INSTANTIATE_TEST_SUITE_P(By, SlackMemberReads,
                         testing::Values(ToolRow{"list_slack_messages", {{"channel", "incident-room"}}},
                                         ToolRow{"list_slack_replies",
                                                 {{"channel", kIncidentRoom}, {"thread_ts", "@ts"}}},
                                         ToolRow{"read_slack_file", {{"file_id", "@file"}}}),
                         [](const auto& row) { return row.param.tool; });

class SlackPast : public SlackVisibility {
 protected:
  SlackPast() { own_tools_ = false; }

  /// A task that works, or worked, in the background for Ana in the private channel.
  std::string task_in_the_room() {
    script(ModelScript()
               .calls("list_slack_users", {{"limit", 5}, {"background", true}})
               .then_says("They are all here: it is a secret."));
    serve();
    const std::string ts = mention(kAna, "who is here? It is a secret.", kIncidentRoom);
    until_shown(ts, "They are all here: it is a secret.", kIncidentRoom);
    say(kAna, "tasks", ts, kIncidentRoom, true);
    const std::string words = until_whispered(kAna, "Background tasks of this thread:");
    const std::size_t at = words.find("run `");
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? "" : words.substr(at + 5, 26);
  }
  /// What the model is told of a call when this person asks in a direct message.
  std::string told_to(const std::string& user, const std::string& tool, json::object arguments) {
    stop();
    script(ModelScript().calls(tool, std::move(arguments)).then_says("That is it."));
    serve();
    const std::string ts = mention(user, "look it up", direct(user));
    until_shown(ts, "That is it.", direct(user));
    stop();
    return asked(1);
  }
};

TEST_F(SlackPast, OfAPrivateChannelIsFoundByItsMembersOnly) {
  task_in_the_room();
  const json::object query{{"query", "all here"}};
  expect_nothing_of_it(told_to(kBo, "search_history", query));
  EXPECT_THAT(told_to(kAna, "search_history", query), HasSubstr("it is a secret"));
}

TEST_F(SlackPast, ATaskOfAPrivateChannelIsToldToItsMembersOnly) {
  const json::object task{{"task_id", task_in_the_room()}};
  const std::string told = told_to(kBo, "get_background_task", task);
  expect_nothing_of_it(told);
  EXPECT_THAT(told, AllOf(HasSubstr("there is no task"), Not(HasSubstr("accounts of the workspace"))));
  EXPECT_THAT(told_to(kAna, "get_background_task", task), HasSubstr("accounts of the workspace"));
}

TEST_F(SlackPast, TasksOfAPrivateChannelAreNotListedForOthers) {
  const std::string task = task_in_the_room();
  const std::string told = told_to(kBo, "list_background_tasks", {});
  expect_nothing_of_it(told);
  EXPECT_THAT(told, Not(HasSubstr(task)));
}

TEST_F(SlackPast, ANonMemberCancelsNoTaskOfAPrivateChannel) {
  const json::object task{{"task_id", task_in_the_room()}};
  const std::string told = told_to(kBo, "cancel_background_task", task);
  expect_nothing_of_it(told);
  EXPECT_THAT(told, HasSubstr("there is no task"));
  EXPECT_THAT(told_to(kAna, "cancel_background_task", task), Not(HasSubstr("there is no task")));
}

TEST_F(SlackPast, SubRunsOfAPrivateChannelAreToldToItsMembersOnly) {
  script(ModelScript()
             .calls("start_sub_run", {{"task", "say what the secret is"}, {"label", "the secret"}})
             .says("It is a secret.")
             .says("It is done.")
             .calls("list_sub_runs", {})
             .then_says("It is listed."));
  serve();
  const std::string ts = mention(kAna, "hand it over", kIncidentRoom);
  until_shown(ts, "It is done.", kIncidentRoom);
  say(kAna, "list it", ts, kIncidentRoom, true);
  until_shown(ts, "It is listed.", kIncidentRoom);
  stop();
  const std::string listed = asked(model_->requests().size() - 1);
  const std::size_t end = listed.rfind(": the secret");
  ASSERT_NE(end, std::string::npos) << listed;
  const json::object sub_run{{"id", listed.substr(listed.rfind('\n', end) + 1, 26)}};
  expect_nothing_of_it(told_to(kBo, "list_sub_runs", {}));
  const std::string told = told_to(kBo, "get_sub_run", sub_run);
  expect_nothing_of_it(told);
  EXPECT_THAT(told, HasSubstr("there is no sub-run"));
  EXPECT_THAT(told_to(kAna, "get_sub_run", sub_run), HasSubstr("It is a secret."));
}

// ---- Words and commands.

struct WordRow {
  std::string word;
  std::string members_see;
};
void PrintTo(const WordRow& row, std::ostream* out) { *out << row.word; }

class SlackWordVisibility : public SlackVisibility, public testing::WithParamInterface<WordRow> {
 protected:
  /// A run that has ended, a task, a grant and an approval that waits, all in the private channel.
  void much_happens_in_the_room() {
    script(ModelScript()
               .calls("search_notes", {{"query", "checkout"}, {"background", true}})
               .says("Aurora is being looked for.")
               .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
               .says("Aurora is restarted.")
               .calls("restart_service", {{"service", "search"}, {"environment", "prod"}}));
    serve();
    thread_ = mention(kAna, "find aurora", kIncidentRoom);
    until_shown(thread_, "Aurora is being looked for.", kIncidentRoom);
    say(kAna, "restart it for aurora", thread_, kIncidentRoom);
    const std::string card = until_found("approve_once", thread_, kIncidentRoom);
    click(kAna, card, "approve_for_thread", kIncidentRoom);
    until_shown(thread_, "Aurora is restarted.", kIncidentRoom);
    say(kAna, "search for aurora again", thread_, kIncidentRoom);
    ASSERT_TRUE(until([&] { return find("approve_once", thread_, kIncidentRoom) > card; })) << "another card";
    const std::string details = json::serialize(messages(thread_, kIncidentRoom));
    const std::size_t at = details.find("run:details:");
    ASSERT_NE(at, std::string::npos);
    run_ = details.substr(at + 12, 26);
  }
  std::size_t lines_for(const std::string& user) {
    const std::string all = whispered_to(user);
    return static_cast<std::size_t>(std::ranges::count(all, '\n'));
  }
  /// All that Bo is told when he writes the word in another channel, and uses it as a command.
  std::string told_to_bo(const std::string& word) {
    const std::string at = mention(kBo, word);
    EXPECT_TRUE(until([&] { return lines_for(kBo) + messages(at).size() > 1; })) << "it is answered";
    const std::size_t before = lines_for(kBo);
    command(kBo, word);
    EXPECT_TRUE(until([&] { return lines_for(kBo) > before; })) << "the command is answered";
    return whispered_to(kBo) + thread(at);
  }

  std::string thread_;
  std::string run_;
};

TEST_P(SlackWordVisibility, TellsMembersOnly) {
  much_happens_in_the_room();
  const bool shows = GetParam().word == "show";
  const std::string word = shows ? "show " + run_ : GetParam().word;
  const std::string told = told_to_bo(word);
  for (const char* of_the_room : {"aurora", "restart_service", "search_notes", "checkout", "incident-room"})
    EXPECT_THAT(told, Not(HasSubstr(of_the_room)));
  if (!shows) EXPECT_THAT(told, Not(HasSubstr(run_)));

  say(kAna, word, thread_, kIncidentRoom, true);
  EXPECT_TRUE(
      until([&] { return (whispered_to(kAna) + thread(thread_, kIncidentRoom)).contains(GetParam().members_see); }));
}

INSTANTIATE_TEST_SUITE_P(Of, SlackWordVisibility,
                         testing::Values(WordRow{"status", "1 run here:"},
                                         WordRow{"approvals", "These wait for your approval:"},
                                         WordRow{"cost", "This thread:"},
                                         WordRow{"tasks", "Background tasks of this thread:"},
                                         WordRow{"grants", "Granted in this thread:"}, WordRow{"show", "Calls:"}),
                         [](const auto& row) { return row.param.word; });

TEST_F(SlackWordVisibility, ANonMemberStopsAndDeletesNothingThere) {
  much_happens_in_the_room();
  told_to_bo("stop");
  told_to_bo("delete");
  EXPECT_THAT(thread(thread_, kIncidentRoom), AllOf(HasSubstr("Aurora is restarted."), HasSubstr("Approve once")));
}

TEST_F(SlackWordVisibility, ANonMemberMarksAndMutesNothingThere) {
  much_happens_in_the_room();
  told_to_bo("feedback wrong");
  told_to_bo("mute 2h");
  say(kAna, "feedback helpful", thread_, kIncidentRoom, true);
  EXPECT_THAT(until_whispered(kAna, "Thank you"), Not(HasSubstr("muted")));
  stop();
  EXPECT_THAT(audited("feedback_wrong"), SizeIs(0));
  EXPECT_THAT(audited("feedback_helpful"), SizeIs(1));
  EXPECT_THAT(json::serialize(audited("muted")), AllOf(HasSubstr(kOps), Not(HasSubstr(kIncidentRoom))));
}

TEST_F(SlackVisibility, ANonMemberRunsNoMissedRequestOfIt) {
  using namespace std::chrono_literals;
  serve();
  stop();
  const auto ago = [&](std::chrono::minutes time) { return clients::slack::ts_of(clock_.now() - time); };
  {
    const auto store = store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder_ / "data"});
    ASSERT_OK(store);
    must((*store)->set_cursor("slack", ago(120min)));
  }
  const std::string asked_at = ago(60min);
  control("say", {{"user", kAna},
                  {"channel", kIncidentRoom},
                  {"text", "restart the secret"},
                  {"mention", true},
                  {"ts", asked_at}});
  script(ModelScript().says("It is done."));
  serve();
  until_shown(asked_at, "Run it now", kIncidentRoom);
  const std::string by_bo = mention(kBo, "run it now");
  expect_nothing_of_it(until_shown(by_bo, "There is no missed request here."));
  command(kBo, "run it now");
  expect_nothing_of_it(until_whispered(kBo, "There is no missed request here."));
  say(kAna, "run it now", asked_at, kIncidentRoom, true);
  until_shown(asked_at, "It is done.", kIncidentRoom);
  stop();
  EXPECT_THAT(model_->requests(), SizeIs(1));
}

TEST_F(SlackVisibility, HomeShowsNothingOfIt) {
  script(ModelScript().calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}}).then_says("Done."));
  serve();
  const std::string ts = mention(kAna, "restart the secret", kIncidentRoom);
  until_found("approve_once", ts, kIncidentRoom);
  control("open_home", {{"user", kBo}, {"tab", "home"}});
  auto& workspace = simulator_->world().workspace;
  ASSERT_TRUE(until([&] { return workspace.home_views.contains(kBo); }));
  EXPECT_THAT(json::serialize(workspace.views.at(workspace.home_views.at(kBo)).body),
              Not(HasSubstr("restart_service")));
}

}  // namespace
}  // namespace deputy::test
