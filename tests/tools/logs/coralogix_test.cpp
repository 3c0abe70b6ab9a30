// The log tools over a strict stand-in for Coralogix.
#include "tools/logs/coralogix/coralogix.h"

#include "tools/logs/remote_logs.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kInfo = 3;
constexpr int kError = 5;
constexpr int kCritical = 6;

class CoralogixTools : public RemoteLogs {
 protected:
  CoralogixTools() {
    settings_.coralogix.api_key = Secret(std::string(test::kVendorToken));
    config_["api_key"] = test::kVendorToken;
    add(std::chrono::seconds(300), kError, {{"message", "Upstream timeout after 31 ms"}, {"shard", 4}});
    add(std::chrono::seconds(200), kInfo, "handled order 7");
    add(std::chrono::seconds(150), kError, "it's \"quoted\" in C:\\temp");
    add(std::chrono::seconds(100), kError, {{"message", "Upstream timeout after 8 ms"}});
    add(std::chrono::seconds(60), kCritical, "disk is full", "search_index");
    add(std::chrono::hours(30), kError, "long ago", "search_index");
    add(std::chrono::seconds(50), kError, "in staging", "checkout", "Stage");
  }

  void add(std::chrono::milliseconds before_now, int severity, json::value data,
           const std::string& service = "checkout", const std::string& environment = "production") {
    // As Coralogix writes it: without a zone.
    std::string at = format_timestamp(kRemoteNow - before_now);
    at.pop_back();
    entries_.push_back(json::object{{"timestamp", at},
                                    {"severity", severity},
                                    {"labels", {{"applicationname", environment}, {"subsystemname", service}}},
                                    {"data", std::move(data)}});
  }
  void add_many(std::int64_t count, std::chrono::milliseconds step) {
    for (std::int64_t i = 0; i < count; ++i)
      add(step * i, kError, json::value(fmt::format("no route to shard {}", i)), "payments", "prod");
  }
  void start_coralogix() {
    config_["entries"] = entries_;
    settings_.coralogix.url = start("coralogix.js", config_) + "/";
  }

  json::object config_;
  json::array entries_;
};

TEST_F(CoralogixTools, CountErrorsOfOneService) {
  start_coralogix();
  EXPECT_EQ(
      text("get_recent_errors", {{"service", "checkout"}}),
      "3 errors, 2 of them “Upstream timeout after {n} ms”, the last at 09:58\n"
      "checkout in prod, 2026-11-18 06:00:00 to 2026-11-18 10:00:00 UTC\n"
      "2 × Upstream timeout after {n} ms (error, first 2026-11-18 09:55:00, last 2026-11-18 09:58:20)\n"
      "    e.g. 2026-11-18T09:58:20.000Z ERROR Upstream timeout after 8 ms\n"
      "1 × it's \"…\" in C:\\temp (error, first 2026-11-18 09:57:30, last 2026-11-18 09:57:30)\n"
      "    e.g. 2026-11-18T09:57:30.000Z ERROR it's \"quoted\" in C:\\temp\n"
      "\nAll 3, oldest first:\n"
      "2026-11-18T09:55:00.000Z ERROR {\"message\":\"Upstream timeout after 31 ms\",\"shard\":4}\n"
      "2026-11-18T09:57:30.000Z ERROR it's \"quoted\" in C:\\temp\n"
      "2026-11-18T09:58:20.000Z ERROR Upstream timeout after 8 ms\n"
      "\nRead 1 application (production): 3 entries, 0.0 MB.\n"
      "Asked as: source logs | filter ['LIVE', 'Live', 'PROD', 'PRODUCTION', 'Prod', 'Production', 'live', 'prod', "
      "'production'].arrayContains($l.applicationname) | filter ['checkout'].arrayContains($l.subsystemname) | "
      "filter [ERROR, CRITICAL].arrayContains($m.severity)\n"
      "Note: only logs of the tier Frequent Search were searched.\n");
}

class CoralogixSearch : public CoralogixTools, public testing::WithParamInterface<SearchRow> {};

TEST_P(CoralogixSearch, FindsWords) {
  start_coralogix();
  EXPECT_EQ(matched("search_logs", {{"query", GetParam().query}, {"hours_back", 1}}), GetParam().found);
}
INSTANTIATE_TEST_SUITE_P(Queries, CoralogixSearch,
                         testing::Values(SearchRow{"Words", "TIMEOUT upstream", 2}, SearchRow{"All", "*", 5},
                                         SearchRow{"Phrase", "\"disk is full\"", 1}, SearchRow{"Quote", "it's", 1},
                                         SearchRow{"BothQuotes", "it's\"quoted", 1},
                                         SearchRow{"Backslash", "C:\\temp", 1},
                                         SearchRow{"Regex", "/after \\d+ ms/", 2},
                                         SearchRow{"RegexCase", "/^DISK/i", 1}, SearchRow{"PartOfAWord", "time", 0}),
                         [](const auto& row) { return row.param.name; });

