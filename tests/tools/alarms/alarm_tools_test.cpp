// The alarm tools over the real Prometheus and Alertmanager.
#include "tools/alarms/alarm_tools.h"

#include <gmock/gmock.h>

#include "base/json_pointer.h"
#include "net/client.h"
#include "support/monitoring.h"
#include "tools/call_tool.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class AlarmTools : public testing::Test, public test::OnLoop {
 protected:
  static void SetUpTestSuite() { monitoring_ = std::make_unique<test::Monitoring>(); }
  static void TearDownTestSuite() { monitoring_.reset(); }

  static AlarmToolsSettings both() {
    AlarmToolsSettings settings;
    settings.prometheus.url = monitoring_->prometheus();
    settings.alertmanager.url = monitoring_->alertmanager() + "/";
    return settings;
  }
  Result<std::string> call(const AlarmToolsSettings& settings, const std::string& tool, const json::object& arguments) {
    const AlarmBackends backends = make_alarm_backends(settings, http_, clock_, workers_);
    for (const auto& one : alarm_tools(backends, clock_)) {
      if (one->spec().name != tool) continue;
      Result<toolkit::Output> output = await(test::call_chain(*one, arguments));
      if (!output) return std::unexpected(output.error());
      return output->text;
    }
    return fail(ErrorKind::internal, "no such tool");
  }
  /// Calls until the text has this: samples and alarms come in their own time.
  std::string call_until(const std::string& tool, const json::object& arguments, const std::string& has,
                         const AlarmToolsSettings& settings = both()) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    Result<std::string> text;
    do {
      text = call(settings, tool, arguments);
      if (text && text->contains(has)) return *text;
      await(sleep_for(std::chrono::milliseconds(50)));
    } while (std::chrono::steady_clock::now() < deadline);
    EXPECT_OK(text);
    ADD_FAILURE() << "it never said " << has << ": " << text.value_or("");
    return {};
  }
  void silence(const std::string& alarm) {
    const Timestamp now = clock_.now();
    const json::object silence{
        {"matchers", {{{"name", "alertname"}, {"value", alarm}, {"isRegex", false}, {"isEqual", true}}}},
        {"startsAt", format_timestamp(now)},
        {"endsAt", format_timestamp(now + std::chrono::hours(1))},
        {"createdBy", "test"},
        {"comment", "test"}};
    net::Request request{.method = "POST",
                         .url = monitoring_->alertmanager() + "/api/v2/silences",
                         .headers = {{"Content-Type", "application/json"}},
                         .body = json::serialize(silence)};
    EXPECT_EQ(must(http_.send(std::move(request))).status, 200);
  }

  inline static std::unique_ptr<test::Monitoring> monitoring_;
  SystemClock clock_;
  net::Client http_{loop_.get_executor(), {}};
  Workers workers_{"test", {.threads = 1}};
};

TEST_F(AlarmTools, SayWhatFires) {
  const std::string text = call_until("check_alarms", {{"prefix", "queue"}}, "QueueTooLong");
  EXPECT_THAT(text, StartsWith("1 alarm firing with a name that begins with `queue`: QueueTooLong\n"));
  EXPECT_THAT(text,
              ContainsRegex("- QueueTooLong \\[firing, critical\\] since 20[^ ]+ [^ ]+ UTC \\(under 1m\\): Queue pay "
                            "has 42 entries \\(instance=127[^ ]*, job=shop, queue=pay\\) http://"));
  EXPECT_THAT(text, HasSubstr("All of them: " + monitoring_->alertmanager() + "/#/alerts\n"));
}

TEST_F(AlarmTools, TellSilencedAlarmsFromThoseThatFire) {
  call_until("check_alarms", {{"state", "all"}}, "Noisy");
  silence("Noisy");
  EXPECT_THAT(call_until("check_alarms", {{"state", "silenced"}}, "Noisy"), StartsWith("1 alarm silenced: Noisy\n"));
  EXPECT_THAT(*call(both(), "check_alarms", {}), Not(HasSubstr("Noisy")));
}

