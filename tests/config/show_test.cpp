#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/reference.h"
#include "config/sample_settings.h"
#include "config/yaml.h"

namespace deputy::config {
namespace {

TEST(ShowSettings, SaysWhereEachValueCameFromAndHidesSecrets) {
  test::SampleWorld world;
  world.write_user(
      "count: 4\nhosts: [a]\nlog: {level: debug}\nchannels: {slack: {bot_token: abc}, C1: {mode: \"it's\"}}\n");
  world.environment["DEPUTY_TIMEOUT"] = "90s";
  const auto loaded = world.load();
  const std::string user = world.user_file().string();
  const auto line = [](const std::string& left, const std::string& origin) {
    return fmt::format("{:<48}  # {}\n", left, origin);
  };
  EXPECT_EQ(show_yaml(to_json(loaded.settings), loaded.provenance),
            line("count: 4", user + ":1") + line("mode: ask", "default") +
                line("timeout: 1m30s", "environment variable DEPUTY_TIMEOUT") + line(R"(hosts: ["a"])", user + ":2") +
                line("environments: {}", "default") + "log:\n" + line("  level: debug", user + ":3") +
                line("  format: text", "default") + "channels:\n  slack:\n" +
                line("    bot_token: (secret)", user + ":4") + line(R"(    address: "https://slack.com")", "default") +
                "  C1:\n" + line(R"(    mode: "it's")", user + ":4") + line("    token: null", "default"));
}

TEST(ShowSettings, ForProgramsIsOneRowForEachValue) {
  const json::object settings{{"a", {{"b", 1}, {"c", json::array{2}}}}, {"d", json::object{}}};
  EXPECT_EQ(
      json::serialize(show_json(settings, {})),
      R"([{"path":"a.b","value":1,"from":"default"},{"path":"a.c","value":[2],"from":"default"},{"path":"d","value":{},"from":"default"}])");
}

TEST(ShowSettings, WritesNumbersAsPeopleDo) {
  const std::string text = show_yaml({{"whole", 10.0}, {"part", 0.55}}, {});
  EXPECT_THAT(text, testing::ContainsRegex("^whole: 10 +# default\npart: 0.55 +# default\n$"));
}

TEST(Starter, SetsNothingAndUncommentedTheDefaults) {
  const std::string text = starter_yaml(to_json(test::SampleSettings{}), describe_fields<test::SampleSettings>());
  const auto source = std::make_shared<const Source>(SourceKind::file, "starter", "/", false);
  EXPECT_TRUE(parse_yaml(text, source).document.root.empty());

  std::istringstream lines(text);
  std::string uncommented;
  for (std::string line; std::getline(lines, line);) {
    const bool is_prose = line.size() > 2 && line[1] == ' ' && line[2] != ' ';
    if (line.starts_with('#') && !is_prose) uncommented += line.substr(1) + "\n";
  }
  test::SampleWorld world;
  world.write_user(uncommented);
  const auto loaded = world.load();
  EXPECT_EQ(test::lines_of(loaded.problems), std::vector<std::string>{}) << uncommented;
  EXPECT_EQ(to_json(loaded.settings), to_json(test::SampleSettings{}));
}

TEST(Reference, IsATableOfEverySetting) {
  FieldDoc plain{"log.level", "text", "The least | that is logged", "info", {"debug", "info"}, "", false};
  FieldDoc secret{"channels.<id>.token", "secret", "Its token", nullptr, {}, "VENDOR_TOKEN", true};
  EXPECT_EQ(reference_markdown(std::vector{plain, secret}),
            "| setting | what it is | type | default | variable |\n|---|---|---|---|---|\n"
            "| `log.level` | The least \\| that is logged | text: `debug` and `info` | `info` |  |\n"
            "| `channels.<id>.token` | Its token | secret, required |  | `VENDOR_TOKEN` |\n");
}

}  // namespace
}  // namespace deputy::config
