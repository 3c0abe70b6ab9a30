// The log tools over folders of files. Expected counts come from grep.
#include <gmock/gmock.h>

#include "toolkit/spec.h"
#include "tools/logs/log_folder.h"

namespace deputy::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(LogTools, KeepTheRulesOfASpec) {
  LogFolder logs;
  for (const auto& tool : log_tools(logs.parts())) {
    EXPECT_THAT(check_spec(tool->spec()), testing::IsEmpty()) << tool->spec().name;
    EXPECT_EQ(tool->spec().missing, "");
  }
  EXPECT_THAT(log_tools({choose_among({}, {}), nullptr, &logs.clock, {}}).front()->spec().missing,
              HasSubstr("files.root"));
}

/// Says its name in the only entry it finds.
class Named final : public LogBackend {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  json::object target() const override { return {{"at", name_}}; }
  Task<Result<LogFindings>> search(LogQuery, std::chrono::milliseconds) override {
    LogFindings findings{.matched = 1};
    findings.newest.push_back({kNow, "any", "kept in " + name_});
    co_return findings;
  }
  Task<Result<std::vector<std::string>>> services(std::chrono::milliseconds) override {
    co_return std::vector<std::string>{};
  }
  Task<Result<std::string>> diagnose(std::chrono::milliseconds) override { co_return "fine"; }

 private:
  std::string name_;
};

TEST(LogTools, AskTheBackendThatTheServiceTheSettingsOrNothingElseNames) {
  const test::ManualClock clock{kNow};
  const auto registry = std::make_shared<ServicesRegistry>(
      [] {
        return Result<std::vector<Service>>(
            {{.key = "orders", .aliases = {"ord"}, .backends = {{"logs", "loki"}}}, {.key = "kiosk"}});
      },
      clock);
  const auto asked = [&](const std::string& usual, const std::vector<std::string>& set_up, const char* service) {
    LogToolsSettings settings;
    settings.backend = usual;
    std::vector<std::shared_ptr<LogBackend>> backends;
    for (const std::string& name : set_up) backends.push_back(std::make_shared<Named>(name));
    const auto tools = log_tools({choose_among(settings, backends), registry, &clock, {{"prod", {}}}});
    const auto output = test::call_tool(*tools[2], {{"service", service}, {"environment", "prod"}});
    return output ? output->text : describe(output.error());
  };
  EXPECT_THAT(asked("files", {"files", "loki"}, "ord"), HasSubstr("kept in loki"));
  EXPECT_THAT(asked("files", {"files", "loki"}, "kiosk"), HasSubstr("kept in files"));
  EXPECT_THAT(asked("", {"files"}, "kiosk"), HasSubstr("kept in files"));
  EXPECT_THAT(asked("", {"files", "loki"}, "stranger"), HasSubstr("nothing says which to use: `files` and `loki`"));
  EXPECT_THAT(asked("", {"files"}, "orders"), HasSubstr("`loki` for logs, which is not set up"));
  EXPECT_THAT(asked("", {}, "kiosk"), HasSubstr("tools.log_tools.files.root"));
}

TEST(LogTools, AskForTheEnvironmentFirst) {
  LogFolder logs;
  const auto words = "ENVIRONMENT_REQUIRED: name one of the known environments: prod, staging";
  for (const auto& [tool, arguments] :
       std::map<std::string, json::object>{{"search_logs", {{"query", "x"}}},
                                           {"get_recent_errors", {}},
                                           {"get_service_logs", {{"service", "orders"}}}}) {
    const auto output = logs.call(tool, arguments);
    ASSERT_FAILS(output, invalid_input);
    EXPECT_EQ(output.error().message, words) << tool;
  }
  const auto unknown = logs.call("get_recent_errors", {{"environment", "moon"}});
  ASSERT_FAILS(unknown, invalid_input);
  EXPECT_THAT(unknown.error().message, StartsWith("ENVIRONMENT_REQUIRED"));
  const auto other_name = logs.call("get_recent_errors", {{"environment", "Production"}});
  ASSERT_FAILS(other_name, invalid_input);
  EXPECT_EQ(other_name.error().hint, "use `prod`");
}

TEST(LogTools, SuggestTheNearestService) {
  LogFolder logs;
  logs.write("prod/orders.log", "2026-11-15T04:00:00Z INFO up\n");
  const auto output = logs.call("get_service_logs", {{"service", "order"}, {"environment", "prod"}});
  ASSERT_FAILS(output, not_found);
  EXPECT_EQ(output.error().message, "there is no service `order`; did you mean `orders`?");
}

