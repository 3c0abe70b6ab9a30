// The alarm tools over CloudWatch and ECS, with a strict stand-in for AWS, and what they make of errors.
#include "tools/alarms/cloudwatch/cloudwatch.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/aws_ops.h"
#include "support/manual_clock.h"
#include "support/vendor_errors.h"
#include "tools/alarms/alarm_tools.h"
#include "tools/alarms/cloudwatch/ecs.h"
#include "tools/call_tool.h"

namespace deputy::tools {
namespace {

Workers& workers() {
  static Workers workers("test", {.threads = 1});
  return workers;
}

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

AlarmToolsSettings cloudwatch_settings() {
  AlarmToolsSettings settings;
  settings.cloudwatch = {.enabled = true, .clusters = {{"prod", "acme-prod"}}, .ecs_service = "{service}-svc"};
  return settings;
}

class CloudWatchTools : public testing::Test, public test::OnLoop {
 protected:
  ~CloudWatchTools() override { EXPECT_THAT(peer_.said(), Each(StartsWith("asked"))); }

  Result<toolkit::Output> output(const std::string& tool, const json::object& arguments) {
    for (const auto& one : alarm_tools(make_alarm_backends(settings_, http_, clock_, workers(), &account_), clock_)) {
      if (one->spec().name == tool) return await(test::call_chain(*one, arguments));
    }
    return fail(ErrorKind::internal, "no such tool");
  }
  Result<std::string> call(const std::string& tool, const json::object& arguments) {
    TRY(const toolkit::Output found, output(tool, arguments));
    return found.text;
  }

