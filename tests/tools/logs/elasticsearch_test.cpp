// The log tools over a strict stand-in for Elasticsearch and OpenSearch.
#include "tools/logs/elasticsearch/elasticsearch.h"

#include "tools/logs/remote_logs.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ElasticsearchTools : public RemoteLogs {
 protected:
  ElasticsearchTools() {
    settings_.elasticsearch.api_key = Secret(std::string(test::kVendorToken));
    config_["api_key"] = test::kVendorToken;
    add("logs-shop-1", std::chrono::seconds(300), "error", "Upstream timeout after 31 ms");
    add("logs-shop-2", std::chrono::seconds(200), "INFO", "handled order 7");
    add("logs-shop-2", std::chrono::seconds(100), "Error", "Upstream timeout after 8 ms");
    // As another shipper writes it: dots in names, no level, what broke beside what was said.
    documents_.push_back(json::object{{"_index", "logs-other"},
                                      {"_source",
                                       {{"@timestamp", format_timestamp(kRemoteNow - std::chrono::seconds(150))},
                                        {"service.name", "checkout"},
                                        {"service.environment", "PRODUCTION"},
                                        {"message", "cannot pay"},
                                        {"error", {{"message", "java.io.IOException: \"broken\" pipe"}}}}}});
    add("logs-shop-2", std::chrono::seconds(90), "", "plain words");
    add("logs-shop-2", std::chrono::seconds(60), "critical", "disk is full", "search_index");
    add("logs-shop-2", std::chrono::hours(30), "error", "long ago", "search_index");
    add("logs-shop-3", std::chrono::seconds(50), "error", "in staging", "checkout", "Stage");
    add("audit-1", std::chrono::seconds(50), "error", "not a log", "auditor");
  }

  void add(const std::string& index, std::chrono::milliseconds before_now, const std::string& level,
           const std::string& message, const std::string& service = "checkout",
           const std::string& environment = "production") {
    json::object source{{"@timestamp", format_timestamp(kRemoteNow - before_now)},
                        {"service", {{"name", service}, {"environment", environment}}},
                        {"message", message}};
    if (!level.empty()) source["log"] = {{"level", level}};
    documents_.push_back(json::object{{"_index", index}, {"_source", std::move(source)}});
  }
  void start_elasticsearch() {
    config_["documents"] = documents_;
    settings_.elasticsearch.url = start("elasticsearch.js", config_);
  }
  void add_many(std::int64_t count, std::chrono::milliseconds step, const std::string& level = "error") {
    for (std::int64_t i = 0; i < count; ++i)
      add("logs-payments", step * i, level, fmt::format("no route to shard {}", i), "payments", "prod");
  }

  json::object config_;
  json::array documents_;
};

TEST_F(ElasticsearchTools, CountErrorsOfOneService) {
  start_elasticsearch();
  EXPECT_EQ(text("get_recent_errors", {{"service", "checkout"}}),
            "3 errors, 2 of them “Upstream timeout after {n} ms”, the last at 09:58\n"
            "checkout in prod, 2026-11-18 06:00:00 to 2026-11-18 10:00:00 UTC\n"
            "2 × Upstream timeout after {n} ms (error, first 2026-11-18 09:55:00, last 2026-11-18 09:58:20)\n"
            "    e.g. 2026-11-18T09:58:20.000Z ERROR Upstream timeout after 8 ms\n"
            "1 × cannot pay: java.io.IOException: \"…\" pipe (error, first 2026-11-18 09:57:30, last 2026-11-18 "
            "09:57:30)\n"
            "    e.g. 2026-11-18T09:57:30.000Z cannot pay: java.io.IOException: \"broken\" pipe\n"
            "\nAll 3, oldest first:\n"
            "2026-11-18T09:55:00.000Z ERROR Upstream timeout after 31 ms\n"
            "2026-11-18T09:57:30.000Z cannot pay: java.io.IOException: \"broken\" pipe\n"
            "2026-11-18T09:58:20.000Z ERROR Upstream timeout after 8 ms\n"
            "\nRead 3 indexes (logs-other, logs-shop-1, logs-shop-2): 3 entries, 0.0 MB.\n");
}

