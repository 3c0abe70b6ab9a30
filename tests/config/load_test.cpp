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

TEST(Problems, ASecretThatIsAKeyIsNotQuotedEither) {
  const std::string secret = "sk-ant-api03-" + std::string("AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrSt");
  const std::vector<std::string> files{
      "log: {level: info, token=" + secret + "}\n",                                    // a slip: `=` in place of `: `
      secret + ": 1\n",                                                                // by itself
      "log: {" + secret + ": {a: 1}}\nhosts: {" + secret + ": x}\n",                   // where an object stands
      "channels: {" + secret + ": {mode: [a]}}\n",                                     // on the way to a problem
      "count: 1\ncount: {" + secret + ": 1}\n" + secret + ": 1\n" + secret + ": 2\n",  // twice
      "channels: {slack: {bot_token: 'env:" + secret + "'}}\n",                        // as the name of a variable
      "channels: {slack: {bot_token: 'file:" + secret + "'}}\n",                       // and of a file
  };
  for (const std::string& text : files) {
    SampleWorld world;
    world.write_user(text);
    const auto loaded = world.load();
    EXPECT_FALSE(loaded.ok()) << text;
    for (const LocatedProblem& problem : loaded.problems) {
      const std::string printed = describe(problem) + " " + problem.hint;
      EXPECT_EQ(printed.find("AbCdEfGh"), std::string::npos) << printed;
      EXPECT_EQ(problem.source, world.user_file().string());
      EXPECT_GT(problem.line, 0) << printed << ": it is found by the path as it was written";
    }
  }
}

TEST(Notices, NameNoSecret) {
  SampleWorld world;
  const std::string secret = "sk-ant-api03-" + std::string("AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrSt");
  world.flags = {{"--set", "channels." + secret + ".token", "x"}};
  const auto loaded = world.load();
  ASSERT_EQ(loaded.notices.size(), 1U);
  EXPECT_EQ(loaded.notices[0].find("AbCdEfGh"), std::string::npos) << loaded.notices[0];
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
  EXPECT_EQ(world.load(LoadMode::serve).settings.count, 1);
  world.write_user("count: 2\n");
  world.write_project("count: 3\n");
  const auto loaded = world.load(LoadMode::serve);
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
          user + ":8: `mode`: this key occurs twice, first in line 2",
          "environment variable DEPUTY_LOG__FORMT: `log.formt`: there is no setting `formt`; did you mean `format`?",
          "flag --set: `count`: this must be between 0 and 100, not 101",
      }));
  std::vector<std::string> fixes;
  fixes.reserve(problems.size());
  for (const LocatedProblem& problem : problems) fixes.push_back(problem.hint);
  EXPECT_EQ(fixes, (std::vector<std::string>{
                       "known here: `count`, `mode`, `timeout`, `hosts`, `environments`, `log` and `channels`",
                       "expected: one of `ask` and `allow` (How to decide)",
                       "write it like 30d, 1h30m, 90s or 250ms",
                       "known here: `level` and `format`",
                       "expected: one of `debug` and `info` (The least that is logged)",
                       "expected: list of text (Which hosts)",
                       "keep one of them",
                       "known here: `level` and `format`",
                       "expected: whole number, 0 to 100 (How many)",
                   }));
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
  EXPECT_EQ(lines_of(loaded.problems), std::vector<std::string>{(world.folder / "nowhere.yaml").string() +
                                                                ": cannot read this file: No such file or directory"});
  EXPECT_EQ(loaded.problems[0].hint, "give an existing file; `deputy config init` creates one");
}

TEST(Problems, ANamedFileThatIsNoneSaysWhatItIs) {
  SampleWorld world;
  Sources sources = world.sources();
  const auto problem = [&](const std::filesystem::path& file) {
    sources.places.files = {{Role::named, {file}}};
    const auto problems = load<test::SampleSettings>(sources).problems;
    return problems.size() == 1 ? describe(problems[0]) + " | " + problems[0].hint : std::string();
  };
  const std::string fix = " | a settings file is plain text of at most 1000000 bytes";
  const std::string folder = world.folder.path().string();
  EXPECT_EQ(problem(folder), folder + ": cannot read this file: it is not a regular file" + fix);
  const std::string large = world.folder.write("large", std::string(1'000'001, ' ')).string();
  EXPECT_EQ(problem(large), large + ": cannot read this file: it is larger than 1000000 bytes" + fix);
}