  test::ManualClock clock_{*parse_timestamp("2026-11-18T10:00:00Z")};
  test::AwsOps peer_{clock_.now()};
  net::Client http_{loop_.get_executor(), {}};
  clients::aws::Account account_{peer_.settings(), test::aws_environment(), http_, clock_, loop_.get_executor()};
  AlarmToolsSettings settings_ = cloudwatch_settings();
};

TEST_F(CloudWatchTools, ListWhatFiresOverAllPagesAndSayWhatIsMuted) {
  const auto text = call("check_alarms", {});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("2 alarms firing: Checkout is down, checkout-cpu\nAs of 2026-11-18 10:00:00 UTC\n"));
  EXPECT_THAT(
      *text,
      HasSubstr("- checkout-cpu [firing] since 2026-11-18 09:48:00 UTC (11m): CPU of checkout is high: Threshold "
                "Crossed: 1 datapoint [93.2] was greater than the threshold (80.0). (ServiceName=checkout, "
                "metric=AWS/ECS CPUUtilization) https://eu-central-1.console.aws.amazon.com/cloudwatch/"
                "home?region=eu-central-1#alarmsV2:alarm/checkout-cpu\n"));
  EXPECT_THAT(*text, HasSubstr("Note: 1 more alarm in state ALARM with actions switched off or suppressed"));
}

TEST_F(CloudWatchTools, ListAlarmsOfAStateAndAPrefixWhateverItsCase) {
  EXPECT_THAT(*call("check_alarms", {{"state", "ok"}}), StartsWith("1 alarm ok: mailer-queue\n"));
  EXPECT_THAT(*call("check_alarms", {{"state", "no_data"}}), StartsWith("1 alarm no_data: search-disk\n"));
  EXPECT_THAT(*call("check_alarms", {{"state", "silenced"}}), StartsWith("1 alarm silenced: muted-cpu\n"));
  EXPECT_THAT(*call("check_alarms", {{"state", "pending"}}), HasSubstr("CloudWatch has no pending alarms"));
  EXPECT_THAT(*call("check_alarms", {{"state", "all"}, {"prefix", "CHECKOUT"}}),
              StartsWith("2 alarms with a name that begins with `CHECKOUT`: Checkout is down, checkout-cpu\n"));
}

TEST_F(CloudWatchTools, ReadAnExpressionOverATimeRange) {
  const auto text =
      call("query_metrics", {{"query", "SELECT AVG(CPUUtilization) FROM \"AWS/EC2\""}, {"hours_back", 1}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("Last 29.84, highest 29.84 at 2026-11-18 10:00:00 UTC\n"));
  EXPECT_THAT(*text, HasSubstr("Note: CloudWatch has a value every 1m for that time.\n"));
  EXPECT_THAT(peer_.said(), testing::ElementsAre(HasSubstr(R"x("Expression":"SELECT AVG(CPUUtilization))x")));
}

TEST_F(CloudWatchTools, ShowTasksDeploymentsAndUtilizationOfAServiceOnEcs) {
  const auto found = output("get_ecs_metrics", {{"service", "checkout"}, {"environment", "prod"}, {"hours_back", 1}});
  ASSERT_OK(found);
  EXPECT_THAT(
      found->text,
      StartsWith("checkout in prod: 2 of 3 tasks running, 1 pending, CPU now 29.8%, highest 49.8%, memory now "
                 "59.8%, highest 79.8%\n- IN_PROGRESS deployment of checkout:42 since 2026-11-18 09:51:00 UTC: 0 "
                 "of 3 running, 2 tasks failed; ECS deployment ecs-svc/1 in progress.\nNewest events of ECS:\n- "
                 "2026-11-18 09:57:00 UTC (service checkout-svc) is unable to place a task.\n"));
  EXPECT_THAT(found->text,
              AllOf(HasSubstr("- CPUUtilization{stat=\"Average\"}\n"),
                    HasSubstr("`CPU and memory in percent: checkout-svc in cluster acme-prod`"),
                    HasSubstr("/ecs/v2/clusters/acme-prod/services/checkout-svc/health?region=eu-central-1")));
  EXPECT_TRUE(found->data.contains("plot"));
  EXPECT_EQ(found->data.at("tasks").at("desired"), 3);
}

TEST_F(CloudWatchTools, AServiceOrEnvironmentThatEcsDoesNotHaveIsAnErrorWithAHint) {
  const auto service = call("get_ecs_metrics", {{"service", "nosuch"}, {"environment", "prod"}});
  ASSERT_FAILS(service, not_found);
  EXPECT_THAT(service.error().message, HasSubstr("`acme-prod` has no service `nosuch-svc`"));
  const auto environment = call("get_ecs_metrics", {{"service", "checkout"}, {"environment", "staging"}});
  ASSERT_FAILS(environment, invalid_input);
  EXPECT_THAT(environment.error().message, StartsWith("ENVIRONMENT_REQUIRED: name one of the environments with an ECS "
                                                      "cluster: prod"));
  settings_.cloudwatch.clusters["prod"] = "acme-gone";
  const auto cluster = call("get_ecs_metrics", {{"service", "checkout"}, {"environment", "prod"}});
  ASSERT_FAILS(cluster, not_found);
  EXPECT_THAT(cluster.error().hint, HasSubstr("tools.alarm_tools.cloudwatch.clusters"));
}

TEST_F(CloudWatchTools, AreCheckedByAHarmlessRead) {
  const AlarmBackends backends = make_alarm_backends(settings_, http_, clock_, workers(), &account_);
  EXPECT_EQ(must((*backends.alarms.choose())->diagnose(std::chrono::seconds(10))),
            "alarms and metrics in eu-central-1 can be read");
  EXPECT_EQ(must(backends.ecs->diagnose(std::chrono::seconds(10))), "the cluster acme-prod can be read");
}

TEST(EcsMetrics, SayThatTheTasksAreUnknownWhereEcsIsNotAllowed) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  http.answers({.status = 400, .pieces = {R"({"__type": "AccessDeniedException", "message": "no"})"}});
  http.answers({.pieces = {R"({"MetricDataResults": []})"}});
  const auto text = test::run([](net::HttpClient& client, const Clock& now) -> Task<Result<std::string>> {
    const auto loop = co_await asio::this_coro::executor;
    const auto account = test::account_over(client, now, loop);
    const AlarmBackends backends = make_alarm_backends(cloudwatch_settings(), client, now, workers(), account.get());
    const auto tool = cloudwatch::get_ecs_metrics(backends.ecs, now);
    CO_TRY(const toolkit::Output output,
           co_await test::call_chain(*tool, {{"service", "checkout"}, {"environment", "prod"}}));
    co_return output.text;
  }(http, clock));
  ASSERT_OK(text);
  EXPECT_THAT(*text, AllOf(HasSubstr("the number of tasks is unknown"), HasSubstr("allow ecs:DescribeServices")));
}

Task<Result<>> call_cloudwatch(net::HttpClient& http, const Clock& clock, std::string tool) {
  const auto loop = co_await asio::this_coro::executor;
  const auto account = test::account_over(http, clock, loop, test::kVendorToken);
  const AlarmBackends backends = make_alarm_backends(cloudwatch_settings(), http, clock, workers(), account.get());
  if (tool == "state") {
    CO_TRY(const auto state, co_await backends.ecs->state({"a", "b"}, std::chrono::seconds(5)));
    co_return Result<>{};
  }
  const auto made =
      tool == "query_metrics" ? query_metrics(backends.metrics, clock) : check_alarms(backends.alarms, clock);
  json::object arguments;
  if (tool == "query_metrics") arguments["query"] = "up";
  CO_TRY(const toolkit::Output output, co_await test::call_chain(*made, arguments));
  co_return Result<>{};
}

TEST(CloudWatchErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  const std::vector<std::pair<std::string, std::string>> actions{{"check_alarms", "cloudwatch:DescribeAlarms"},
                                                                 {"query_metrics", "cloudwatch:GetMetricData"},
                                                                 {"state", "ecs:DescribeServices"}};
  for (const auto& [tool, action] : actions) {
    SCOPED_TRACE(tool);
    test::expect_vendor_errors([&](net::HttpClient& http) { return call_cloudwatch(http, clock, tool); },
                               {{"Http403", test::ScriptedResponse{.status = 403}, ErrorKind::permission, action},
                                {"AnotherService", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}},
                                 ErrorKind::upstream, "aws.region"}});
  }
}

TEST(CloudWatchPeriods, AreThoseThatCloudWatchStillHas) {
  using namespace std::chrono;
  const Timestamp now = from_millis(1'800'000'000'000);
  const auto period = [&](hours back, seconds step) { return cloudwatch::period_of({now - back, now}, step, now); };
  EXPECT_EQ(period(hours(1), seconds(15)), seconds(60));
  EXPECT_EQ(period(hours(1), seconds(90)), seconds(120));
  EXPECT_EQ(period(hours(24 * 20), seconds(60)), seconds(300));
  EXPECT_EQ(period(hours(24 * 70), seconds(3601)), seconds(7200));
}

TEST(CloudWatchNotSetUp, SaysWhatToSet) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const auto tools = alarm_tools(make_alarm_backends({}, http, clock, workers()), clock);
  ASSERT_THAT(tools, SizeIs(3));
  for (const auto& tool : tools) {
    EXPECT_THAT(tool->spec().missing, HasSubstr("tools.alarm_tools.cloudwatch.")) << tool->spec().name;
    EXPECT_THAT(toolkit::check_spec(tool->spec()), IsEmpty()) << tool->spec().name;
  }
}

}  // namespace
}  // namespace deputy::tools
