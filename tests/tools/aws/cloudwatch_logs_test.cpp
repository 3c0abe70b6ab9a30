// The log tools over CloudWatch Logs, with a strict stand-in for AWS that reads the queries, and what they make of
// errors.
#include "tools/logs/cloudwatch/cloudwatch_logs.h"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "net/client.h"
#include "support/aws_ops.h"
#include "support/manual_clock.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/logs/log_tools.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const cloudwatch::EnvironmentNames kEnvironments{{"prod", {"production", "live"}}, {"staging", {"stage"}}};

class CloudWatchLogsTest : public testing::Test, public test::OnLoop {
 protected:
  CloudWatchLogsTest() { settings_.cloudwatch.groups = {{"/ecs/{environment}/{service}", "", ""}}; }
  ~CloudWatchLogsTest() override {
    for (const std::string& line : said()) EXPECT_THAT(line, Not(StartsWith("broken")));
  }

  std::vector<std::string> said() {
    for (std::string& line : peer_.said()) all_said_.push_back(std::move(line));
    return all_said_;
  }
  std::shared_ptr<const toolkit::Tool> tool(std::string_view name) {
    const auto logs = cloudwatch::make_logs(settings_.cloudwatch, kEnvironments, &account_);
    for (const auto& one :
         log_tools({choose_among(settings_, {logs}), nullptr, &clock_, kEnvironments, settings_.max_scan})) {
      if (one->spec().name == name) return one;
    }
    return nullptr;
  }
  Result<std::string> call(std::string_view name, const json::object& arguments) {
    TRY(const toolkit::Output output, await(test::call_chain(*tool(name), arguments)));
    return output.text;
  }

  test::ManualClock clock_{*parse_timestamp("2026-11-18T10:00:00Z")};
  test::AwsOps peer_{clock_.now()};
  std::vector<std::string> all_said_;
  net::Client http_{loop_.get_executor(), {}};
  clients::aws::Account account_{peer_.settings(), test::aws_environment(), http_, clock_, loop_.get_executor()};
  LogToolsSettings settings_;
};