TEST_F(CoralogixTools, SayWhatWasMatchedWhere) {
  start_coralogix();
  EXPECT_THAT(text("search_logs", {{"query", "time"}}),
              AllOf(StartsWith("No entries with `time`\n"),
                    HasSubstr("Note: only logs of the tier Frequent Search were searched.\n"),
                    HasSubstr("Note: Coralogix finds whole words; parts of a word do not match.\n")));
  EXPECT_THAT(text("search_logs", {{"query", "/time/"}}),
              AllOf(StartsWith("2 entries with `/time/`"), HasSubstr("regular expression: it was matched here.\n")));
}

TEST_F(CoralogixTools, ReadTheNewestLinesOfAService) {
  start_coralogix();
  EXPECT_THAT(text("get_service_logs", {{"service", "checkout"}, {"limit", 2}}),
              AllOf(StartsWith("4 entries, the last at 09:58\n"),
                    HasSubstr("The newest 2 of 4, oldest first:\n2026-11-18T09:57:30.000Z ERROR it's")));
}

TEST_F(CoralogixTools, TakeTheTimeRangeAsItIsGiven) {
  start_coralogix();
  EXPECT_EQ(matched("get_recent_errors", {{"service", "search-index"}, {"hours_back", 48}}), 2);
  EXPECT_EQ(matched("get_recent_errors", {{"service", "search-index"}}), 1);
  const json::object range{{"service", "checkout"}, {"from", "2026-11-18T09:55:00Z"}, {"to", "2026-11-18T09:57:30Z"}};
  EXPECT_EQ(matched("get_recent_errors", range), 2) << "both ends count";
}

TEST_F(CoralogixTools, KnowEnvironmentsByAllTheirNamesInAnyCase) {
  start_coralogix();
  EXPECT_EQ(matched("get_recent_errors", {{"environment", "staging"}}), 1);
  EXPECT_EQ(matched("get_recent_errors", {{"environment", "prod"}}), 4);
  EXPECT_THAT(text("get_recent_errors", {{"environment", "moon"}}), HasSubstr("ENVIRONMENT_REQUIRED"));
}

TEST_F(CoralogixTools, SuggestTheNearestService) {
  start_coralogix();
  EXPECT_THAT(text("get_service_logs", {{"service", "chekout"}}),
              HasSubstr("there is no service `chekout`; did you mean `checkout`?"));
  registry_ = registry_of({{.key = "quiet"}, {.key = "search", .aliases = {"search_index"}}}, clock_);
  EXPECT_THAT(text("get_service_logs", {{"service", "quiet"}}),
              HasSubstr("No log application belongs to quiet in prod.\n"));
  EXPECT_EQ(matched("get_service_logs", {{"service", "search"}}), 1) << "by its alias";
}

TEST_F(CoralogixTools, FindServiceAndEnvironmentUnderTheKeysOfSettings) {
  add(std::chrono::seconds(9), kError, {{"message", "no seat"}, {"k8s", {{"app", "booking"}, {"env", "prod"}}}}, "x",
      "y");
  start_coralogix();
  settings_.coralogix.service_key = "$d.k8s.app";
  settings_.coralogix.environment_key = "$d.k8s.env";
  EXPECT_THAT(text("get_recent_errors", {}), AllOf(StartsWith("1 error, all “no seat”"), HasSubstr("[booking] 2026")));
  settings_.coralogix.service_key = "$d.app";
  EXPECT_THAT(text("get_service_logs", {{"service", "booking"}}),
              AllOf(HasSubstr("no entry of Coralogix has `$d.app`"), HasSubstr("coralogix.service_key")));
}

