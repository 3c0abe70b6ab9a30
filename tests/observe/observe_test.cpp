#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "observe/alerts.h"
#include "observe/health.h"
#include "observe/metrics.h"
#include "observe/summary.h"
#include "support/manual_clock.h"

namespace deputy::observe {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const MetricName kCalls{"deputy_calls_total", "Calls"};

TEST(Metrics, AreWrittenAsPrometheusReadsThem) {
  Metrics metrics;
  metrics.add(kCalls, {{"tool", "shell"}});
  metrics.add(kCalls, {{"tool", "shell"}}, 2);
  metrics.set({"deputy_ready", "Ready"}, {}, 1);
  metrics.observe({"deputy_seconds", "Time"}, {1, 5}, 3);
  EXPECT_EQ(metrics.text(),
            "# HELP deputy_calls_total Calls\n# TYPE deputy_calls_total counter\n"
            "deputy_calls_total{tool=\"shell\"} 3\n"
            "# HELP deputy_ready Ready\n# TYPE deputy_ready gauge\ndeputy_ready 1\n"
            "# HELP deputy_seconds Time\n# TYPE deputy_seconds histogram\n"
            "deputy_seconds_count 1\ndeputy_seconds_sum 3\ndeputy_seconds_bucket{le=\"1\"} 0\n"
            "deputy_seconds_bucket{le=\"5\"} 1\ndeputy_seconds_bucket{le=\"+Inf\"} 1\n");
}

TEST(Metrics, ATotalThatIsCountedElsewhereOnlyGrows) {
  Metrics metrics;
  for (const double total : {2.0, 5.0, 3.0}) metrics.raise_to(kCalls, {}, total);
  EXPECT_THAT(metrics.text(), HasSubstr("deputy_calls_total 5\n"));
}

TEST(Metrics, SeriesBeyondTheLimitAreOneSeries) {
  Metrics metrics;
  for (std::size_t i = 0; i < Metrics::kMaxSeries + 3; ++i) metrics.add(kCalls, {{"tool", std::to_string(i)}});
  EXPECT_THAT(metrics.text(), HasSubstr("deputy_calls_total{tool=\"other\"} 3\n"));
}

TEST(Metrics, ANameThatIsNotAllowedIsNotCountedAndNotThrown) {
  Metrics metrics;
  metrics.add({"not a name", "Broken"}, {});
  metrics.add(kCalls);
  metrics.set(kCalls, {}, 1);  // is a counter already
  EXPECT_THAT(metrics.text(), HasSubstr("deputy_calls_total 1\n"));
}

TEST(Metrics, WhatIsCountedElsewhereIsReadBeforeTheText) {
  Metrics metrics;
  metrics.before_text([&] { metrics.set({"deputy_ready", "Ready"}, {}, 1); });
  EXPECT_THAT(metrics.text(), HasSubstr("deputy_ready 1\n"));
}

TEST(Health, ListsTheProblemsOfAllChecks) {
  Health health;
  EXPECT_THAT(health.problems(), IsEmpty());
  health.add([] { return std::vector<std::string>{"a"}; });
  health.add([] { return std::vector<std::string>{}; });
  health.add([] { return std::vector<std::string>{"b", "c"}; });
  EXPECT_THAT(health.problems(), ElementsAre("a", "b", "c"));
}

TEST(CauseOfAnAlert, LeavesOutWhatDiffersFromCaseToCase) {
  EXPECT_EQ(cause_of("I cannot go on with run `01ABC`; the log says why."),
            cause_of("I cannot go on with run `01XYZ`; the log says why."));
  EXPECT_EQ(cause_of("used 12 of 100"), cause_of("used 7 of 2000"));
  EXPECT_NE(cause_of("the store is full"), cause_of("the store is busy"));
}

const Timestamp kStart = from_millis(1'000'000'000);

TEST(AlertGroups, TheFirstOfACauseIsSentAndTheRestIsCounted) {
  AlertGroups groups;
  EXPECT_TRUE(groups.take("store", "the store is full", kStart));
  EXPECT_FALSE(groups.take("store", "the store is full", kStart + 1s));
  EXPECT_FALSE(groups.take("store", "the store is still full", kStart + 2s));
  EXPECT_TRUE(groups.take("model", "the model is gone", kStart + 2s));
  EXPECT_THAT(groups.due(kStart + 9min), IsEmpty());
  EXPECT_THAT(groups.due(kStart + 11min), ElementsAre("the store is still full (2 more times within 10m)"));
  EXPECT_FALSE(groups.take("store", "again", kStart + 12min)) << "its window was begun anew";
}

TEST(AlertGroups, ACauseThatWasQuietIsToldAtOnceAgain) {
  AlertGroups groups;
  EXPECT_TRUE(groups.take("store", "full", kStart));
  EXPECT_THAT(groups.due(kStart + 11min), IsEmpty());
  EXPECT_TRUE(groups.take("store", "full", kStart + 12min));
}

TEST(AlertGroups, OnlySoManyAreSentInAnHourAndTheOthersAreToldLater) {
  AlertGroups groups({.window = 10min, .most_an_hour = 2});
  EXPECT_TRUE(groups.take("a", "a", kStart));
  EXPECT_TRUE(groups.take("b", "b", kStart));
  EXPECT_FALSE(groups.take("c", "c", kStart));
  EXPECT_THAT(groups.due(kStart + 30min), IsEmpty()) << "there is no room";
  EXPECT_THAT(groups.due(kStart + 61min), ElementsAre("c (1 more time within 10m)"));
}

TEST(AlertGroups, CausesBeyondTheLimitAreOneCause) {
  AlertGroups groups({.causes = 1});
  EXPECT_TRUE(groups.take("a", "a", kStart));
  EXPECT_TRUE(groups.take("b", "b", kStart));
  EXPECT_FALSE(groups.take("c", "c", kStart));
}

TEST(Alerts, ASenderThatThrowsThrowsAtNobody) {
  const test::ManualClock clock;
  Alerts alerts(clock);
  alerts.send_with([](const std::string&) { throw std::runtime_error("no"); });
  alerts.raise("store", "the store is full");
  EXPECT_EQ(alerts.counts().sent, 1);
}

TEST(Alerts, AreSentOnceForACauseWhicheverWayTheyCome) {
  test::ManualClock clock;
  std::vector<std::string> sent;
  Alerts alerts(clock);
  alerts.send_with([&](std::string text) { sent.push_back(std::move(text)); });
  EXPECT_TRUE(alerts.admit("run `1` failed"));
  EXPECT_FALSE(alerts.admit("run `2` failed"));
  alerts.raise("store", "the store is full");
  alerts.raise("store", "the store is full");
  EXPECT_THAT(sent, ElementsAre("the store is full"));
  clock.advance(11min);
  alerts.tell_what_is_due();
  EXPECT_THAT(sent, ElementsAre("the store is full", "run `2` failed (1 more time within 10m)",
                                "the store is full (1 more time within 10m)"));
}

TEST(RequestSummary, IsLoggedWithEveryTenthRequest) {
  std::string lines;
  log::set_sink([&](std::string_view line) { lines += line; });
  RequestSummary summary;
  summary.truncation();
  summary.limit_hit();
  for (int i = 0; i < 9; ++i) summary.request(RequestSummary::End::answered, 100ms);
  EXPECT_THAT(lines, IsEmpty());
  summary.request(RequestSummary::End::failed, 1100ms);
  log::set_sink({});
  EXPECT_THAT(lines, HasSubstr("requests so far requests=10 truncations=1 limit_hits=1 errors=1 average_ms=200"));
}

}  // namespace
}  // namespace deputy::observe