class ElasticsearchSearch : public ElasticsearchTools, public testing::WithParamInterface<SearchRow> {};

TEST_P(ElasticsearchSearch, FindsWords) {
  start_elasticsearch();
  EXPECT_EQ(matched("search_logs", {{"query", GetParam().query}, {"hours_back", 1}}), GetParam().found);
}
INSTANTIATE_TEST_SUITE_P(Queries, ElasticsearchSearch,
                         testing::Values(SearchRow{"Words", "TIMEOUT upstream", 2}, SearchRow{"All", "*", 6},
                                         SearchRow{"Phrase", "\"disk is full\"", 1},
                                         SearchRow{"NotInThisOrder", "\"full disk\"", 0},
                                         SearchRow{"WhatBroke", "IOException", 0},
                                         SearchRow{"WhatBrokeInFull", "java.io.IOException", 1},
                                         SearchRow{"Regex", "/after \\d+ ms/", 2},
                                         SearchRow{"RegexCase", "/^DISK/i", 1}, SearchRow{"PartOfAWord", "time", 0}),
                         [](const auto& row) { return row.param.name; });

TEST_F(ElasticsearchTools, SayWhatWasMatchedWhere) {
  start_elasticsearch();
  EXPECT_THAT(text("search_logs", {{"query", "time"}}),
              AllOf(StartsWith("No entries with `time`\n"),
                    HasSubstr("Note: Elasticsearch finds whole words; parts of a word do not match.\n")));
  EXPECT_THAT(text("search_logs", {{"query", "/time/"}}),
              AllOf(StartsWith("2 entries with `/time/`"), HasSubstr("regular expression: it was matched here.\n")));
}

TEST_F(ElasticsearchTools, ReadTheNewestLinesOfAService) {
  start_elasticsearch();
  EXPECT_THAT(text("get_service_logs", {{"service", "checkout"}, {"limit", 2}}),
              AllOf(StartsWith("5 entries, the last at 09:58\n"),
                    HasSubstr("The newest 2 of 5, oldest first:\n2026-11-18T09:58:20.000Z ERROR Upstream timeout after "
                              "8 ms\n2026-11-18T09:58:30.000Z plain words\n")));
}

TEST_F(ElasticsearchTools, TakeTheTimeRangeAsItIsGiven) {
  start_elasticsearch();
  EXPECT_EQ(matched("get_recent_errors", {{"service", "search-index"}, {"hours_back", 48}}), 2);
  EXPECT_EQ(matched("get_recent_errors", {{"service", "search-index"}}), 1);
  const json::object range{{"service", "checkout"}, {"from", "2026-11-18T09:55:00Z"}, {"to", "2026-11-18T09:57:30Z"}};
  EXPECT_EQ(matched("get_recent_errors", range), 2) << "both ends count";
}

TEST_F(ElasticsearchTools, KnowEnvironmentsByAllTheirNamesInAnyCase) {
  start_elasticsearch();
  EXPECT_EQ(matched("get_recent_errors", {{"environment", "staging"}}), 1);
  EXPECT_EQ(matched("get_recent_errors", {{"environment", "prod"}}), 4);
  EXPECT_THAT(text("get_recent_errors", {{"environment", "moon"}}), HasSubstr("ENVIRONMENT_REQUIRED"));
}

TEST_F(ElasticsearchTools, SuggestTheNearestService) {
  start_elasticsearch();
  EXPECT_THAT(text("get_service_logs", {{"service", "chekout"}}),
              HasSubstr("there is no service `chekout`; did you mean `checkout`?"));
  registry_ = registry_of({{.key = "quiet"}, {.key = "search", .aliases = {"search_index"}}}, clock_);
  EXPECT_THAT(text("get_service_logs", {{"service", "quiet"}}), HasSubstr("No log index belongs to quiet in prod.\n"));
  EXPECT_EQ(matched("get_service_logs", {{"service", "search"}}), 1) << "by its alias";
}