TEST_F(AlarmTools, AskPrometheusForWhatDoesNotFire) {
  EXPECT_THAT(call_until("check_alarms", {{"state", "pending"}}, "QueueGrows"),
              StartsWith("2 alarms pending: QueueGrows ×2\n"));
  EXPECT_THAT(call_until("check_alarms", {{"state", "ok"}}, "QueueOverflow"),
              StartsWith("1 alarm ok: QueueOverflow\n"));
  AlarmToolsSettings only_alertmanager = both();
  only_alertmanager.prometheus.url.clear();
  const auto pending = call(only_alertmanager, "check_alarms", {{"state", "pending"}});
  ASSERT_FAILS(pending, not_configured);
  EXPECT_THAT(pending.error().hint, HasSubstr("PROMETHEUS_URL"));
  EXPECT_THAT(*call(only_alertmanager, "check_alarms", {{"state", "all"}}),
              HasSubstr("because Prometheus is not set up"));
}

TEST_F(AlarmTools, WorkWithPrometheusAlone) {
  AlarmToolsSettings settings = both();
  settings.alertmanager.url.clear();
  const std::string text = call_until("check_alarms", {{"state", "all"}}, "QueueTooLong", settings);
  EXPECT_THAT(text, HasSubstr("[firing, critical]"));
  EXPECT_THAT(text, HasSubstr("silences are not known"));
  EXPECT_THAT(text, HasSubstr(monitoring_->prometheus() + "/alerts?search=QueueTooLong"));
}

TEST_F(AlarmTools, ShowTheCourseOfMetrics) {
  const json::object arguments{{"query", "shop_queue_length"}, {"hours_back", 1}};
  const std::string text = call_until("query_metrics", arguments, "2 series");
  EXPECT_THAT(text, StartsWith("2 series, the highest {queue=\"pay\"} with 42 at 20"));
  EXPECT_THAT(text, HasSubstr("every 15s\nAll have shop_queue_length{instance=\"127.0.0.1:"));
  EXPECT_THAT(text, ContainsRegex("- \\{queue=\"mail\"\\}\n +▄+\n  last 7, lowest 7, highest 7, average 7\n"));
  EXPECT_THAT(text, HasSubstr("Graph: " + monitoring_->prometheus() + "/graph?g0.expr=shop_queue_length&g0.tab=0"));
}

TEST_F(AlarmTools, ShowOneSeriesInItsVerdict) {
  call_until("query_metrics", {{"query", "shop_queue_length"}}, "2 series");
  EXPECT_THAT(*call(both(), "query_metrics", {{"query", "sum(shop_queue_length)"}}),
              StartsWith("Last 49, highest 49 at "));
}

TEST_F(AlarmTools, SayWhenThereIsNoDataAndWhatWasLeftOut) {
  EXPECT_THAT(*call(both(), "query_metrics", {{"query", "no_such_metric"}}),
              AllOf(StartsWith("No data\n`no_such_metric`, "), HasSubstr("check the names of metric and labels")));
  EXPECT_THAT(call_until("query_metrics", {{"query", "shop_broken"}}, "left out"), StartsWith("No data\n"));
}

TEST_F(AlarmTools, SayWhatIsWrongWithAQuery) {
  const auto wrong = call(both(), "query_metrics", {{"query", "sum(("}});
  ASSERT_FAILS(wrong, invalid_input);
  EXPECT_THAT(wrong.error().message, HasSubstr("parse error"));
  EXPECT_THAT(wrong.error().hint, HasSubstr("PromQL"));
  const auto fine = call(both(), "query_metrics", {{"query", "up"}, {"step", "1s"}, {"hours_back", 24}});
  ASSERT_FAILS(fine, invalid_input);
  EXPECT_THAT(fine.error().hint, HasSubstr("10m"));
}

TEST_F(AlarmTools, AreCheckedByAHarmlessRead) {
  const AlarmBackends backends = make_alarm_backends(both(), http_, clock_, workers_);
  EXPECT_THAT(must((*backends.alarms.choose())->diagnose(std::chrono::seconds(10))),
              ContainsRegex("^Alertmanager 0\\.[0-9.]+.* at http://127"));
  EXPECT_THAT(must((*backends.metrics.choose())->diagnose(std::chrono::seconds(10))),
              ContainsRegex("^Prometheus at http://127[^ ]*: [01] targets?$"));
}

}  // namespace
}  // namespace deputy::tools