TEST_F(CoralogixTools, CountWhatIsTooMuchToRead) {
  add_many(10'400, std::chrono::seconds(1));
  start_coralogix();
  EXPECT_THAT(
      text("get_recent_errors", {{"service", "payments"}}),
      AllOf(StartsWith("10,400 errors, 10,000 of them “no route to shard {n}”"),
            HasSubstr("\n400 × other messages, not listed here\n"), HasSubstr("\nOver time, every 6m: ▁▁▁▁▁▁▁▁▁▁▁")));
  EXPECT_THAT(text("search_logs", {{"service", "payments"}, {"query", "/shard/"}}),
              AllOf(StartsWith("10,000 entries"), Not(HasSubstr("Over time")),
                    HasSubstr("were read, and older ones are not counted")));
}

TEST_F(CoralogixTools, SayWhatCoralogixWarnsOfAndWhenItBreaksOff) {
  config_["warns"] = "keypath does not exist";
  config_["breaks_off"] = "out of memory";
  start_coralogix();
  EXPECT_THAT(text("get_recent_errors", {{"service", "checkout"}}),
              AllOf(StartsWith("3 errors"), HasSubstr("Note: Coralogix warns: keypath does not exist.\n"),
                    HasSubstr("Note: Coralogix broke off, so entries are missing: out of memory.\n")));
}

TEST_F(CoralogixTools, TakeAnErrorInASuccessForAnError) {
  config_["fails"] = "query is too wide";
  start_coralogix();
  const auto refused = call("get_recent_errors", {});
  ASSERT_FAILS(refused, upstream);
  EXPECT_EQ(refused.error().message, "Coralogix did not carry out the query: query is too wide");
}

TEST_F(CoralogixTools, AreCheckedByAHarmlessRead) {
  start_coralogix();
  EXPECT_THAT(diagnosis().value_or(""), HasSubstr(": 2 services in the last day"));
  settings_.coralogix.api_key = Secret("another");
  EXPECT_FAILS(diagnosis(), authentication);
}

LogToolsSettings scripted() {
  LogToolsSettings settings;
  settings.coralogix.region = "eu2";
  settings.coralogix.api_key = Secret(std::string(test::kVendorToken));
  return settings;
}

TEST(CoralogixErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock(kRemoteNow);
  test::expect_vendor_errors(
      [&](net::HttpClient& http) {
        return one_call(log_tool(scripted(), http, clock, "get_recent_errors"), {{"environment", "prod"}});
      },
      {{"CompileError",
        test::ScriptedResponse{.pieces = {"{\"queryId\": {\"queryId\": \"q\"}}\n{\"error\": {\"compileError\": {\"x\": "
                                          "[\"bad key\"]}}}\n"}},
        ErrorKind::upstream, "coralogix.service_key"},
       {"NotCoralogix", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "tools.log_tools.coralogix"},
       {"HalfALine", test::ScriptedResponse{.pieces = {"{\"queryId\": {}}\n{\"result\": {\"res"}}, ErrorKind::upstream,
        "tools.log_tools.coralogix"}});
}

TEST(CoralogixRequests, GoToTheRegion) {
  const test::ManualClock clock(kRemoteNow);
  test::ScriptedHttp http;
  http.answers({.pieces = {"{\"queryId\": {\"queryId\": \"q\"}}\n"}});
  http.answers({.pieces = {"{\"queryId\": {\"queryId\": \"q\"}}\n"}});
  EXPECT_OK(test::run(one_call(log_tool(scripted(), http, clock, "get_recent_errors"), {{"environment", "prod"}})));
  EXPECT_EQ(http.asked().front().url, "https://api.eu2.coralogix.com/api/v1/dataprime/query");
  EXPECT_EQ(net::find_header(http.asked().front().headers, "authorization"),
            "Bearer " + std::string(test::kVendorToken));
}

TEST(CoralogixAnswers, OfAnyShapeAreRead) {
  const auto answer = coralogix::read_answer(
      "\n[1]\n{\"result\": {\"results\": [null, {}, {\"metadata\": [{\"key\": \"timestamp\", \"value\": "
      "\"1794996000000000000\"}, {\"key\": \"severity\", \"value\": \"Warning\"}, 7], \"labels\": 3, \"userData\": "
      "\"not "
      "json\"}, {\"userData\": \"{\\\"a\\\": {\\\"b\\\": 1}}\"}]}}\r\n{\"warning\": \"w\"}");
  ASSERT_OK(answer);
  EXPECT_TRUE(answer->recognized);
  EXPECT_THAT(answer->warnings, ElementsAre("w"));
  ASSERT_EQ(answer->entries.size(), 4);
  EXPECT_EQ(answer->entries[2].text(), "not json");
  EXPECT_EQ(answer->entries[2].time(), kRemoteNow);
  EXPECT_EQ(answer->entries[2].level(), LogLevel::warning);
  EXPECT_EQ(answer->entries[3].at("$d.a.b"), "1");
  EXPECT_EQ(answer->entries[3].at("$d.a.b.c"), "");
  EXPECT_EQ(answer->entries[3].time(), std::nullopt);
}

TEST(CoralogixQueries, HoldOneStringWhateverIsInIt) {
  EXPECT_EQ(coralogix::dataprime_string("a\\b"), R"('a\\b')");
  EXPECT_EQ(coralogix::dataprime_string("it's"), R"("it's")");
  EXPECT_EQ(coralogix::dataprime_string("it's \"x\"\n"), R"('it\'s "x" ')");
}

}  // namespace
}  // namespace deputy::tools