TEST_F(ElasticsearchTools, SayWhichFieldIsMissing) {
  start_elasticsearch();
  settings_.elasticsearch.service_field = "app";
  EXPECT_THAT(text("get_service_logs", {{"service", "checkout"}}),
              AllOf(HasSubstr("no entry in `logs-*` has the field `app`"),
                    HasSubstr("tools.log_tools.elasticsearch.service_field")));
  settings_.elasticsearch.service_field = "service.name";
  settings_.elasticsearch.environment_field = "labels.env";
  EXPECT_THAT(text("get_recent_errors", {}),
              AllOf(HasSubstr("has the field `labels.env`"), HasSubstr("elasticsearch.environment_field")));
  settings_.elasticsearch.environment_field = "message";
  EXPECT_FAILS(call("get_service_logs", {{"service", "checkout"}}), invalid_input);
  said();
  settings_.elasticsearch = {
      .url = settings_.elasticsearch.url, .api_key = settings_.elasticsearch.api_key, .index = "app-*"};
  EXPECT_THAT(text("get_recent_errors", {}), AllOf(HasSubstr("a name like `app-*`"), HasSubstr("elasticsearch.index")));
}

TEST_F(ElasticsearchTools, SayWhichEnvironmentsThereAre) {
  documents_ = {};
  add("logs-a", std::chrono::seconds(9), "error", "x", "a", "Stage");
  start_elasticsearch();
  EXPECT_THAT(text("get_recent_errors", {}),
              HasSubstr("Note: no index of that time has the environment prod; there are `Stage`.\n"));
}

