// The app's manifest, judged by the simulator as strictly as Slack judges it, and creating the app.
#include "clients/slack/manifest.h"

#include <gmock/gmock.h>

#include "clients/slack/scopes.h"
#include "net/client.h"
#include "sim/slack/kit/manifest.h"
#include "sim/slack/simulator.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"

namespace deputy::clients::slack {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kToken = "xoxe.xoxp-fake-configuration-token";

std::vector<std::string> problems_of(const json::object& manifest) {
  std::vector<std::string> problems;
  for (const auto& problem : sim::slack::check_manifest(manifest))
    problems.push_back(problem.pointer + ": " + problem.error);
  return problems;
}

TEST(SlackManifest, IsAcceptedForBothTransports) {
  EXPECT_THAT(problems_of(app_manifest("")), IsEmpty());
  EXPECT_THAT(problems_of(app_manifest("https://deputy.example.com/slack/events")), IsEmpty());
}

TEST(SlackManifest, AsTextIsTheSameManifest) {
  const json::object manifest = app_manifest("");
  const std::string text = manifest_text(manifest);
  EXPECT_EQ(parse_json_object(text), manifest);
  EXPECT_THAT(text, HasSubstr("\n        \"chat:write\",\n"));
}

TEST(SlackScopes, EachSaysWhatIsOffWithoutIt) {
  for (const Scope& scope : bot_scopes()) EXPECT_FALSE(scope.feature.empty()) << scope.name;
}

TEST(SlackScopes, NamesTheMissingOnes) {
  std::string granted;
  for (const Scope& scope : bot_scopes()) {
    if (scope.name != "files:write" && scope.name != "im:read") granted += std::string(scope.name) + ", ";
  }
  std::vector<std::string_view> names;
  for (const Scope& scope : missing_scopes(granted)) names.push_back(scope.name);
  EXPECT_THAT(names, ElementsAre("files:write", "im:read"));
  EXPECT_EQ(missing_scopes("").size(), bot_scopes().size());
}

class SlackAppCreation : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
  }
  void TearDown() override {
    http_.reset();
    await(simulator_->stop());
  }
  Result<CreatedApp> create(std::string token, json::object manifest = app_manifest("")) {
    return await(
        create_app(simulator_->address() + "/api", Secret(std::move(token)), std::move(manifest), *http_, clock_));
  }

  test::ManualClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
};

TEST_F(SlackAppCreation, GivesTheAppItsScopesAndEvents) {
  const Result<CreatedApp> app = create(kToken);
  ASSERT_OK(app);
  const auto& workspace = simulator_->world().workspace;
  EXPECT_EQ(app->id, workspace.app.id);
  EXPECT_THAT(app->install_url, HasSubstr("/oauth/v2/authorize"));
  EXPECT_TRUE(workspace.app.socket_mode);
  EXPECT_TRUE(workspace.app.agent_view);
  EXPECT_TRUE(workspace.app.subscriptions.contains("app_mention"));
  std::set<std::string> scopes;
  for (const Scope& scope : bot_scopes()) scopes.emplace(scope.name);
  EXPECT_EQ(workspace.tokens.front().scopes, scopes);
}

TEST_F(SlackAppCreation, SaysHowToGetATokenThatWorks) {
  const Result<CreatedApp> app = create("xoxe.xoxp-somebody-elses");
  ASSERT_FALSE(app);
  EXPECT_EQ(app.error().kind, ErrorKind::authentication);
  EXPECT_THAT(app.error().hint, HasSubstr("configuration token"));
  EXPECT_THAT(describe(app.error()), testing::Not(HasSubstr("somebody")));
}

TEST_F(SlackAppCreation, TellsWhatSlackRefuses) {
  json::object manifest = app_manifest("");
  manifest.erase("display_information");
  const Result<CreatedApp> app = create(kToken, std::move(manifest));
  ASSERT_FALSE(app);
  EXPECT_THAT(describe(app.error()), HasSubstr("invalid_manifest"));
  EXPECT_THAT(describe(app.error()), HasSubstr("display_information"));
}

TEST_F(SlackAppCreation, OfUnknownFateIsNotTriedAgain) {
  const json::object fault{{"on", "api"}, {"name", "apps.manifest.create"}, {"kind", "lose_response"}, {"times", 1}};
  must(http_->send({.method = "POST",
                    .url = simulator_->address() + "/control/fault",
                    .headers = {{"Content-Type", "application/json"}},
                    .body = json::serialize(fault)}));
  const Result<CreatedApp> app = create(kToken);
  ASSERT_FALSE(app);
  EXPECT_THAT(app.error().hint, HasSubstr("may have been created"));
}

}  // namespace
}  // namespace deputy::clients::slack
