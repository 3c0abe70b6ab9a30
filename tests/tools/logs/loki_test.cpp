// The log tools over a strict stand-in for Loki.
#include "tools/logs/loki/loki.h"

#include <re2/re2.h>

#include "base/fields_codec.h"
#include "base/plot.h"
#include "tools/logs/remote_logs.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Line {
  std::chrono::seconds before_now;
  std::string text;
};

class LokiTools : public RemoteLogs {
 protected:
  LokiTools() {
    settings_.loki.token = Secret(std::string(test::kVendorToken));
    settings_.loki.tenant = "shop";
    add({{"service", "checkout"}, {"env", "production"}, {"pod", "a"}},
        {{std::chrono::seconds(300), "2026-11-18T09:55:00Z ERROR Upstream timeout after 31 ms"},
         {std::chrono::seconds(200), "2026-11-18T09:56:40Z INFO handled order 7"},
         {std::chrono::seconds(100), R"({"level":"error","msg":"Upstream timeout after 8 ms"})"}});
    add({{"service", "checkout"}, {"env", "production"}, {"pod", "b"}},
        {{std::chrono::seconds(250), "panic: \"quoted\" C:\\temp"}, {std::chrono::seconds(150), "all is well"}});
    add({{"service", "checkout"}, {"env", "Stage"}}, {{std::chrono::seconds(50), "ERROR in staging"}});
    add({{"service", "search_index"}, {"env", "production"}},
        {{std::chrono::seconds(60), "ERROR disk is full"}, {std::chrono::hours(30), "ERROR long ago"}});
    config_["token"] = test::kVendorToken;
    config_["tenant"] = "shop";
  }

  void add(json::object labels, const std::vector<Line>& lines) {
    json::array entries;
    for (const Line& line : lines)
      entries.push_back(json::array{std::to_string(to_millis(kRemoteNow - line.before_now)), line.text});
    streams_.push_back(json::object{{"labels", std::move(labels)}, {"entries", std::move(entries)}});
  }
  void start_loki() {
    config_["streams"] = streams_;
    settings_.loki.url = start("loki.js", config_) + "/";
  }
  /// `count` errors of payments in prod, one each `step`, the newest now.
  void add_many(std::int64_t count, std::chrono::seconds step) {
    std::vector<Line> entries;
    for (std::int64_t i = 0; i < count; ++i)
      entries.push_back({step * i, fmt::format("level=error msg=\"no route to shard {}\"", i)});
    add({{"service", "payments"}, {"env", "prod"}, {"detected_level", "error"}}, entries);
  }

  json::object config_;
  json::array streams_;
};

TEST_F(LokiTools, CountErrorsOfOneServiceOverItsStreams) {
  start_loki();
  EXPECT_EQ(text("get_recent_errors", {{"service", "checkout"}}),
            "3 errors, 2 of them “Upstream timeout after {n} ms”, the last at 09:58\n"
            "checkout in prod, 2026-11-18 06:00:00 to 2026-11-18 10:00:00 UTC\n"
            "2 × Upstream timeout after {n} ms (error, first 2026-11-18 09:55:00, last 2026-11-18 09:58:20)\n"
            "    e.g. 2026-11-18T09:58:20.000Z {\"level\":\"error\",\"msg\":\"Upstream timeout after 8 ms\"}\n"
            "1 × \"…\" C:\\temp (fatal, first 2026-11-18 09:55:50, last 2026-11-18 09:55:50)\n"
            "    e.g. 2026-11-18T09:55:50.000Z panic: \"quoted\" C:\\temp\n"
            "\nAll 3, oldest first:\n"
            "2026-11-18T09:55:00Z ERROR Upstream timeout after 31 ms\n"
            "2026-11-18T09:55:50.000Z panic: \"quoted\" C:\\temp\n"
            "2026-11-18T09:58:20.000Z {\"level\":\"error\",\"msg\":\"Upstream timeout after 8 ms\"}\n"
            "\nRead 2 streams: 3 entries, 0.0 MB.\n"
            "Asked as: {env=~\"(?i)(?:prod|production|live)\", service=\"checkout\"} |~ " +
                loki::logql_string(kMayBeError) + "\n");
}

class LokiSearch : public LokiTools, public testing::WithParamInterface<SearchRow> {};

