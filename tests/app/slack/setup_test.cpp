// Setting Slack up with the real program, against the simulator: `config init slack` and `doctor`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <fstream>

#include "app/program.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "clients/slack/scopes.h"
#include "net/client.h"
#include "sim/slack/kit/manifest.h"
#include "sim/slack/simulator.h"

namespace deputy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kToken = "xoxe.xoxp-fake-configuration-token";

class SlackSetup : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
    deputy_.loop = &loop_;
    deputy_.variables = {{"SLACK_API_URL", simulator_->address() + "/api/"}};
    control("limits", {{"tiers", {{"1", 1000}}}});
  }
  void TearDown() override {
    http_.reset();
    await(simulator_->stop());
  }

  void control(const std::string& name, const json::object& body) {
    const net::Response response = must(http_->send({.method = "POST",
                                                     .url = simulator_->address() + "/control/" + name,
                                                     .headers = {{"Content-Type", "application/json"}},
                                                     .body = json::serialize(body)}));
    EXPECT_EQ(response.status, 200) << response.body;
  }
  ProcessEnd init(std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {"config", "init", "slack"});
    return deputy_.run(std::move(flags));
  }
  void set_tokens() {
    deputy_.variables.emplace("SLACK_BOT_TOKEN", "xoxb-fake-bot-token");
    deputy_.variables.emplace("SLACK_APP_TOKEN", "xapp-fake-app-token");
  }
  ProcessEnd doctor() {
    set_tokens();
    return deputy_.run({"doctor"});
  }
  /// All that was written to files under the program's home.
  std::string everything_written() const {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(deputy_.folder / "home")) {
      if (entry.is_regular_file()) all += read_text(entry.path());
    }
    return all;
  }
  static std::string read_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  SystemClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
  test::Program deputy_;
};

// ---- config init slack

TEST_F(SlackSetup, PrintsAManifestThatSlackAccepts) {
  const ProcessEnd end = init();
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  const Result<json::object> manifest = parse_json_object(end.output);
  ASSERT_OK(manifest) << end.output;
  EXPECT_THAT(sim::slack::check_manifest(*manifest), IsEmpty());
  EXPECT_THAT(end.errors, HasSubstr("From a manifest"));
  EXPECT_THAT(end.errors, HasSubstr("connections:write"));
  EXPECT_THAT(end.errors, HasSubstr("Nobody is named yet who may approve"));
  EXPECT_FALSE(std::filesystem::exists(deputy_.user_file()));
}