TEST_F(CloudWatchLogsTest, ErrorsAreCountedByMessageNewestLast) {
  const auto text = call("get_recent_errors", {{"service", "checkout"}, {"environment", "prod"}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("4 errors, 3 of them “"));
  EXPECT_THAT(*text, AllOf(HasSubstr("checkout in prod, 2026-11-18 06:00:00 to 2026-11-18 10:00:00 UTC\n"),
                           HasSubstr("order 19: timeout after 12 ms"),
                           HasSubstr("Read 1 group (/ecs/prod/checkout): 6 "
                                     "entries, 0.0 MB"),
                           Not(HasSubstr("no error here"))));
}

TEST_F(CloudWatchLogsTest, AllServicesOfAnEnvironmentByAllItsNames) {
  const auto text = call("search_logs", {{"query", "*"}, {"environment", "prod"}, {"hours_back", 1}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, AllOf(HasSubstr("Read 3 groups (/ecs/prod/checkout, /ecs/prod/mailer, /ecs/production/legacy)"),
                           HasSubstr("[legacy] "), HasSubstr("FATAL out of memory"), HasSubstr("smtp refused"),
                           Not(HasSubstr("staging only"))));
}

TEST_F(CloudWatchLogsTest, WordsPhrasesAndExpressionsAreFoundAsTheyAreWritten) {
  const auto search = [&](const std::string& query) {
    return call("search_logs", {{"query", query}, {"service", "checkout"}, {"environment", "prod"}}).value_or("failed");
  };
  EXPECT_THAT(search("PAYMENT order"), StartsWith("3 entries with `payment order`"));
  EXPECT_THAT(search("\"a/b?x=(1)\""), StartsWith("1 entry with"));
  EXPECT_THAT(search("\\d"), StartsWith("1 entry with"));
  EXPECT_THAT(search("/order \\d+9: timeout/"), StartsWith("1 entry with"));
  EXPECT_THAT(search("/a\\/b|a/b/"), StartsWith("1 entry with"));
  EXPECT_THAT(search("/PAYMENT/i"), StartsWith("3 entries with"));
  EXPECT_THAT(search("| limit 1"), StartsWith("No entries with"));
  EXPECT_THAT(search("/x/ | fields @ptr /"), StartsWith("No entries with"));
}

TEST_F(CloudWatchLogsTest, TheNewestLinesOfAService) {
  const auto text = call("get_service_logs", {{"service", "Mailer"}, {"environment", "prod"}, {"limit", 1}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("2 entries"));
  EXPECT_THAT(*text, AllOf(HasSubstr("ERROR smtp refused"), Not(HasSubstr("queue is long"))));
  EXPECT_THAT(said(), Contains(HasSubstr("| limit 1\"")));
}

TEST_F(CloudWatchLogsTest, AnUnknownServiceSuggestsTheNearest) {
  const auto unknown = call("search_logs", {{"query", "x"}, {"service", "chekout"}, {"environment", "prod"}});
  ASSERT_FAILS(unknown, not_found);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean `checkout`?"));
  const auto elsewhere = call("search_logs", {{"query", "x"}, {"service", "mailer"}, {"environment", "staging"}});
  ASSERT_OK(elsewhere);
  EXPECT_THAT(*elsewhere, HasSubstr("No log group belongs to mailer in staging"));
}

TEST_F(CloudWatchLogsTest, GroupsMayHaveAnEnvironmentAndAServiceOfTheirOwn) {
  settings_.cloudwatch.groups = {{"/lambda/nightly", "prod", "jobs"}, {"/ecs/{environment}/checkout", "", "shop"}};
  EXPECT_THAT(*call("search_logs", {{"query", "*"}, {"service", "jobs"}, {"environment", "prod"}}),
              HasSubstr("nothing of ours"));
  EXPECT_THAT(*call("search_logs", {{"query", "*"}, {"service", "shop"}, {"environment", "staging"}}),
              HasSubstr("staging only"));
}

TEST_F(CloudWatchLogsTest, AQueryThatFailsOrTakesTooLongIsStoppedAndSaysSo) {
  const auto failed = call("search_logs", {{"query", "breaks"}, {"environment", "prod"}});
  ASSERT_FAILS(failed, upstream);
  const auto logs = cloudwatch::make_logs(settings_.cloudwatch, kEnvironments, &account_);
  LogQuery query{.environment = "prod",
                 .environment_names = {"prod"},
                 .span = {clock_.now() - std::chrono::hours(1), clock_.now()}};
  query.text.words = {"forever"};
  const auto late = await(logs->search(query, std::chrono::milliseconds(2500)));
  ASSERT_FAILS(late, timeout);
  EXPECT_THAT(late.error().hint, HasSubstr("background"));
  EXPECT_THAT(said(), Contains(HasSubstr("logs.StopQuery {\"queryId\":\"q-2\"}")));
}

TEST_F(CloudWatchLogsTest, AQueryThatIsCancelledIsStopped) {
  const auto logs = cloudwatch::make_logs(settings_.cloudwatch, kEnvironments, &account_);
  LogQuery query{.environment = "prod",
                 .environment_names = {"prod"},
                 .span = {clock_.now() - std::chrono::hours(1), clock_.now()}};
  query.text.words = {"forever"};
  Cancel cancel(loop_.get_executor());
  bool ended = false;
  asio::co_spawn(
      loop_, logs->search(query, std::chrono::seconds(60)),
      asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr thrown, const Result<LogFindings>&) {
        EXPECT_TRUE(is_cancellation(thrown));
        ended = true;
      }));
  ASSERT_TRUE(test::run_until_within(std::chrono::seconds(20), loop_, [&] {
    return std::ranges::any_of(said(), [](const std::string& line) { return line.contains("logs.GetQueryResults"); });
  }));
  cancel.emit();
  ASSERT_TRUE(test::run_until_within(std::chrono::seconds(20), loop_, [&] { return ended; }));
  EXPECT_THAT(said(), Contains(HasSubstr("logs.StopQuery")));
}

TEST_F(CloudWatchLogsTest, ALongRangeAsksAPersonFirst) {
  const auto spec = tool("search_logs")->spec();
  const auto asks = [&](json::object arguments) {
    arguments["query"] = "x";
    return toolkit::always_asks(spec, arguments);
  };
  EXPECT_FALSE(asks({{"hours_back", 24}}));
  EXPECT_TRUE(asks({{"hours_back", 25}}));
  EXPECT_FALSE(asks({{"hours_back", 48}, {"from", "2026-11-18T01:00:00Z"}}));
  EXPECT_TRUE(asks({{"hours_back", 1}, {"from", "2026-11-16T01:00:00Z"}}));
  EXPECT_FALSE(asks({{"hours_back", 1}, {"from", "2026-11-10T01:00:00Z"}, {"to", "2026-11-10T05:00:00Z"}}));
  EXPECT_THAT(toolkit::words_of(spec, {{"hours_back", 48}}).why_write,
              AllOf(HasSubstr("of logs, which is charged for"), HasSubstr("tools.log_tools.max_scan")));
  EXPECT_TRUE(toolkit::always_reads(spec));
  const auto unasked = call("search_logs", {{"query", "x"}, {"environment", "prod"}, {"hours_back", 48}});
  ASSERT_FAILS(unasked, permission);
  settings_.max_scan = std::chrono::hours(72);
  EXPECT_OK(call("search_logs", {{"query", "x"}, {"environment", "prod"}, {"hours_back", 48}}));
}

TEST_F(CloudWatchLogsTest, AreCheckedByAHarmlessRead) {
  const auto logs = cloudwatch::make_logs(settings_.cloudwatch, kEnvironments, &account_);
  EXPECT_EQ(must(logs->diagnose(std::chrono::seconds(10))),
            "CloudWatch Logs in eu-central-1: 4 log groups of 3 services");
  EXPECT_EQ(must(logs->services(std::chrono::seconds(10))), (std::vector<std::string>{"checkout", "legacy", "mailer"}));
}

TEST(LogGroupNames, FitAPatternOrNot) {
  const LogGroupSettings pattern{"/ecs/{environment}/{service}-logs", "", ""};
  EXPECT_EQ(cloudwatch::group_prefix(pattern, "prod"), "/ecs/prod/");
  EXPECT_EQ(cloudwatch::group_of(pattern, "prod", "/ecs/prod/a-b-logs")->service, "a-b");
  EXPECT_FALSE(cloudwatch::group_of(pattern, "prod", "/ecs/prod/-logs"));
  EXPECT_FALSE(cloudwatch::group_of(pattern, "prod", "/ecs/prod/a/b-logs"));
  EXPECT_FALSE(cloudwatch::group_of(pattern, "prod", "/ecs/production/a-logs"));
  const LogGroupSettings before{"/{service}/{environment}", "", ""};
  EXPECT_EQ(cloudwatch::group_prefix(before, "prod"), "/");
  EXPECT_EQ(cloudwatch::group_of(before, "prod", "/a/prod")->service, "a");
}

TEST(InsightsQueries, CannotBeLeftByWhatIsSearchedFor) {
  LogQuery query;
  query.text.words = {"a/b", "x | limit 1", "\\"};
  query.text.regex = "[/]\\/\n\\d";
  EXPECT_EQ(cloudwatch::insights_query(query, 5),
            "fields @timestamp, @message, @log | filter @message like /(?i)a\\/b/ | filter @message like "
            "/(?i)x\\ \\|\\ limit\\ 1/ | filter @message like /(?i)\\\\/ | filter @message like /[\\/]\\/\\x0a\\d/ | "
            "sort @timestamp desc | limit 5");
}

TEST(CloudWatchLogGroups, ThatAreTooManyToBeListedAreSaidAndNoServiceIsCalledUnknown) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const auto list_pages = [&] {
    for (int page = 0; page < 40; ++page) {
      const std::string name = fmt::format("/ecs/prod/service-{}", page);
      const json::object answer{{"logGroups", {{{"logGroupName", name}}}}, {"nextToken", name}};
      http.answers({.pieces = {json::serialize(answer)}});
    }
  };
  asio::io_context loop;
  const auto account = test::account_over(http, clock, loop.get_executor(), test::kVendorToken);
  const CloudWatchLogsSettings settings{{{"/ecs/{environment}/{service}", "", ""}}};
  const auto logs = cloudwatch::make_logs(settings, {{"prod", {}}}, account.get());
  list_pages();
  EXPECT_THAT(*test::run_on(loop, logs->diagnose(std::chrono::seconds(10))), HasSubstr("more than 40 log groups"));
  list_pages();
  list_pages();
  LogQuery query{.environment = "prod", .environment_names = {"prod"}, .service_names = {"other"}};
  const auto found = test::run_on(loop, logs->search(query, std::chrono::seconds(10)));
  ASSERT_OK(found);
  EXPECT_THAT(found->notes, testing::ElementsAre(HasSubstr("only the first 2000 log groups of a prefix were listed")));
}