TEST_F(ElasticsearchTools, ReadPageByPageAndShowTheCourse) {
  add_many(2500, std::chrono::seconds(4));
  start_elasticsearch();
  const auto output = call("get_recent_errors", {{"service", "payments"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, AllOf(StartsWith("2,500 errors, all “no route to shard {n}”"),
                                  HasSubstr("\nOver time, every 6m: ▁▁▁▁▁▁▁▁▁▁▁▁▇"
                                            "███████████████████████████, highest 91 from 2026-11-18 09:54 UTC\n"),
                                  Not(HasSubstr("Note:"))));
  EXPECT_TRUE(output->data.contains("plot"));
}

TEST_F(ElasticsearchTools, CountWhatIsTooMuchToRead) {
  add_many(10'400, std::chrono::seconds(1));
  start_elasticsearch();
  EXPECT_THAT(
      text("get_recent_errors", {{"service", "payments"}}),
      AllOf(StartsWith("10,400 errors, 10,000 of them “no route to shard {n}”"),
            HasSubstr("\n400 × other messages, not listed here\n"), HasSubstr("\nOver time, every 6m: "),
            HasSubstr("Note: only the newest 10,000 entries, back to 2026-11-18 07:13:21 UTC, were read to tell "
                      "messages apart; all are counted.\n")));
  EXPECT_THAT(text("search_logs", {{"service", "payments"}, {"query", "/shard/"}}),
              AllOf(StartsWith("10,000 entries"), Not(HasSubstr("Over time")),
                    HasSubstr("were read, and older ones are not counted")));
}

TEST_F(ElasticsearchTools, ReadEveryEntryOfOneMillisecond) {
  add_many(900, std::chrono::milliseconds(0));
  for (int i = 0; i < 900; ++i)
    add("logs-payments", std::chrono::milliseconds(1), "error", "earlier", "payments", "prod");
  start_elasticsearch();
  EXPECT_EQ(matched("search_logs", {{"service", "payments"}, {"query", "*"}}), 1800);
}

TEST_F(ElasticsearchTools, SayWhenAnAnswerIsPartial) {
  config_["times_out"] = true;
  config_["failed_shards"] = 1;
  start_elasticsearch();
  EXPECT_THAT(text("get_recent_errors", {{"service", "checkout"}}),
              AllOf(HasSubstr("Note: Elasticsearch ran out of time: these are a part of what there is.\n"),
                    HasSubstr("Note: 1 of 8 shards failed, so entries are missing: disconnected.\n")));
}

TEST_F(ElasticsearchTools, SignInWithAPasswordWhereAUserIsSet) {
  config_ = {{"user", "deputy"}, {"password", test::kVendorToken}, {"opensearch", true}};
  settings_.elasticsearch.user = "deputy";
  settings_.elasticsearch.password = Secret(std::string(test::kVendorToken));
  start_elasticsearch();
  EXPECT_EQ(matched("get_recent_errors", {{"service", "checkout"}}), 3);
  settings_.elasticsearch.user = "";
  EXPECT_FAILS(call("get_recent_errors", {}), authentication);
}

TEST_F(ElasticsearchTools, AreCheckedByAHarmlessRead) {
  start_elasticsearch();
  EXPECT_EQ(diagnosis().value_or(""),
            "Elasticsearch at " + settings_.elasticsearch.url + ": 2 services in `logs-*` in the last day");
  settings_.elasticsearch.api_key = Secret("another");
  EXPECT_FAILS(diagnosis(), authentication);
}

LogToolsSettings scripted() {
  LogToolsSettings settings;
  settings.elasticsearch.url = "http://127.0.0.1:1/es/";
  settings.elasticsearch.api_key = Secret(std::string(test::kVendorToken));
  return settings;
}

test::ScriptedResponse elastic_error(int status, const std::string& type) {
  return {.status = status,
          .headers = status == 429 ? std::vector<net::Header>{{"retry-after", "60"}} : std::vector<net::Header>{},
          .pieces = {fmt::format(R"({{"error": {{"type": "{}", "reason": "why"}}, "status": {}}})", type, status)}};
}

TEST(ElasticsearchErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock(kRemoteNow);
  test::expect_vendor_errors(
      [&](net::HttpClient& http) {
        return one_call(log_tool(scripted(), http, clock, "get_recent_errors"), {{"environment", "prod"}});
      },
      {{"Http403", elastic_error(403, "security_exception"), ErrorKind::permission, "`read`"},
       {"NoIndex", elastic_error(404, "index_not_found_exception"), ErrorKind::not_found, "elasticsearch.index"},
       {"NotAKeyword", elastic_error(400, "search_phase_execution_exception"), ErrorKind::invalid_input, "keyword"},
       {"Http400", elastic_error(400, "parsing_exception"), ErrorKind::invalid_input},
       {"TooMuch", elastic_error(429, "circuit_breaking_exception"), ErrorKind::rate_limit, "ask for less"},
       {"NotElasticsearch", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "tools.log_tools.elasticsearch.url"}});
}

TEST(ElasticsearchAnswers, OfAnyShapeAreRead) {
  const test::ManualClock clock(kRemoteNow);
  test::ScriptedHttp http;
  http.answers(
      {.pieces = {R"({"_shards": {"total": 1}, "hits": {"total": {"value": 5}, "hits": [null, {}, {"sort": ["soon"],
      "_source": {}}, {"sort": [1794996000000], "_source": {"message": ["fine", "x"], "log": "text"}},
      {"sort": [1794995999000000000], "_source": {"level": 3}}]}})"}});
  const auto output =
      test::call_tool(*log_tool(scripted(), http, clock, "search_logs"), {{"query", "*"}, {"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, AllOf(StartsWith("2 entries"), HasSubstr("2026-11-18T10:00:00.000Z fine\n"),
                                  HasSubstr("2026-11-18T09:59:59.000Z {\"level\":3}\n")));
}

struct FieldRow {
  std::string document;
  std::string field;
  std::string text;
};
class FieldText : public testing::TestWithParam<FieldRow> {};

TEST_P(FieldText, IsFoundHoweverItIsNested) {
  EXPECT_EQ(elasticsearch::field_text(json::parse(GetParam().document).as_object(), GetParam().field), GetParam().text);
}
INSTANTIATE_TEST_SUITE_P(Fields, FieldText,
                         testing::Values(FieldRow{R"({"a": {"b": {"c": "x"}}})", "a.b.c", "x"},
                                         FieldRow{R"({"a.b": {"c": "x"}})", "a.b.c", "x"},
                                         FieldRow{R"({"a": {"b.c": 7}})", "a.b.c", "7"},
                                         FieldRow{R"({"a": {}, "a.b.c": true})", "a.b.c", "true"},
                                         FieldRow{R"({"a": ["x", "y"]})", "a", "x"},
                                         FieldRow{R"({"a": []})", "a", "[]"}, FieldRow{R"({"a": {"b": 1}})", "a", ""},
                                         FieldRow{R"({"a": null})", "a.b", ""}));

}  // namespace
}  // namespace deputy::tools