TEST_F(SlackSetup, OverHttpTheManifestHasTheAddress) {
  const ProcessEnd end = init({"--transport", "http", "--url", "https://deputy.example.com/"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  const Result<json::object> manifest = parse_json_object(end.output);
  ASSERT_OK(manifest);
  EXPECT_THAT(sim::slack::check_manifest(*manifest), IsEmpty());
  EXPECT_THAT(end.output, HasSubstr("https://deputy.example.com/slack/events"));
  EXPECT_THAT(end.output, HasSubstr("\"socket_mode_enabled\": false"));
  EXPECT_THAT(end.errors, HasSubstr("SLACK_SIGNING_SECRET"));
  EXPECT_THAT(read_text(deputy_.user_file()), HasSubstr("transport: http"));
}

TEST_F(SlackSetup, OverHttpWithoutAnAddressIsWrongUsage) {
  const ProcessEnd none = init({"--transport", "http"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("--url https://"));
  EXPECT_EQ(init({"--transport", "http", "--url", "http://deputy.example.com"}).exit_code, 2);
  EXPECT_EQ(init({"--url", "https://deputy.example.com"}).exit_code, 2);
}

TEST_F(SlackSetup, WritesAccessAndApproversThatTheSettingsAccept) {
  const ProcessEnd end = init({"--approver", "T1/U1", "--approver", "S1", "--approver", "ana@example.com", "--channel",
                               "C1", "--channel", "C2"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("Wrote " + deputy_.user_file().string()));
  const ProcessEnd check = deputy_.run({"config", "check"});
  EXPECT_EQ(check.exit_code, 0) << check.output;
  const std::string shown = deputy_.run({"config", "show"}).output;
  EXPECT_THAT(shown, HasSubstr("T1/U1"));
  EXPECT_THAT(shown, HasSubstr("ana@example.com"));
  EXPECT_THAT(shown, HasSubstr("C2"));
}

TEST_F(SlackSetup, NeverChangesAFileThatExists) {
  deputy_.write_user("timezone: UTC\n");
  const ProcessEnd end = init({"--approver", "T1/U1"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_EQ(read_text(deputy_.user_file()), "timezone: UTC\n");
  EXPECT_THAT(end.errors, HasSubstr("exists and was not changed. Add to it:"));
  EXPECT_THAT(end.errors, HasSubstr("people: [\"T1/U1\"]"));
}

TEST_F(SlackSetup, RefusesWhatIsNoIdOfAnApproverOrAChannel) {
  for (const std::string entry : {"ana", "U1", "@ana", "T1:U1"}) {
    const ProcessEnd end = init({"--approver", entry});
    EXPECT_EQ(end.exit_code, 2) << entry;
    EXPECT_THAT(end.errors, HasSubstr("T1/U1")) << entry;
  }
  EXPECT_EQ(init({"--channel", "#ops"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(deputy_.user_file()));
}

TEST_F(SlackSetup, CreatesTheAppByATokenThatIsKeptNowhere) {
  const std::filesystem::path file = deputy_.folder.write("token", std::string(kToken) + "\n");
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  deputy_.variables["DEPUTY_LOG__LEVEL"] = "debug";
  const ProcessEnd end = init({"--configuration-token-file", file.string(), "--approver", "T1/U1"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  const auto& workspace = simulator_->world().workspace;
  EXPECT_EQ(end.output, "created the app " + workspace.app.id + "\n");
  EXPECT_THAT(end.errors, HasSubstr("/oauth/v2/authorize"));
  EXPECT_EQ(workspace.tokens.front().scopes.size(), clients::slack::bot_scopes().size());
  for (const std::string& secret :
       {std::string(kToken), workspace.app.signing_secret, std::string("fake-client-secret")})
    EXPECT_THAT(end.output + end.errors + everything_written(), Not(HasSubstr(secret)));
}

TEST_F(SlackSetup, TakesTheTokenFromTheEnvironmentOnlyWhenAskedToCreate) {
  deputy_.variables["SLACK_CONFIGURATION_TOKEN"] = kToken;
  EXPECT_THAT(init().output, HasSubstr("display_information"));
  const ProcessEnd end = init({"--create", "--json"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  const Result<json::object> document = parse_json_object(end.output);
  ASSERT_OK(document) << end.output;
  EXPECT_EQ(text_at(*document, "app_id"), simulator_->world().workspace.app.id);
  EXPECT_THAT(end.output + end.errors, Not(HasSubstr(kToken)));
}

TEST_F(SlackSetup, SaysWhatIsWrongWithAToken) {
  const ProcessEnd none = init({"--create"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("SLACK_CONFIGURATION_TOKEN"));
  deputy_.variables["SLACK_CONFIGURATION_TOKEN"] = "xoxb-fake-bot-token";
  const ProcessEnd other = init({"--create"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.errors, HasSubstr("begins with xoxe.xoxp-"));
  EXPECT_THAT(other.errors, Not(HasSubstr("fake-bot")));
  deputy_.variables["SLACK_CONFIGURATION_TOKEN"] = "xoxe.xoxp-of-yesterday";
  const ProcessEnd expired = init({"--create"});
  EXPECT_EQ(expired.exit_code, 1);
  EXPECT_THAT(expired.errors, HasSubstr("valid for 12 hours"));
  EXPECT_THAT(expired.errors, Not(HasSubstr("yesterday")));
}

// ---- doctor

TEST_F(SlackSetup, DoctorSaysWhatToSetWithoutATokenOfSlack) {
  EXPECT_THAT(deputy_.run({"doctor"}).output, ContainsRegex("slack +not set up .*SLACK_BOT_TOKEN"));
}

TEST_F(SlackSetup, DoctorFindsAWorkingAppAndAsksForAMention) {
  const ProcessEnd end = doctor();
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, ContainsRegex("slack bot token +ok +deputy in "));
  EXPECT_THAT(end.output, ContainsRegex("slack app token +ok +Socket Mode can connect"));
  EXPECT_THAT(end.output, ContainsRegex("slack scopes +ok +all 21 granted"));
  EXPECT_THAT(end.output, ContainsRegex("slack events +unknown +no mention seen yet; mention me now"));
}

TEST_F(SlackSetup, DoctorKnowsThatAMentionHasArrived) {
  deputy_.write_user("serve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n");
  set_tokens();
  asio::cancellation_signal stop;
  bool ended = false;
  asio::co_spawn(loop_, run_process(deputy_.spec_of({DEPUTY_PROGRAM, "serve"})),
                 asio::bind_cancellation_slot(
                     stop.slot(), [&](const std::exception_ptr&, const Result<ProcessEnd>&) { ended = true; }));
  sim::slack::World& world = simulator_->world();
  const auto wait_for = [&](const std::function<bool()>& happened) {
    return test::run_until_within(std::chrono::seconds(20), loop_, happened);
  };
  ASSERT_TRUE(wait_for([&] { return !world.deliveries.sockets.connections().empty(); }));
  control("say", {{"user", "U0ANA000001"}, {"channel", "ops"}, {"text", "hello"}, {"mention", true}});
  EXPECT_TRUE(wait_for([&] {
    return std::ranges::any_of(world.workspace.channels.at("C0OPS000001").messages,
                               [&](const auto& message) { return message.user == world.workspace.app.bot_user; });
  }));
  stop.emit(asio::cancellation_type::terminal);
  ASSERT_TRUE(wait_for([&] { return ended; }));
  EXPECT_THAT(doctor().output, ContainsRegex("slack events +ok +mentions have arrived"));
}

TEST_F(SlackSetup, DoctorNamesAMissingScopeAndTheFeatureThatIsOff) {
  control("token", {{"token", "xoxb-fake-bot-token"}, {"remove_scopes", json::array{"files:write"}}});
  const ProcessEnd end = doctor();
  EXPECT_EQ(end.exit_code, 1) << end.output;
  EXPECT_THAT(end.output, ContainsRegex("slack files:write +broken +off without this scope: long answers as files"));
}

TEST_F(SlackSetup, DoctorSaysWhichTokenIsWrong) {
  deputy_.variables["SLACK_BOT_TOKEN"] = "xoxb-of-another-app";
  deputy_.variables["SLACK_APP_TOKEN"] = "xoxb-fake-bot-token";
  const ProcessEnd end = doctor();
  EXPECT_EQ(end.exit_code, 1) << end.output;
  EXPECT_THAT(end.output, ContainsRegex("slack bot token +broken .*SLACK_BOT_TOKEN"));
  EXPECT_THAT(end.output, ContainsRegex("slack app token +broken .*SLACK_APP_TOKEN .*connections:write"));
  EXPECT_THAT(end.output + end.errors, Not(HasSubstr("another-app")));
}

TEST_F(SlackSetup, DoctorKnowsABotTokenFromOthers) {
  deputy_.variables["SLACK_BOT_TOKEN"] = "xoxp-fake-user-token";
  EXPECT_THAT(doctor().output, ContainsRegex("slack bot token +broken +this is not the token of a bot"));
}

TEST_F(SlackSetup, DoctorLooksAtTheChannelsThatSettingsSendTo) {
  deputy_.write_user("channels: {slack: {alert_channel: C0OPS000001}}\napprovals: {channel: C0RANDOM001}\n");
  const ProcessEnd end = doctor();
  EXPECT_EQ(end.exit_code, 1) << end.output;
  EXPECT_THAT(end.output, ContainsRegex("slack channel C0OPS000001 +ok +#ops"));
  EXPECT_THAT(end.output, ContainsRegex("slack channel C0RANDOM001 +broken .*#random; invite the bot"));
}

TEST_F(SlackSetup, DoctorOverHttpNeedsNoAppToken) {
  deputy_.write_user("channels: {slack: {transport: http}}\n");
  deputy_.variables["SLACK_APP_TOKEN"] = "";
  EXPECT_THAT(doctor().output, ContainsRegex("slack +not set up .*SLACK_SIGNING_SECRET"));
  deputy_.variables["SLACK_SIGNING_SECRET"] = "fake-signing-secret-of-the-simulator";
  EXPECT_THAT(doctor().output, ContainsRegex("slack signing secret +ok"));
}

// ---- The guide

TEST(SlackGuide, ListsEveryScopeWithItsFeature) {
  std::ifstream in(std::string(DEPUTY_SOURCE) + "/docs/slack.md");
  const std::string guide{std::istreambuf_iterator<char>(in), {}};
  for (const clients::slack::Scope& scope : clients::slack::bot_scopes())
    EXPECT_THAT(guide, HasSubstr(fmt::format("| `{}` | {} |", scope.name, scope.feature)));
}

}  // namespace
}  // namespace deputy
