// Every call that Deputy makes to Slack, over real sockets against the simulator.
#include "clients/slack/calls.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "sim/slack/simulator.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/scripted_http.h"

namespace deputy::clients::slack {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

constexpr const char* kOps = "C0OPS000001";
constexpr const char* kAna = "U0ANA000001";

class SlackCalls : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
    api_ = std::make_unique<Api>(settings(), *http_, clock_);
  }
  void TearDown() override {
    http_.reset();
    await(simulator_->stop());
  }

  Settings settings() const {
    Settings settings;
    settings.bot_token = Secret("xoxb-fake-bot-token");
    settings.app_token = Secret("xapp-fake-app-token");
    settings.api_url = simulator_->address() + "/api";  // without its slash
    return settings;
  }

  json::object control(const std::string& name, const json::object& body) {
    net::Request request{.method = "POST",
                         .url = simulator_->address() + "/control/" + name,
                         .headers = {{"Content-Type", "application/json"}},
                         .body = json::serialize(body)};
    const Result<json::object> answer = parse_json_object(must(http_->send(std::move(request))).body);
    EXPECT_OK(answer);
    return answer.value_or(json::object());
  }
  Sent post(std::string text, std::string thread = {}) {
    return must(post_message(*api_, {.channel = kOps, .thread = std::move(thread), .text = std::move(text)}));
  }
  std::vector<std::string> texts_in_ops() {
    std::vector<std::string> texts;
    for (const auto& message : simulator_->world().workspace.channels.at(kOps).messages)
      texts.push_back(text_at(message.body, "text"));
    return texts;
  }
  static json::object fault(std::string method, json::object what, int times = 1) {
    what["on"] = "api";
    what["name"] = std::move(method);
    what["times"] = times;
    return what;
  }

  test::ManualClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
  std::unique_ptr<Api> api_;
};

TEST_F(SlackCalls, KnowWhoTheyAre) {
  const Self self = must(auth_test(*api_));
  EXPECT_EQ(self.user, "U0DEPUTY001");
  EXPECT_FALSE(self.team.empty());
  EXPECT_FALSE(self.is_org_wide);
  EXPECT_THAT(api_->scopes(), HasSubstr("chat:write"));
}

TEST_F(SlackCalls, OpenASocket) { EXPECT_THAT(must(open_connection(*api_)), HasSubstr("ws://127.0.0.1")); }

TEST_F(SlackCalls, PostEditAndDelete) {
  const Sent first = post("first");
  const Sent second = post("second", first.ts);
  must(update_message(*api_, first.ts, {.channel = kOps, .text = "edited"}));
  must(delete_message(*api_, kOps, second.ts));
  EXPECT_THAT(texts_in_ops(), testing::ElementsAre("edited"));
  must(post_ephemeral(*api_, kAna, {.channel = kOps, .text = "only you"}));
}

