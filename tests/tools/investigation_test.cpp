// Investigations: the calls they begin with, and the report that holds each claim against the calls.
#include "tools/investigation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "support/loop.h"
#include "support/manual_clock.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> in_lines(const json::array& calls) {
  std::vector<std::string> lines;
  for (const json::value& call : calls)
    lines.push_back(as_text(call.at("tool")) + " " + json::serialize(call.at("arguments")));
  return lines;
}

TEST(FirstCalls, LookEverywhereForTheServiceOfAnIncident) {
  Subject subject{.service = "checkout", .environment = "prod", .repository = "shop/checkout", .incident = "PT4KHLK"};
  subject.from = from_millis(0);
  EXPECT_THAT(
      in_lines(first_calls(subject)),
      testing::ElementsAre(
          R"(pagerduty_incident_details {"incident_id":"PT4KHLK"})",
          R"(get_recent_errors {"service":"checkout","environment":"prod","from":"1970-01-01T00:00:00.000Z"})",
          R"(get_pipeline_status {"repo":"shop/checkout"})", "check_alarms {}",
          R"(list_workloads {"environment":"prod"})", R"(list_cluster_events {"environment":"prod","name":"checkout"})",
          R"(search_history {"query":"checkout"})"));
}

TEST(FirstCalls, LeaveToTheToolsWhatIsNotKnown) {
  EXPECT_THAT(in_lines(first_calls({})),
              testing::ElementsAre("get_recent_errors {}", "check_alarms {}", "list_workloads {}",
                                   "list_cluster_events {}", "pagerduty_active_incidents {}"));
}

TEST(RepositoryOfAService, IsThatOfTheRegistryOrItsOwnName) {
  const test::ManualClock clock;
  const auto registry = std::make_shared<ServicesRegistry>(
      [] { return Result<std::vector<Service>>({{.key = "checkout", .repo = "shop/till"}, {.key = "cart"}}); }, clock);
  EXPECT_EQ(test::run(repository_of(registry, "checkout")), "shop/till");
  EXPECT_EQ(test::run(repository_of(registry, "cart")), "cart");
  EXPECT_EQ(test::run(repository_of(nullptr, "cart")), "cart");
}

json::object call(const char* id, const char* tool, const char* status, const char* text) {
  return {{"id", id}, {"tool", tool}, {"arguments", {{"service", "checkout"}}}, {"status", status}, {"text", text}};
}

std::string report_of(const std::string& answer) {
  const json::array calls{
      call("call_1", "get_recent_errors", "success", "12 errors of checkout in prod\n- 12 x timeout of the pool"),
      call("call_2", "check_alarms", "error", "`check_alarms` is not set up here: set PROMETHEUS_URL"),
      call("call_3", "list_workloads", "error", "Kubernetes answered 403")};
  return report_of_investigation(json::serialize(json::object{{"run", "R1"}, {"answer", answer}, {"calls", calls}}));
}

/// The claims of a report with this summary.
std::string marked(const std::string& summary) {
  const std::string report = report_of("## Summary\n" + summary + "\n## Evidence\n## Root-cause hypothesis\n" +
                                       "## Recommended actions\nAsk the owners.");
  const std::size_t begin = report.find("## Summary\n") + 11;
  return report.substr(begin, report.find("\n## Evidence") - begin);
}

struct ClaimRow {
  std::string name;
  std::string said;
  std::string marked;
};
void PrintTo(const ClaimRow& row, std::ostream* out) { *out << row.name; }

class Claims : public testing::TestWithParam<ClaimRow> {};

TEST_P(Claims, AreHeldAgainstTheCalls) { EXPECT_EQ(marked(GetParam().said), GetParam().marked); }

INSTANTIATE_TEST_SUITE_P(
    Of, Claims,
    testing::Values(
        ClaimRow{"ACallThatIsThere", "12 timeouts [call_1].", "12 timeouts [call_1]."},
        ClaimRow{"ATool", "12 timeouts (`get_recent_errors`).", "12 timeouts (`get_recent_errors`)."},
        ClaimRow{"NoCall", "The pool is too small.", "The pool is too small. _(unsupported: it names no call)_"},
        ClaimRow{"ACallThatIsNotThere", "A deploy broke it [call_9].",
                 "A deploy broke it [call_9]. _(unsupported: there is no call_9 in this investigation)_"},
        ClaimRow{"OneThereAndOneNot", "12 timeouts [call_1, call_12].",
                 "12 timeouts [call_1, call_12]. _(unsupported: there is no call_12 in this investigation)_"},
        ClaimRow{"ACallThatFailed", "All pods are well [call_3].",
                 "All pods are well [call_3]. _(call_3 gave no result)_"},
        ClaimRow{"EachItemByItself", "- a [call_1]\n- b\n1. c",
                 "- a [call_1]\n- b _(unsupported: it names no call)_\n1. c _(unsupported: it names no call)_"},
        ClaimRow{"AnItemWithItsQuote", "- the log says:\n  ```\n  - timeout\n  ```\n  [call_1]",
                 "- the log says:\n  ```\n  - timeout\n  ```\n  [call_1]"},
        ClaimRow{"AParagraphOfSeveralLines", "It is slow\nsince noon [call_1].", "It is slow\nsince noon [call_1]."},
        ClaimRow{"WhatOnlyLeadsToAList", "What was found:\n- a [call_1]", "What was found:\n- a [call_1]"}),
    [](const auto& row) { return row.param.name; });

TEST(InvestigationReport, ListsEveryCallWithWhatItGaveOrWhyNot) {
  const std::string report = report_of("## Summary\na [call_1]\n## Evidence\nb [call_1]\n## Recommended actions\nc");
  EXPECT_THAT(report, StartsWith("Investigated with 3 calls, 1 of which gave a result (run R1)\n"));
  EXPECT_THAT(report, HasSubstr("- [call_1] `get_recent_errors(service=checkout)`: 12 errors of checkout in prod"));
  EXPECT_THAT(report, HasSubstr("- [call_2] `check_alarms(service=checkout)`: no result: 'check_alarms' is not set up "
                                "here: set PROMETHEUS_URL"));
  EXPECT_THAT(report, HasSubstr("## Root-cause hypothesis\nNone was given."));
  EXPECT_THAT(report, Not(HasSubstr("c _(")));
}

TEST(InvestigationReport, IsMadeByRuleWhereNobodyConcluded) {
  const std::string report = report_of("");
  EXPECT_THAT(report, HasSubstr("## Summary\n- 12 errors of checkout in prod [call_1]\n\n## Evidence\n"));
  EXPECT_THAT(report, HasSubstr("```\n- 12 x timeout of the pool\n```"));
  EXPECT_THAT(report, HasSubstr("`list_workloads(service=checkout)` [call_3] gave no result: Kubernetes answered 403"));
  EXPECT_THAT(report, HasSubstr("## Root-cause hypothesis\nNone: no model concluded, and a rule draws none."));
  EXPECT_THAT(report, HasSubstr("- `check_alarms` gave no result: 'check_alarms' is not set up here"));
  EXPECT_THAT(report_of("I stopped at a budget: $1."), HasSubstr("ended with: I stopped at a budget: $1."));
}

TEST(InvestigationReport, OfWhatOlderVersionsAnsweredIsStillAReport) {
  EXPECT_THAT(report_of_investigation("12 errors"),
              AllOf(HasSubstr("Nothing could be looked at."), HasSubstr("ended with: 12 errors")));
}

}  // namespace
}  // namespace deputy::tools