TEST_P(LokiSearch, FindsWhatFilesWould) {
  start_loki();
  EXPECT_EQ(matched("search_logs", {{"query", GetParam().query}, {"hours_back", 1}}), GetParam().found);
}
INSTANTIATE_TEST_SUITE_P(Queries, LokiSearch,
                         testing::Values(SearchRow{"Words", "TIMEOUT upstream", 2}, SearchRow{"All", "*", 6},
                                         SearchRow{"Phrase", "\"disk is full\"", 1}, SearchRow{"Quotes", "\"quoted", 1},
                                         SearchRow{"Backslash", "c:\\temp", 1},
                                         SearchRow{"Regex", "/after \\d+ ms/", 2},
                                         SearchRow{"RegexCase", "/^PANIC/i", 1}, SearchRow{"Dot", "timeout.after", 0},
                                         SearchRow{"None", "nowhere", 0}),
                         [](const auto& row) { return row.param.name; });

TEST_F(LokiTools, ReadTheNewestLinesOfAService) {
  start_loki();
  EXPECT_THAT(text("get_service_logs", {{"service", "checkout"}, {"limit", 2}}),
              AllOf(StartsWith("5 entries, the last at 09:58\n"),
                    HasSubstr("The newest 2 of 5, oldest first:\n2026-11-18T09:57:30.000Z all is well\n"
                              "2026-11-18T09:58:20.000Z {\"level\":\"error\"")));
}

TEST_F(LokiTools, TakeTheTimeRangeAsItIsGiven) {
  start_loki();
  EXPECT_EQ(matched("get_recent_errors", {{"service", "search-index"}, {"hours_back", 48}}), 2);
  EXPECT_EQ(matched("get_recent_errors", {{"service", "search-index"}}), 1);
  const json::object range{{"service", "checkout"}, {"from", "2026-11-18T09:55:00Z"}, {"to", "2026-11-18T09:55:50Z"}};
  EXPECT_EQ(matched("get_recent_errors", range), 2) << "both ends count";
  EXPECT_EQ(matched("get_recent_errors", {{"from", "0001-01-01T00:00:00Z"}, {"to", "9999-01-01T00:00:00Z"}}), 5);
}

TEST_F(LokiTools, KnowEnvironmentsByAllTheirNamesInAnyCase) {
  start_loki();
  EXPECT_EQ(matched("get_recent_errors", {{"environment", "staging"}}), 1);
  EXPECT_EQ(matched("get_recent_errors", {{"environment", "prod"}}), 4);
  EXPECT_THAT(text("get_recent_errors", {{"environment", "moon"}}), HasSubstr("ENVIRONMENT_REQUIRED"));
}

TEST_F(LokiTools, SuggestTheNearestService) {
  start_loki();
  EXPECT_THAT(text("get_service_logs", {{"service", "chekout"}}),
              HasSubstr("there is no service `chekout`; did you mean `checkout`?"));
  registry_ = registry_of({{.key = "quiet"}, {.key = "search", .aliases = {"search_index"}}}, clock_);
  EXPECT_THAT(text("get_service_logs", {{"service", "quiet"}}), HasSubstr("No log stream belongs to quiet in prod.\n"));
  EXPECT_EQ(matched("get_service_logs", {{"service", "search"}}), 1) << "by its alias";
  EXPECT_THAT(text("get_service_logs", {{"service", "search"}, {"environment", "staging"}}),
              HasSubstr("No log stream belongs to search in staging.\n"));
}

TEST_F(LokiTools, SayWhenLokiDoesNotKnowTheEnvironmentOrTheLabels) {
  streams_.erase(streams_.begin(), streams_.begin() + 2);
  streams_.erase(streams_.begin() + 1);
  start_loki();
  EXPECT_THAT(text("get_recent_errors", {}),
              AllOf(StartsWith("No errors\n"), HasSubstr("Note: no stream of that time has the environment prod; there "
                                                         "are `Stage`.\n")));
  settings_.loki.service_label = "app";
  EXPECT_THAT(text("get_service_logs", {{"service", "checkout"}}),
              AllOf(HasSubstr("Loki has no label `app`"), HasSubstr("tools.log_tools.loki.service_label"),
                    HasSubstr("`env` and `service`")));
  settings_.loki.environment_label = "namespace";
  EXPECT_THAT(text("get_recent_errors", {}), HasSubstr("Loki has no label"));
}