TEST(CloudWatchLogsErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  const auto search = [&](net::HttpClient& http) -> Task<Result<>> {
    const auto loop = co_await asio::this_coro::executor;
    const auto account = test::account_over(http, clock, loop, test::kVendorToken);
    const CloudWatchLogsSettings settings{{{"/ecs/{environment}/{service}", "", ""}}};
    const auto logs = cloudwatch::make_logs(settings, {{"prod", {}}}, account.get());
    LogQuery query{.environment = "prod", .environment_names = {"prod"}};
    CO_TRY(const LogFindings findings, co_await logs->search(query, std::chrono::seconds(20)));
    co_return Result<>{};
  };
  test::expect_vendor_errors(
      search, {{"Http403", test::ScriptedResponse{.status = 403}, ErrorKind::permission, "logs:DescribeLogGroups"},
               {"AnotherService", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
                "aws.region"}});
}

TEST(CloudWatchLogsNotSetUp, AreNotThereAndTheToolSaysWhatToSet) {
  EXPECT_EQ(cloudwatch::make_logs({}, kEnvironments, nullptr), nullptr);
  EXPECT_THAT(choose_among({}, {}).missing(), HasSubstr("tools.log_tools.cloudwatch.groups"));
}

}  // namespace
}  // namespace deputy::tools
