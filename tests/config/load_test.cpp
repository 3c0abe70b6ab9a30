#include "config/load.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "config/sample_settings.h"
#include "config/trust.h"
#include "support/results.h"

namespace deputy::config {
namespace {

using test::lines_of;
using test::SampleWorld;

TEST(Precedence, FlagOverEnvironmentOverVendorOverProjectOverUserOverSystemOverDefault) {
  SampleWorld world;
  const auto address = [&] { return world.load().settings.channels.slack.address; };
  const auto text = [](const std::string& where) { return "channels: {slack: {address: " + where + "}}\n"; };
  EXPECT_EQ(address(), "https://slack.com");
  world.write_system(text("system"));
  EXPECT_EQ(address(), "system");
  world.write_user(text("user"));
  EXPECT_EQ(address(), "user");
  world.write_project(text("project"));
  ASSERT_OK(TrustedFiles::read(world.trusted_file())->trust(world.project_file(), text("project")));
  EXPECT_EQ(address(), "project");
  world.environment["SLACK_API_URL"] = "vendor";
  EXPECT_EQ(address(), "vendor");
  world.environment["DEPUTY_CHANNELS__SLACK__ADDRESS"] = "environment";
  EXPECT_EQ(address(), "environment");
  world.flags = {{"--set", "channels.slack.address", "flag"}};
  EXPECT_EQ(address(), "flag");
}

TEST(Problems, ASecretWhereItDoesNotBelongIsNotQuoted) {
  SampleWorld world;
  const std::string token = "xoxb-1234567890-1234567890123-" + std::string("AbCdEfGhIjKlMnOpQrStUvWx");
  world.write_user("channels: {slack: " + token + "}\nhosts: {a: " + token + "}\n");
  const auto loaded = world.load();
  EXPECT_FALSE(loaded.ok());
  for (const std::string& line : lines_of(loaded.problems)) EXPECT_EQ(line.find("AbCdEfGh"), std::string::npos) << line;
}

TEST(Precedence, FilesMergeKeyByKey) {
  SampleWorld world;
  world.write_system("count: 1\nlog: {level: debug, format: json}\nhosts: [a, b]\n");
  world.write_user("log: {format: text}\nhosts: [c]\n");
  const auto loaded = world.load();
  EXPECT_EQ(lines_of(loaded.problems), std::vector<std::string>{});
  EXPECT_EQ(loaded.settings.count, 1);
  EXPECT_EQ(loaded.settings.log.level, "debug");
  EXPECT_EQ(loaded.settings.log.format, "text");
  EXPECT_EQ(loaded.settings.hosts, std::vector<std::string>{"c"});
  EXPECT_EQ(loaded.files, (std::vector<ReadFile>{{world.system_file(), false}, {world.user_file(), false}}));
  EXPECT_EQ(loaded.provenance.of_value("log.level").where(), world.system_file().string() + ":2");
  EXPECT_EQ(loaded.provenance.of_value("timeout").where(), "default");
}

TEST(Precedence, ServeReadsTheFirstOfUserAndSystem) {
  SampleWorld world;
  world.write_system("count: 1\nlog: {level: debug}\n");
  EXPECT_EQ(world.load(Mode::serve).settings.count, 1);
  world.write_user("count: 2\n");
  world.write_project("count: 3\n");
  const auto loaded = world.load(Mode::serve);
  EXPECT_EQ(loaded.settings.count, 2);
  EXPECT_EQ(loaded.settings.log.level, "info") << "the system file does not count beside the user's";
  EXPECT_EQ(loaded.notices, std::vector<std::string>{});
}

TEST(Precedence, TheFirstNameOfAPlaceCounts) {
  SampleWorld world;
  Sources sources = world.sources();
  world.folder.write("home/deputy.json", R"({"count": 5})");
  sources.places.files = {{Role::user, {world.user_file(), world.folder / "home/deputy.json"}}};
  EXPECT_EQ(load<test::SampleSettings>(sources).settings.count, 5);
  world.write_user("count: 6\n");
  const auto both = load<test::SampleSettings>(sources);
  EXPECT_EQ(both.settings.count, 6);
  EXPECT_EQ(both.notices.size(), 1);
}

TEST(Problems, AllOfThemWithFileLineAndFix) {
  SampleWorld world;
  world.write_system("count: many\n");
  world.write_user("mod: ask\nmode: alow\ntimeout: 30\nlog:\n  levl: debug\n  level: loud\nhosts: {a: b}\nmode: ask\n");
  world.environment["DEPUTY_LOG__FORMT"] = "json";
  world.flags = {{"--set", "count", "101"}};
  const std::string user = world.user_file().string();
  const auto problems = world.load().problems;
  EXPECT_EQ(
      lines_of(problems),
      (std::vector<std::string>{
          user + ":1: `mod`: there is no setting `mod`; did you mean `mode`?",
          user + ":2: `mode`: this must be one of `ask` and `allow`, not `alow`; did you mean `allow`?",
          user + ":3: `timeout`: `30` is not a duration",
          user + ":5: `log.levl`: there is no setting `levl`; did you mean `level`?",
          user + ":6: `log.level`: this must be one of `debug` and `info`, not `loud`",
          user + ":7: `hosts`: this must be a list, not an object",
          user + ":8: `mode`: this is given twice, first in line 2",
          "environment variable DEPUTY_LOG__FORMT: `log.formt`: there is no setting `formt`; did you mean `format`?",
          "flag --set: `count`: this must be between 0 and 100, not 101",
      }));
  EXPECT_EQ(problems[2].hint, "write it like 30d, 1h30m, 90s or 250ms");
  EXPECT_EQ(problems[3].hint, "known here: `level` and `format`");
}

TEST(Problems, OfOneFileDoNotHideThoseOfAnother) {
  SampleWorld world;
  world.write_system("count: [\n");
  world.write_user("mode: x\n");
  EXPECT_EQ(world.load().problems.size(), 2);
}

TEST(Problems, AreBoundedInNumber) {
  SampleWorld world;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += fmt::format("unknown{}: 1\n", i);
  world.write_user(text);
  const auto problems = world.load().problems;
  EXPECT_EQ(problems.size(), 501);
  EXPECT_EQ(problems.back().message, "and 1500 more problems");
}

TEST(Problems, AMissingNamedFileIsOne) {
  SampleWorld world;
  Sources sources = world.sources();
  sources.places.files = {{Role::named, {world.folder / "nowhere.yaml"}}};
  const auto loaded = load<test::SampleSettings>(sources);
  EXPECT_EQ(lines_of(loaded.problems),
            std::vector<std::string>{fmt::format("{0}: cannot read {0}: No such file or directory",
                                                 (world.folder / "nowhere.yaml").string())});
}

TEST(FileModes, AFileThatOthersCanWriteIsRefused) {
  SampleWorld world;
  world.write_user("count: 9\n");
  for (const mode_t mode : {0620, 0602, 0666}) {
    chmod(world.user_file().c_str(), mode);
    const auto loaded = world.load();
    EXPECT_EQ(loaded.settings.count, 3);
    EXPECT_EQ(
        lines_of(loaded.problems),
        std::vector<std::string>{world.user_file().string() +
                                 ": others can write this file, or it belongs to someone else, so it is refused"});
  }
  chmod(world.user_file().c_str(), 0644);
  EXPECT_EQ(world.load().settings.count, 9) << "others may read it while it holds no secret";
}

TEST(Values, ComeAsTextFromEverySource) {
  SampleWorld world;
  world.environment = {
      {"DEPUTY_HOSTS", "a, b"}, {"DEPUTY_ENVIRONMENTS", R"({"prod": ["live"]})"}, {"DEPUTY_TIMEOUT", "1m30s"}};
  const auto loaded = world.load();
  EXPECT_EQ(lines_of(loaded.problems), std::vector<std::string>{});
  EXPECT_EQ(loaded.settings.hosts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(loaded.settings.environments, (std::map<std::string, std::vector<std::string>>{{"prod", {"live"}}}));
  EXPECT_EQ(loaded.settings.timeout, std::chrono::seconds(90));
}

TEST(Values, NullTakesAValueBackToItsDefault) {
  SampleWorld world;
  world.write_system("count: 9\n");
  world.write_user("count: ~\n");
  EXPECT_EQ(world.load().settings.count, 3);
}

}  // namespace
}  // namespace deputy::config
