// The settings file of behaviour's section 10, and what its keys that have an owner already mean.
#include "app/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "app/build.h"
#include "app/context.h"
#include "app/tools.h"
#include "base/text.h"
#include "config/load.h"
#include "config/reference.h"
#include "config/yaml.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

const std::string& sample_text() {
  static const std::string text = test::read_file(DEPUTY_SOURCE "/tests/app/sample.yaml");
  return text;
}

json::object sample() {
  const auto parsed = config::parse_yaml(
      sample_text(), std::make_shared<const config::Source>(config::SourceKind::file, "sample", "/", false));
  EXPECT_TRUE(parsed.problems.empty());
  return parsed.document.root;
}

TEST(SampleFile, ParsesWithEveryShape) {
  const json::object root = sample();
  EXPECT_EQ(root.size(), 14);
  EXPECT_EQ(json::serialize(root.at("policy").at("rules").at(1)),
            R"({"tool":"shell","allow":["git status","git log( [\\w./-]+)*"]})");
  EXPECT_EQ(root.at("people").at("bo").at("telegram").as_string(), "42");
  EXPECT_EQ(root.at("channels").at("slack").at("bot_token").as_string(), "env:SLACK_BOT_TOKEN");
}

// Keys whose owner is still to come. Whoever brings it takes them off this list.
const std::vector<std::string> kWithoutAnOwner{
    "people.bo.telegram",
};

void take_out(json::object& from, const std::string& path) {
  json::object* object = &from;
  std::string_view rest = path;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    object = &object->at(json::string_view(rest.data(), dot)).as_object();
    rest.remove_prefix(dot + 1);
  }
  ASSERT_EQ(object->erase(json::string_view(rest.data(), rest.size())), 1) << path;
}

config::Loaded<Settings> read(const config::Sources& sources) {
  const SystemClock clock;
  asio::io_context loop;
  return std::move(read_settings(sources, {}, clock, loop.get_executor()).loaded);
}

config::Loaded<Settings> load_sample_without(const std::vector<std::string>& paths) {
  const test::TemporaryFolder folder;
  json::object root = sample();
  for (const std::string& path : paths) take_out(root, path);
  config::Sources sources;
  sources.environment = {{"ANTHROPIC_API_KEY", "sk-sample"},
                         {"SLACK_BOT_TOKEN", "xoxb-1"},
                         {"SLACK_APP_TOKEN", "xapp-1"},
                         {"CORALOGIX_API_KEY", "cx-sample"}};
  sources.places.files = {{config::Role::named, {folder.write("deputy.json", json::serialize(root))}}};
  return read(sources);
}

TEST(SampleFile, AKeyWithoutAnOwnerIsAProblem) {
  for (const std::string& path : kWithoutAnOwner) {
    std::vector<std::string> others = kWithoutAnOwner;
    std::erase(others, path);
    const auto loaded = load_sample_without(others);
    ASSERT_FALSE(loaded.ok()) << path << " has an owner now";
    for (const auto& problem : loaded.problems) EXPECT_THAT(problem.path, testing::StartsWith(path));
  }
}