TEST(ProjectFile, ThatCannotBeReadStopsNothing) {
  SampleWorld world;
  world.write_user("count: 5\n");
  std::filesystem::create_directories(world.project_file());
  const auto folder = world.load();
  EXPECT_EQ(lines_of(folder.problems), std::vector<std::string>{});
  EXPECT_EQ(folder.settings.count, 5);
  EXPECT_EQ(folder.notices, std::vector<std::string>{world.project_file().string() +
                                                     " cannot be read and is ignored: it is not a regular file"});
  std::filesystem::remove(world.project_file());
  world.write_project(std::string(2'000'000, ' '));
  const auto large = world.load();
  EXPECT_EQ(lines_of(large.problems), std::vector<std::string>{});
  EXPECT_EQ(large.notices.size(), 1U);
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

TEST(Values, AnObjectInTextLeavesWhatWeakerSourcesSay) {
  SampleWorld world;
  world.write_user("log: {format: json}\nchannels: {C1: {mode: loud}}\n");
  world.environment = {{"SLACK_BOT_TOKEN", "xoxb"},
                       {"DEPUTY_LOG", R"({"level": "debug"})"},
                       {"DEPUTY_CHANNELS", R"({"slack": {"address": "here"}})"}};
  world.flags = {{"--set", "environments.prod", "live"}, {"--set", "channels.C1", R"({"token": "t"})"}};
  const auto loaded = world.load();
  EXPECT_EQ(lines_of(loaded.problems), std::vector<std::string>{});
  EXPECT_EQ(loaded.settings.log.level, "debug");
  EXPECT_EQ(loaded.settings.log.format, "json");
  EXPECT_EQ(loaded.settings.channels.slack.address, "here");
  EXPECT_EQ(loaded.settings.channels.slack.bot_token.reveal(), "xoxb");
  EXPECT_EQ(loaded.settings.channels.by_id.at("C1").mode, "loud");
  EXPECT_EQ(loaded.settings.channels.by_id.at("C1").token.reveal(), "t");
  EXPECT_EQ(loaded.provenance.of_value("log.level").where(), "environment variable DEPUTY_LOG");
  EXPECT_EQ(loaded.provenance.of_value("log.format").where(), world.user_file().string() + ":1");
}

TEST(Values, ASecretThatLooksLikeAnObjectStaysText) {
  SampleWorld world;
  const std::string key = R"({"type": "service_account"})";
  world.environment = {{"DEPUTY_CHANNELS__SLACK__BOT_TOKEN", key}};
  EXPECT_EQ(world.load().settings.channels.slack.bot_token.reveal(), key);
}

TEST(Values, AnObjectInTextIsReadAsTextToo) {
  SampleWorld world;
  world.environment = {{"DEPUTY_CHANNELS", R"({"C1": {"mode": 1.5}, "slack": {"address": true}})"}};
  const auto loaded = world.load();
  EXPECT_EQ(lines_of(loaded.problems), std::vector<std::string>{});
  EXPECT_EQ(loaded.settings.channels.by_id.at("C1").mode, "1.5");
  EXPECT_EQ(loaded.settings.channels.slack.address, "true");
}

std::string many_items(std::size_t count) {
  std::string items;
  for (std::size_t i = 0; i < count; ++i) items += fmt::format("{}\"h{}\"", i == 0 ? "" : ",", i);
  return items;
}

// Text goes round the count of values that a file may have, so it is counted where it is spread.
TEST(Values, ThatStandInTextAreCountedToo) {
  const std::string too_many = "the lists and objects given as text hold more than 20000 values in all";
  for (const std::string& text :
       {"hosts: '[" + many_items(kMaxValues) + "]'\n", "hosts: '" + many_items(kMaxValues + 1) + "'\n",
        "environments: '{\"prod\": [" + many_items(kMaxValues) + "]}'\n"}) {
    SampleWorld world;
    world.write_user(text);
    const auto problems = world.load().problems;
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].message, too_many);
  }
  SampleWorld world;
  world.write_user("hosts: '[" + many_items(kMaxValues - 1) + "]'\n");
  EXPECT_EQ(world.load().settings.hosts.size(), kMaxValues - 1);
}

TEST(Values, NullTakesAValueBackToItsDefault) {
  SampleWorld world;
  world.write_system("count: 9\n");
  world.write_user("count: ~\n");
  EXPECT_EQ(world.load().settings.count, 3);
}

}  // namespace
}  // namespace deputy::config