TEST_F(SlackCalls, StreamTextAndTasks) {
  const Sent root = post("question");
  const std::string team = must(auth_test(*api_)).team;
  const Sent stream = must(start_stream(*api_, {.channel = kOps, .thread = root.ts, .team = team, .user = kAna}));
  const json::object task{{"type", "task_update"}, {"id", "c1"}, {"title", "Search logs"}, {"status", "in_progress"}};
  must(append_stream(*api_, stream, {task}));
  must(append_stream(*api_, stream, {json::object{{"type", "markdown_text"}, {"text", "30 hits"}}}));
  must(stop_stream(*api_, stream, {}, {}, {}));
  const Result<> late = await(append_stream(*api_, stream, {json::object{{"type", "markdown_text"}, {"text", "x"}}}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::conflict);
}

TEST_F(SlackCalls, ShowThatTheyWork) {
  const Sent root = post("question");
  must(set_status(*api_, kOps, root.ts, "is searching logs…"));
  must(set_status(*api_, kOps, root.ts, ""));
  must(react(*api_, kOps, root.ts, "eyes", Reacted::on));
  must(react(*api_, kOps, root.ts, "eyes", Reacted::on));
  must(react(*api_, kOps, root.ts, "eyes", Reacted::off));
  must(react(*api_, kOps, root.ts, "eyes", Reacted::off));
}

TEST_F(SlackCalls, ReadAThreadFromItsRootToItsNewest) {
  control("limits", {{"posts", {{"burst", 1000}}}, {"methods", {{"chat.postMessage", 1000}}}});
  const Sent root = post("root");
  for (int i = 1; i <= 230; ++i) post("reply " + std::to_string(i), root.ts);
  const Messages read = must(read_thread(*api_, kOps, root.ts, {.most = 3}));
  std::vector<std::string> texts;
  for (const json::value& message : read.messages) texts.push_back(text_at(message.as_object(), "text"));
  EXPECT_THAT(texts, testing::ElementsAre("root", "reply 229", "reply 230"));
  EXPECT_EQ(read.left_out, 228U);
  EXPECT_FALSE(read.has_more);
}

TEST_F(SlackCalls, ReadAChannelOldestFirst) {
  post("one");
  post("two");
  const Messages read = must(read_channel(*api_, kOps, {.most = 10}));
  ASSERT_GE(read.messages.size(), 2U);
  EXPECT_EQ(text_at(read.messages[read.messages.size() - 2].as_object(), "text"), "one");
  EXPECT_EQ(text_at(read.messages.back().as_object(), "text"), "two");
}

TEST_F(SlackCalls, ReadAChannelPageByPageAndSayWhatWasNotRead) {
  control("limits", {{"posts", {{"burst", 1000}}}, {"methods", {{"chat.postMessage", 1000}}}});
  for (int i = 1; i <= 230; ++i) post(std::to_string(i));
  const auto read = [&](std::size_t most) { return must(read_channel(*api_, kOps, {.most = most})); };
  const Messages all = read(300);
  EXPECT_EQ(all.messages.size(), 230U);
  EXPECT_FALSE(all.has_more);
  EXPECT_EQ(text_at(all.messages.front().as_object(), "text"), "1");
  const Messages newest = read(210);
  EXPECT_EQ(newest.messages.size(), 210U);
  EXPECT_TRUE(newest.has_more);
  EXPECT_EQ(text_at(newest.messages.front().as_object(), "text"), "21");
}

TEST_F(SlackCalls, WhatARateLimitEndsEarlyIsReadUpToThere) {
  control("limits",
          {{"posts", {{"burst", 1000}}}, {"methods", {{"chat.postMessage", 1000}, {"conversations.history", 1}}}});
  for (int i = 1; i <= 210; ++i) post(std::to_string(i));
  const Messages read = must(read_channel(*api_, kOps, {.most = 300}));
  EXPECT_EQ(read.messages.size(), 200U);
  EXPECT_TRUE(read.has_more);
}

TEST_F(SlackCalls, SearchByTheTokenOfTheAskersMessage) {
  post("the pool is exhausted");
  const Asker ana{"slack:T1:C1:1", "slack:T1/U1"};
  const auto search = [&](const Asker& asker) { return await(search_for(*api_, asker, "pool", 5)); };
  EXPECT_FAILS(search(ana), not_configured);
  api_->keep_action_token(ana, Secret("old"));
  EXPECT_FAILS(search(ana), invalid_input);
  simulator_->world().workspace.action_tokens["new"] = kAna;
  api_->keep_action_token(ana, Secret("new"));
  const auto found = search(ana);
  ASSERT_OK(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().channel, kOps);
  EXPECT_EQ(found->front().text, "the pool is exhausted");
  EXPECT_FAILS(search({ana.conversation, "slack:T1/U2"}), not_configured) << "a token is one person's";
}

TEST_F(SlackCalls, KnowChannelsAndPeople) {
  const ChannelInfo ops = must(channel_info(*api_, kOps));
  EXPECT_EQ(ops.name, "ops");
  EXPECT_FALSE(ops.app_is_outside);
  EXPECT_TRUE(must(channel_info(*api_, "C0RANDOM001")).app_is_outside);
  EXPECT_FALSE(ops.is_private);
  EXPECT_TRUE(must(channel_info(*api_, "C0SHARED001")).is_external);
  EXPECT_TRUE(must(channel_info(*api_, "C0INCIDENT1")).is_private);
  EXPECT_THAT(must(channel_members(*api_, kOps)), Contains(kAna));
  std::vector<std::string> own;
  for (const ChannelInfo& one : must(list_channels(*api_, "public_channel,private_channel", 100, Listed::only_own)))
    own.push_back(one.name);
  EXPECT_THAT(own, IsSupersetOf({"ops", "general", "incident-room"}));
  EXPECT_THAT(own, testing::Not(Contains("random")));

  const User ana = must(user_info(*api_, kAna));
  EXPECT_FALSE(ana.name.empty());
  EXPECT_FALSE(ana.is_guest || ana.is_bot || ana.is_deactivated || ana.is_stranger);
  EXPECT_TRUE(must(user_info(*api_, "U0CY0000001")).is_guest);
  EXPECT_TRUE(must(user_info(*api_, "U0EVE000001")).is_deactivated);
  EXPECT_TRUE(must(user_info(*api_, "U0ALERTS001")).is_bot);
  EXPECT_GE(must(list_users(*api_, 100)).size(), 6U);
  EXPECT_FALSE(must(group_members(*api_, "S0ONCALL001")).empty());
  EXPECT_TRUE(must(open_direct(*api_, kAna)).starts_with("D"));
}

TEST_F(SlackCalls, AnAppIsOutsideOfAChannelOnlyIfSlackSaysSo) {
  test::ScriptedHttp http;
  http.answers({.pieces = {R"({"ok": true, "channel": {"id": "C1", "name": "ops"}})"}});
  Api api(settings(), http, clock_);
  EXPECT_FALSE(must(channel_info(api, "C1")).app_is_outside);
}

TEST_F(SlackCalls, UploadAndDownloadAFile) {
  const std::string id = must(upload_file(
      *api_, {.channel = kOps, .name = "answer.md", .title = "The whole answer", .content = "# All of it"}));
  const FileInfo info = must(file_info(*api_, id));
  EXPECT_EQ(info.name, "answer.md");
  EXPECT_EQ(info.size, 11);
  EXPECT_EQ(must(api_->download(info.url, 1000)), "# All of it");
  EXPECT_FALSE(await(api_->download("https://example.com/file", 1000))) << "the token goes to Slack only";
  std::string other_name = info.url;
  other_name.replace(other_name.find("127.0.0.1"), std::string_view("127.0.0.1").size(), "localhost");
  EXPECT_EQ(must(api_->download(other_name, 1000)), "# All of it") << "the same machine";
}

struct AddressRow {
  std::string api_url;
  std::string address;
  bool is_asked;
};
void PrintTo(const AddressRow& row, std::ostream* out) { *out << row.address << " with " << row.api_url; }

class SlackAddresses : public SlackCalls, public testing::WithParamInterface<AddressRow> {};

TEST_P(SlackAddresses, AreAskedOnlyWhereTheTokenIsSafe) {
  Settings with_address = settings();
  with_address.api_url = GetParam().api_url;
  test::ScriptedHttp http;
  http.answers({.headers = {}, .pieces = {"content"}});
  Api api(with_address, http, clock_);
  EXPECT_EQ(await(api.download(GetParam().address, 1000)).has_value(), GetParam().is_asked);
  EXPECT_EQ(http.asked().size(), GetParam().is_asked ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Of, SlackAddresses,
    testing::Values(AddressRow{"https://slack.com/api/", "https://files.slack.com/f", true},
                    AddressRow{"https://slack.com/api/", "http://files.slack.com/f", false},
                    AddressRow{"https://slack.com/api/", "http://slack.com/f", false},
                    AddressRow{"https://slack.com/api/", "http://127.0.0.1/f", false},
                    AddressRow{"https://slack.example.com/api/", "https://slack.example.com/f", true},
                    AddressRow{"http://localhost:8118/api/", "http://127.0.0.1:8118/f", true},
                    AddressRow{"http://127.0.0.1:8118/api/", "http://slack.example.com/f", false}));

TEST_F(SlackCalls, PublishAHome) {
  const json::object text{{"type", "plain_text"}, {"text", "Nothing waits for you."}};
  const json::object view{{"type", "home"}, {"blocks", json::array{json::object{{"type", "section"}, {"text", text}}}}};
  must(publish_home(*api_, kAna, view));
}

TEST_F(SlackCalls, ALimitIsAnsweredAndNotWaitedFor) {
  control("fault", fault("chat.postMessage", {{"kind", "status"}, {"status", 429}, {"retry_after", 9}}));
  const Result<Sent> refused = await(post_message(*api_, {.channel = kOps, .text = "hello"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::rate_limit);
  EXPECT_EQ(refused.error().retry_after, std::chrono::seconds(9));
  // Slack is not asked again before that.
  EXPECT_FALSE(await(post_message(*api_, {.channel = kOps, .text = "hello"})));
  clock_.advance(std::chrono::seconds(9));
  EXPECT_OK(await(post_message(*api_, {.channel = kOps, .text = "hello"})));
  EXPECT_THAT(texts_in_ops(), testing::ElementsAre("hello"));
}

TEST_F(SlackCalls, APostOfUnknownFateIsNotRepeated) {
  for (const json::object& what :
       {json::object{{"kind", "lose_response"}}, json::object{{"kind", "status"}, {"status", 503}},
        json::object{{"kind", "error"}, {"error", "fatal_error"}}}) {
    control("fault", fault("chat.postMessage", what));
    const Result<Sent> sent = await(post_message(*api_, {.channel = kOps, .text = "once"}));
    ASSERT_FALSE(sent);
    const ErrorKind kind = sent.error().kind;
    EXPECT_TRUE(kind == ErrorKind::network || kind == ErrorKind::timeout) << describe(sent.error());
  }
  EXPECT_LE(texts_in_ops().size(), 1U) << "the lost response had its effect, the others none";
}

TEST_F(SlackCalls, AStatusThatRefusesMeansThatNothingWasCarriedOut) {
  for (const int status : {400, 401, 403, 404, 501}) {
    control("fault", fault("chat.postMessage", {{"kind", "status"}, {"status", status}}));
    const Result<Sent> sent = await(post_message(*api_, {.channel = kOps, .text = "never"}));
    ASSERT_FALSE(sent);
    EXPECT_THAT(sent.error().kind, testing::AnyOf(ErrorKind::upstream, ErrorKind::not_configured)) << status;
    EXPECT_FALSE(sent.error().retryable) << status;
  }
  EXPECT_THAT(texts_in_ops(), testing::IsEmpty());
}

TEST_F(SlackCalls, AStatusThatRefusesMaySayWhyInItsBody) {
  control("fault", fault("users.info", {{"kind", "status"}, {"status", 404}, {"error", "user_not_found"}}));
  EXPECT_FAILS(await(user_info(*api_, kAna)), not_found);
  control("fault", fault("auth.test", {{"kind", "status"}, {"status", 401}, {"error", "invalid_auth"}}));
  EXPECT_FAILS(await(auth_test(*api_)), authentication);
  EXPECT_OK(await(auth_test(*api_))) << "neither was tried again";
}

TEST_F(SlackCalls, AReadIsTriedAgain) {
  control("fault", fault("conversations.info", {{"kind", "status"}, {"status", 503}}, 2));
  EXPECT_EQ(must(channel_info(*api_, kOps)).name, "ops");
}

TEST_F(SlackCalls, ATokenThatIsMissingIsNamed) {
  Settings without = settings();
  without.app_token = Secret();
  Api api(without, *http_, clock_);
  const Result<std::string> opened = await(open_connection(api));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::not_configured);
  EXPECT_THAT(opened.error().hint, HasSubstr("SLACK_APP_TOKEN"));
}

TEST(SlackForm, SendsListsAsJsonAndLeavesOutNothing) {
  EXPECT_EQ(form_of({{"channel", "C1"}, {"n", 3}, {"yes", true}, {"blocks", {1, "a"}}, {"none", nullptr}}),
            "channel=C1&n=3&yes=true&blocks=%5B1%2C%22a%22%5D");
}

}  // namespace
}  // namespace deputy::clients::slack