TEST(LogTools, KnowAServiceByItsAliases) {
  LogFolder logs;
  logs.write("production/orders.log", "2026-11-15T04:00:00Z ERROR down\n");
  logs.registry = std::make_shared<ServicesRegistry>(
      [] {
        return Result<std::vector<Service>>({Service{.key = "orders", .aliases = {"ord"}}, Service{.key = "quiet"}});
      },
      logs.clock);
  EXPECT_EQ(logs.matched("get_recent_errors", {{"service", "ORD"}, {"environment", "prod"}}), 1);
  const auto quiet = logs.call("get_recent_errors", {{"service", "quiet"}, {"environment", "prod"}});
  ASSERT_OK(quiet);
  EXPECT_THAT(quiet->text, HasSubstr("No log file belongs to quiet in prod."));
}

TEST(GetRecentErrors, CountsByWhatIsSaid) {
  LogFolder logs;
  logs.write("prod/orders.log", service_lines(3, std::chrono::seconds(10), 20));
  logs.write("staging/orders.log", service_lines(3, std::chrono::seconds(10), 20));
  const auto output = logs.call("get_recent_errors", {{"service", "orders"}, {"environment", "prod"}});
  ASSERT_OK(output);
  const std::int64_t counted = number_said_by("grep -c ERROR " + (logs.folder / "prod/orders.log").string());
  EXPECT_THAT(output->text,
              StartsWith(fmt::format("{} errors, all “Upstream timeout after {{n}} ms”, the last at 04:56\n"
                                     "orders in prod, 2026-11-15 01:00:00 to 2026-11-15 05:00:00 UTC\n"
                                     "{} × Upstream timeout after {{n}} ms (error, first 2026-11-15 "
                                     "02:00:00, last 2026-11-15 04:56:40)\n    e.g. 2026-11-15T02:00:00.000Z "
                                     "ERROR [w-0] Upstream timeout after 0 ms\n",
                                     counted, counted)));
  EXPECT_THAT(output->text, HasSubstr("Read 1 file (prod/orders.log): "));
}

TEST(LogTools, TheirFirstLineIsTheVerdict) {
  const auto verdict = [](const std::string& text, std::string_view tool, json::object arguments) {
    LogFolder logs;
    logs.write("prod/orders.log", text);
    arguments["environment"] = "prod";
    const auto output = logs.call(std::string(tool), std::move(arguments));
    const std::string said = output ? output->text : describe(output.error());
    return said.substr(0, said.find('\n'));
  };
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += fmt::format("{} ERROR timeout of {}\n", iso(kNow - std::chrono::minutes(90 - i)), i);
  EXPECT_EQ(verdict(text, "get_recent_errors", {}), "30 errors, all “timeout of {n}”, the last at 03:59; none since");
  text += fmt::format("{} ERROR disk is full\n", iso(kNow - std::chrono::minutes(2)));
  EXPECT_EQ(verdict(text, "get_recent_errors", {}),
            "31 errors, 30 of them “timeout of {n}”, the last at 03:59; none since");
  EXPECT_EQ(verdict(text, "search_logs", {{"query", "disk"}}),
            "1 entry with `disk`, all “disk is full”, the last at 04:58");
  EXPECT_EQ(verdict(text, "get_service_logs", {{"service", "orders"}}), "31 entries, the last at 04:58");
  EXPECT_EQ(verdict(text, "search_logs", {{"query", "absent"}}), "No entries with `absent`");
  EXPECT_EQ(verdict(text, "get_recent_errors", {{"hours_back", 30}, {"to", "2026-11-16T01:00:00Z"}}),
            "31 errors, 30 of them “timeout of {n}”, the last at 2026-11-15 03:59; none since");
}