TEST_F(LokiTools, ReadPageByPageAndShowTheCourse) {
  add_many(2500, std::chrono::seconds(4));
  start_loki();
  const auto output = call("get_recent_errors", {{"service", "payments"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, AllOf(StartsWith("2,500 errors, all “no route to shard {n}”"),
                                  HasSubstr("\nOver time, every 6m: ▁▁▁▁▁▁▁▁▁▁▁▁▇"
                                            "███████████████████████████, highest 91 from 2026-11-18 09:54 UTC\n")));
  EXPECT_THAT(output->text, Not(HasSubstr("Note:")));
  const auto plot = parse_arguments<Plot>(output->data.at("plot").as_object());
  ASSERT_OK(plot);
  EXPECT_EQ(plot->title, "errors, payments in prod");
  EXPECT_EQ(plot->series.front().points.back(), (std::vector<double>{14280, 31}));
  EXPECT_EQ(std::ranges::count_if(said(), [](const auto& one) { return one.contains("query_range"); }), 3);
}

TEST_F(LokiTools, LetLokiCountWhatIsTooMuchToRead) {
  add_many(12'000, std::chrono::seconds(1));
  settings_.loki.level_label = "detected_level";
  start_loki();
  const auto output = call("get_recent_errors", {{"service", "payments"}});
  ASSERT_OK(output);
  EXPECT_THAT(
      output->text,
      AllOf(StartsWith("12,000 errors, 10,000 of them “no route to shard {n}”"),
            HasSubstr("\n2,000 × other messages, not listed here\n"), HasSubstr("\nOver time, every 6m: ▁▁▁▁▁▁▃█"),
            HasSubstr("Note: only the newest 10,000 entries, back to 2026-11-18 07:13:21 UTC, were read to tell "
                      "messages apart; all are counted.\n")));
}

TEST_F(LokiTools, SayWhatIsNotCounted) {
  add_many(12'000, std::chrono::seconds(1));
  config_["no_metrics"] = true;
  start_loki();
  EXPECT_THAT(
      text("get_recent_errors", {{"service", "payments"}}),
      AllOf(StartsWith("10,000 errors, "), Not(HasSubstr("Over time")),
            HasSubstr("Note: only the newest 10,000 entries, back to 2026-11-18 07:13:21 UTC, were read, and older "
                      "ones are not counted; ask for a shorter time range.\n")));
  EXPECT_THAT(text("search_logs", {{"service", "payments"}, {"query", "shard"}}),
              HasSubstr("Note: Loki did not count them: Loki answered 500"));
}

TEST_F(LokiTools, ReadEveryEntryOfOneMoment) {
  std::vector<Line> entries;
  for (int i = 0; i < 900; ++i) entries.push_back({std::chrono::seconds(10), fmt::format("same moment {}", i)});
  for (int i = 0; i < 900; ++i) entries.push_back({std::chrono::seconds(20), fmt::format("earlier {}", i)});
  add({{"service", "burst"}, {"env", "prod"}}, entries);
  start_loki();
  EXPECT_EQ(matched("search_logs", {{"service", "burst"}, {"query", "*"}}), 1800);
}

TEST_F(LokiTools, TakeTheLevelFromItsLabel) {
  add({{"service", "mail"}, {"env", "prod"}, {"detected_level", "Error"}}, {{std::chrono::seconds(9), "bounced"}});
  add({{"service", "mail"}, {"env", "prod"}, {"detected_level", "info"}}, {{std::chrono::seconds(8), "an ERROR"}});
  settings_.loki.level_label = "detected_level";
  start_loki();
  EXPECT_THAT(text("get_recent_errors", {{"service", "mail"}}),
              AllOf(StartsWith("1 error, all “bounced”"), HasSubstr("2026-11-18T09:59:51.000Z ERROR bounced\n")));
}

TEST_F(LokiTools, AreCheckedByAHarmlessRead) {
  start_loki();
  EXPECT_EQ(diagnosis().value_or(""),
            "Loki at " + settings_.loki.url.substr(0, settings_.loki.url.size() - 1) + ": 2 services in the last day");
  settings_.loki.service_label = "app";
  EXPECT_FAILS(diagnosis(), not_configured);
  settings_.loki.tenant = "";
  const auto refused = diagnosis();
  ASSERT_FAILS(refused, authentication);
  EXPECT_THAT(refused.error().hint, HasSubstr(".tenant"));
}

TEST_F(LokiTools, SignInWithAUserWhereOneIsSet) {
  config_["user"] = "12345";
  settings_.loki.user = "12345";
  start_loki();
  EXPECT_EQ(matched("get_recent_errors", {{"service", "checkout"}}), 3);
  settings_.loki.user = "";
  EXPECT_FAILS(call("get_recent_errors", {}), authentication);
}

LogToolsSettings scripted() {
  LogToolsSettings settings;
  settings.loki.url = "http://127.0.0.1:1/loki-proxy";
  settings.loki.token = Secret(std::string(test::kVendorToken));
  return settings;
}

TEST(LokiErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock(kRemoteNow);
  test::expect_vendor_errors(
      [&](net::HttpClient& http) {
        return one_call(log_tool(scripted(), http, clock, "get_recent_errors"), {{"environment", "prod"}});
      },
      {{"Http400", test::ScriptedResponse{.status = 400, .pieces = {"parse error at line 1, col 9"}},
        ErrorKind::invalid_input, "shorter time range"},
       {"Http401", test::ScriptedResponse{.status = 401, .pieces = {"no org id " + std::string(test::kVendorToken)}},
        ErrorKind::authentication, "tenant"},
       {"NotLoki", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "tools.log_tools.loki.url"},
       {"NotStreams", test::ScriptedResponse{.pieces = {R"({"status": "success", "data": {"resultType": "matrix"}})"}},
        ErrorKind::upstream, "tools.log_tools.loki.url"}});
}

TEST(LokiAnswers, OfAnyShapeAreRead) {
  const test::ManualClock clock(kRemoteNow);
  test::ScriptedHttp http;
  http.answers({.pieces = {R"({"status": "success", "data": {"resultType": "streams", "result": [
      null, {"stream": 3, "values": [["1", "x"]]}, {"stream": {}, "values": [[], ["soon", "x"], ["1794996000000000000"],
      ["1794995999000000000", "fine", {"trace_id": "1"}], ["1794995999000000000", 7]]}]}})"}});
  const auto tool = log_tool(scripted(), http, clock, "search_logs");
  const auto output = test::call_tool(*tool, {{"query", "*"}, {"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, StartsWith("1 entry, all “fine”"));
}

TEST(LokiQueries, HoldOneStringWhateverIsInIt) {
  EXPECT_EQ(loki::logql_string("a\"b\\c\nd\x01"), R"("a\"b\\c\x0ad\x01")");
  LogQuery query{.environment = "prod", .environment_names = {"prod", "p.1"}, .text = {{"a|b", "\"x"}, ""}};
  LokiSettings settings;
  settings.environment_label = "namespace";
  settings.level_label = "level";
  EXPECT_EQ(loki::log_query(settings, query, {}),
            R"x({namespace=~"(?i)(?:prod|p\\.1)"} |~ "(?i)a\\|b" |~ "(?i)\\\"x")x");
  query.text = {{}, "a{2}"};
  query.least = LogLevel::fatal;
  EXPECT_EQ(loki::log_query(settings, query, {"a", "b-c"}),
            R"x({namespace=~"(?i)(?:prod|p\\.1)", service=~"a|b\\-c"} |~ "(?m:a{2})" | level=~"(?i)(?:critical|crit|)x"
            R"x(fatal|ftl|panic|alert|emerg|emergency|dpanic|60)")x");
}

TEST(LogToolsNotSetUp, SayWhatToSet) {
  const test::ManualClock clock(kRemoteNow);
  test::ScriptedHttp http;
  const std::map<std::string, json::object> calls{
      {"search_logs", {{"query", "x"}}}, {"get_recent_errors", {}}, {"get_service_logs", {{"service", "x"}}}};
  for (auto [name, arguments] : calls) {
    const auto tool = log_tool({}, http, clock, name);
    EXPECT_THAT(tool->spec().missing, HasSubstr("(LOKI_URL)"));
    EXPECT_THAT(toolkit::check_spec(tool->spec()), testing::IsEmpty());
    arguments["environment"] = "prod";
    EXPECT_FAILS(test::call_tool(*tool, arguments), not_configured);
  }
}

}  // namespace
}  // namespace deputy::tools