TEST(SampleFile, EveryKeyThatHasAnOwnerLoads) {
  const auto loaded = load_sample_without(kWithoutAnOwner);
  ASSERT_TRUE(loaded.ok()) << config::describe(loaded.problems.front());
  const Settings& settings = loaded.settings;
  EXPECT_EQ(settings.environment, DeploymentEnvironment::production);
  EXPECT_EQ(settings.timezone, "Europe/Berlin");
  EXPECT_EQ(settings.environments,
            (EnvironmentNames{{"prod", {"production", "live"}}, {"staging", {"stage"}}, {"dev", {"development"}}}));
  EXPECT_EQ(settings.people.at("ana").email, "ana@example.com");
  EXPECT_EQ(settings.roles.at("oncall").may, (std::vector<std::string>{"log_tools", "pipeline_tools"}));
  EXPECT_EQ(settings.access.channels, (std::vector<std::string>{"C1", "C2"}));
  EXPECT_EQ(settings.policy.mode, policy::Mode::ask);
  EXPECT_EQ(settings.policy.approvers.at("slack_tools"), std::vector<std::string>{"ana"});
  EXPECT_EQ(settings.policy.rules.at(1).allow, (std::vector<std::string>{"git status", "git log( [\\w./-]+)*"}));
  EXPECT_EQ(settings.channels.slack.follow, policy::Follow::requester);
  EXPECT_EQ(settings.channels.others.at("C1").default_environment, "prod");
  EXPECT_EQ(settings.models.main.model, "claude-sonnet-5-5");
  EXPECT_EQ(settings.models.completed(settings.models.fast).api_key.reveal(), "sk-sample");
  EXPECT_EQ(settings.models.budgets.person_day_usd, 10);
  const tools::LogToolsSettings& log_tools = settings.tools.log_tools;
  EXPECT_EQ(log_tools.backend, "coralogix");
  EXPECT_EQ(log_tools.coralogix.region, "eu2");
  EXPECT_EQ(log_tools.coralogix.api_key.reveal(), "cx-sample");
  EXPECT_EQ(log_tools.tools.at("search_logs").rate_limits, (toolkit::RateLimits{30, 5}));
  EXPECT_EQ(log_tools.tools.at("search_logs").environments.at("prod").timeout_seconds, 120);
  EXPECT_EQ(settings.tools.workspace_tools.enabled, true);
  EXPECT_EQ(settings.tools.workspace_tools.root, "/srv/runbooks");
  EXPECT_EQ(settings.services.file.filename(), "services.yaml");
  EXPECT_TRUE(settings.services.file.is_absolute());
  EXPECT_EQ(settings.approvals.channel, "C8");
  EXPECT_EQ(settings.questions.anyone, false);
  EXPECT_EQ(settings.retention.results, std::chrono::days(30));
  EXPECT_EQ(settings.retention.runs, std::chrono::days(180));
  EXPECT_EQ(settings.retention.audit, std::chrono::days(400));
  EXPECT_EQ(settings.retention.inbox_keys, std::chrono::days(7));
}

TEST(SampleFile, MakesRulesAndReadsBackAsShown) {
  const auto loaded = load_sample_without(kWithoutAnOwner);
  ASSERT_OK(make_rules(loaded.settings));
  const test::TemporaryFolder folder;
  config::Sources sources;
  std::string shown = config::show_yaml(to_json(loaded.settings), loaded.provenance);
  const std::string hidden = "(secret)";
  for (std::size_t at = shown.find(hidden); at != std::string::npos; at = shown.find(hidden))
    shown.replace(at, hidden.size(), "env:ANTHROPIC_API_KEY");
  sources.environment = {
      {"ANTHROPIC_API_KEY", "sk-sample"}, {"SLACK_BOT_TOKEN", "xoxb-1"}, {"SLACK_APP_TOKEN", "xapp-1"}};
  sources.places.files = {{config::Role::named, {folder.write("deputy.yaml", shown)}}};
  const auto again = read(sources);
  ASSERT_TRUE(again.ok()) << config::describe(again.problems.front());
  EXPECT_EQ(json::serialize(to_json(again.settings)), json::serialize(to_json(loaded.settings)));
}

TEST(ConfigurationPage, ItsSettingsLoad) {
  const std::string page = test::read_file(DEPUTY_SOURCE "/docs/configuration.md");
  std::vector<std::string_view> pieces = split(page, "```yaml\n");
  std::erase_if(pieces, [](std::string_view piece) { return piece.starts_with("# services.yaml"); });
  ASSERT_EQ(pieces.size(), 3U);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const test::TemporaryFolder folder;
    config::Sources sources;
    const std::string yaml(pieces[i].substr(0, pieces[i].find("```")));
    sources.places.files = {{config::Role::named, {folder.write("deputy.yaml", yaml)}}};
    const auto loaded = read(sources);
    EXPECT_TRUE(loaded.ok()) << config::describe(loaded.problems.front());
  }
}

TEST(Timezone, IsCheckedWhenSettingsLoad) {
  FieldReader reader(FieldReader::Scalars::text);
  check_timezone("Mars/Olympus", reader);
  EXPECT_EQ(reader.take_problems(), (std::vector<Problem>{{"", "there is no time zone `Mars/Olympus`",
                                                           "write an IANA name such as Europe/Berlin or UTC"}}));
  check_timezone("Europe/Berlin", reader);
  EXPECT_TRUE(reader.clean());
}

}  // namespace
}  // namespace deputy::app