TEST(GetServiceLogs, ShowsTheNewestAsTheyAre) {
  LogFolder logs;
  logs.write("prod/orders.log", service_lines(1, std::chrono::seconds(10), 7));
  const auto output = logs.call("get_service_logs", {{"service", "orders"}, {"environment", "prod"}, {"limit", 2}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, HasSubstr("\nThe newest 2 of 360, oldest first:\n" +
                                      said_by("tail -n 2 " + (logs.folder / "prod/orders.log").string())));
}

struct WordRow {
  std::string query;
  std::string grep;  // counts the lines that hold it
};
class SearchWords : public testing::TestWithParam<WordRow> {};

TEST_P(SearchWords, FindsWhatGrepFinds) {
  LogFolder logs;
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += fmt::format("{} {} {} {} {}\n", iso(kNow - std::chrono::seconds(5000 - i)), i % 11 == 0 ? "ERROR" : "INFO",
                        i % 3 == 0 ? "Connection" : "Session", i % 5 == 0 ? "timeout" : "closed", i * 37 % 1001);
  }
  logs.write("prod/orders.log", text);
  const std::string file = (logs.folder / "prod/orders.log").string();
  EXPECT_EQ(logs.matched("search_logs", {{"query", GetParam().query}, {"environment", "prod"}}),
            number_said_by(fmt::format("{} {} | wc -l", GetParam().grep, file)));
}

INSTANTIATE_TEST_SUITE_P(
    Queries, SearchWords,
    testing::Values(WordRow{"timeout", "grep -i timeout"}, WordRow{"CONNECTION", "grep -i connection"},
                    WordRow{"timeout connection", "grep -i 'connection.*timeout'"},
                    WordRow{"\"connection timeout\"", "grep -i 'connection timeout'"},
                    WordRow{"/Session (timeout|closed) 9\\d\\d$/", "grep -E 'Session (timeout|closed) 9[0-9][0-9]$'"},
                    WordRow{"/error.*session/i", "grep -i 'error.*session'"}, WordRow{"absent", "grep absent"},
                    WordRow{"*", "cat"}, WordRow{"/^2026.*INFO/", "grep '^2026.*INFO'"}));

