// The settings file of behaviour's section 10, and what its keys that have an owner already mean.
#include "app/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load.h"
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

TEST(SampleFile, EveryKeyThatHasAnOwnerLoads) {
  const test::TemporaryFolder folder;
  json::object owned;
  const json::object root = sample();
  for (const std::string& name : fields_of<Settings>().names()) {
    if (const json::value* value = root.if_contains(name)) owned[name] = *value;
  }
  config::Sources sources;
  sources.places.files = {{config::Role::named, {folder.write("deputy.json", json::serialize(owned))}}};
  const auto loaded = config::load<Settings>(sources);
  ASSERT_TRUE(loaded.ok()) << config::describe(loaded.problems.front());
  const Settings& settings = loaded.settings;
  EXPECT_EQ(settings.environment, DeploymentEnvironment::production);
  EXPECT_EQ(settings.timezone, "Europe/Berlin");
  EXPECT_EQ(settings.environments,
            (EnvironmentNames{{"prod", {"production", "live"}}, {"staging", {"stage"}}, {"dev", {"development"}}}));
  EXPECT_EQ(settings.retention.results, std::chrono::days(30));
  EXPECT_EQ(settings.retention.runs, std::chrono::days(180));
  EXPECT_EQ(settings.retention.audit, std::chrono::days(400));
  EXPECT_EQ(settings.retention.inbox_keys, std::chrono::days(7));
}

struct ZoneRow {
  std::string zone;
  bool good;
};

TEST(Timezone, IsAnIanaName) {
  for (const auto& [zone, good] : {ZoneRow{"UTC", true},
                                   {"Europe/Berlin", true},
                                   {"America/Argentina/Buenos_Aires", true},
                                   {"Etc/GMT+5", true},
                                   {"Europe", false},
                                   {"", false},
                                   {"../../etc/passwd", false},
                                   {"/etc/passwd", false},
                                   {"Mars/Olympus", false}}) {
    FieldReader reader(FieldReader::Scalars::text);
    check_timezone(zone, reader);
    EXPECT_EQ(reader.clean(), good) << zone;
  }
}

}  // namespace
}  // namespace deputy::app