TEST(SearchLogs, TakesAStackTraceWithItsEntry) {
  LogFolder logs;
  logs.write("prod/orders.log", service_lines(3, std::chrono::seconds(10), 20));
  const std::string file = (logs.folder / "prod/orders.log").string();
  // Each error says it twice, in its first line and its last.
  EXPECT_EQ(logs.matched("search_logs", {{"query", "timeout"}, {"environment", "prod"}}),
            number_said_by("grep -c 'ERROR.*timeout' " + file));
  EXPECT_EQ(logs.matched("search_logs", {{"query", "\"caused by\""}, {"environment", "prod"}}),
            number_said_by("grep -c 'Caused by' " + file));
  const auto output = logs.call("search_logs", {{"query", "C.java:0"}, {"environment", "prod"}, {"limit", 1}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text,
              HasSubstr("ERROR [w-0] Upstream timeout after 0 ms\n\tat a.b.C(C.java:0)\nCaused by: timeout\n"));
}

TEST(SearchLogs, ReadsPackedAndRotatedFiles) {
  LogFolder logs;
  const auto hour = [](int ago) {
    std::string text;
    for (int i = 0; i < 600; ++i) {
      text += fmt::format("{} WARN slow {}\n", iso(kNow - std::chrono::hours(ago) + std::chrono::seconds(6 * i)), i);
    }
    return text;
  };
  logs.write("prod/orders.log", hour(1));
  logs.write("prod/orders.log.1", hour(2), kNow - std::chrono::hours(1));
  logs.write("prod/orders.log.2", hour(3), kNow - std::chrono::hours(2));
  logs.pack("prod/orders.log.2");
  logs.write("prod/orders-20261101.log", hour(330), kNow - std::chrono::hours(329));
  const std::string all = fmt::format("zgrep -h slow {}/prod/orders.log* | wc -l", logs.folder.path().string());
  EXPECT_EQ(logs.matched("search_logs", {{"query", "slow"}, {"service", "orders"}, {"environment", "prod"}}),
            number_said_by(all));
  const auto output = logs.call("search_logs", {{"query", "slow"}, {"environment", "prod"}});
  EXPECT_THAT(output->text,
              HasSubstr("Read 3 files (prod/orders.log, prod/orders.log.1, prod/orders.log.2.gz): 1,800 lines"));
  EXPECT_THAT(output->text, HasSubstr("; 1 more has nothing from that time"));
}

TEST(SearchLogs, CountsAFileThatIsBeingPackedOnce) {
  LogFolder logs;
  logs.write("prod/orders.log.1", "2026-11-15T04:00:00Z WARN slow\n");
  logs.pack("prod/orders.log.1");
  logs.write("prod/orders.log.1", "2026-11-15T04:00:00Z WARN slow\n");
  EXPECT_EQ(logs.matched("search_logs", {{"query", "slow"}, {"environment", "prod"}}), 1);
}

struct EdgeRow {
  std::string from, to;
  int expected;
};
class RangeEdges : public testing::TestWithParam<EdgeRow> {};

TEST_P(RangeEdges, BelongToTheRange) {
  LogFolder logs;
  logs.write("prod/orders.log",
             "2026-11-15T03:59:59.999Z INFO a\n2026-11-15T04:00:00Z INFO b\n2026-11-15T04:30:00Z INFO c\n"
             "2026-11-15T04:30:00.001Z INFO d\n");
  EXPECT_EQ(
      logs.matched("search_logs",
                   {{"query", "info"}, {"environment", "prod"}, {"from", GetParam().from}, {"to", GetParam().to}}),
      GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Ranges, RangeEdges,
                         testing::Values(EdgeRow{"2026-11-15T04:00:00Z", "2026-11-15T04:30:00Z", 2},
                                         EdgeRow{"2026-11-15T03:59:59.999Z", "2026-11-15T04:30:00.001Z", 4},
                                         EdgeRow{"2026-11-15T04:00:00.001Z", "2026-11-15T04:29:59.999Z", 0},
                                         EdgeRow{"2026-11-15T04:30:00Z", "2026-11-15T04:30:00Z", 1},
                                         EdgeRow{"2026-11-15T05:30:00+01:00", "2026-11-15T05:30:00+01:00", 1}));

TEST(SearchLogs, RefusesARangeThatEndsBeforeItBegins) {
  LogFolder logs;
  EXPECT_FAILS(
      logs.call(
          "search_logs",
          {{"query", "x"}, {"environment", "prod"}, {"from", "2026-11-15T04:00:00Z"}, {"to", "2026-11-15T03:00:00Z"}}),
      invalid_input);
}

TEST(SearchLogs, ReadsOnlyThePartOfALargeFileThatIsOfTheTime) {
  LogFolder logs;
  logs.write("prod/orders.log", service_lines(24 * 5, std::chrono::seconds(5), 1000));
  const std::string file = (logs.folder / "prod/orders.log").string();
  const auto output = logs.call("search_logs", {{"query", "\"handled order\""},
                                                {"environment", "prod"},
                                                {"from", "2026-11-12T10:00:00Z"},
                                                {"to", "2026-11-12T10:59:59.999Z"}});
  ASSERT_OK(output);
  EXPECT_EQ(output->data.at("matched").to_number<std::int64_t>(),
            number_said_by("grep -c '^2026-11-12T10:.*handled order' " + file));
  EXPECT_LT(output->data.at("lines").to_number<std::int64_t>(), number_said_by("wc -l < " + file) * 2 / 3);
}

TEST(SearchLogs, ReadsAllOfAFileWhoseTimesDoNotRise) {
  LogFolder logs;
  const std::string rising = service_lines(24 * 2, std::chrono::seconds(2), 1000);
  logs.write("prod/orders.log", rising + rising);
  const std::string file = (logs.folder / "prod/orders.log").string();
  EXPECT_EQ(logs.matched("search_logs", {{"query", "handled"},
                                         {"environment", "prod"},
                                         {"from", "2026-11-14T10:00:00Z"},
                                         {"to", "2026-11-14T10:59:59.999Z"}}),
            number_said_by("grep -c '^2026-11-14T10:.*handled' " + file));
}

TEST(SearchLogs, TakesPathsThatNameNoEnvironmentFromSettings) {
  LogFolder logs;
  logs.settings.files.paths = {{"nginx/access.log", "prod", "edge"}};
  logs.write("nginx/access.log", R"(1.2.3.4 - - [15/Nov/2026:04:10:02 +0000] "GET /a HTTP/1.1" 502 1)"
                                 "\n");
  logs.write("nginx/error.log", "2026-11-15T04:00:00Z ERROR x\n");
  const auto output = logs.call("get_recent_errors", {{"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, HasSubstr("1 × GET /a answered with a server error (error, edge,"));
}

TEST(SearchLogs, ReadsTimesWithoutAZoneAsSettingsSay) {
  LogFolder logs;
  logs.settings.files.utc_offset_minutes = 120;
  logs.write("prod/orders.log", "2026-11-15 06:00:00 ERROR x\n");
  const auto output = logs.call("get_recent_errors", {{"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, HasSubstr("first 2026-11-15 04:00:00"));
}

}  // namespace
}  // namespace deputy::tools
