// Incidents and on-call duties of files, in the shapes that PagerDuty answers.
#include <gmock/gmock.h>

#include "support/manual_clock.h"
#include "support/scripted_http.h"
#include "support/temporary_folder.h"
#include "tools/call_tool.h"
#include "tools/incidents/incident_tools.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kIncidents = R"({"incidents": [
  {"id": "PT2OLD1", "incident_number": 7, "title": "Disk full", "status": "resolved", "urgency": "low",
   "created_at": "2026-11-16T08:00:00Z", "resolved_at": "2026-11-16T09:00:00Z", "service": {"summary": "Mailer"},
   "escalation_policy": {"id": "P2", "summary": "Platform"}},
  {"id": "PT4KHLK", "incident_number": 1234, "title": "Payments fail", "status": "triggered", "urgency": "high",
   "created_at": "2026-11-18T09:30:00Z", "service": {"summary": "Card desk"},
   "escalation_policy": {"id": "P1", "summary": "Payments"},
   "notes": [{"content": "looking", "created_at": "2026-11-18T09:40:00Z", "user": {"summary": "Ana"}}]},
  null, {"id": 7}], "more": false})";
constexpr const char* kOncalls = R"({"oncalls": [
  {"escalation_policy": {"id": "P1", "summary": "Payments"}, "escalation_level": 1, "user": {"summary": "Bo"},
   "schedule": {"summary": "Payments primary"}, "end": "2026-11-18T20:00:00Z"},
  {"escalation_policy": {"id": "P1", "summary": "Payments"}, "escalation_level": 2, "user": {"summary": "Ana"},
   "schedule": null, "end": null},
  {"escalation_policy": {"id": "P2", "summary": "Platform"}, "escalation_level": 1, "user": {"summary": "Cy"}}]})";

class IncidentFiles : public testing::Test {
 protected:
  IncidentFiles() {
    settings_.files.incidents = folder_.write("incidents.json", kIncidents);
    settings_.files.oncalls = folder_.write("oncalls.json", kOncalls);
  }
  std::shared_ptr<const toolkit::Tool> tool(const std::string& name) {
    for (const auto& one :
         incident_tools({make_incident_backends(settings_, http_, clock_, workers_), nullptr, &clock_, {}})) {
      if (one->spec().name == name) return one;
    }
    return nullptr;
  }
  Result<std::string> call(const std::string& name, const json::object& arguments) {
    TRY(const toolkit::Output output, test::call_tool(*tool(name), arguments));
    return output.text;
  }

  test::TemporaryFolder folder_;
  test::ManualClock clock_{*parse_timestamp("2026-11-18T10:00:00Z")};
  test::ScriptedHttp http_;
  Workers workers_{"test", {.threads = 1}};
  IncidentToolsSettings settings_;
};

TEST_F(IncidentFiles, AreListedAndRead) {
  EXPECT_THAT(*call("pagerduty_active_incidents", {}),
              AllOf(StartsWith("2 incidents active: 1 triggered, 0 acknowledged, 0 resolved\n"),
                    HasSubstr("- PT4KHLK (#1234) Payments fail [triggered, high], service Card desk, since")));
  EXPECT_THAT(*call("pagerduty_recent_incidents", {{"days", 1}}), StartsWith("1 incident in the last day: "));
  EXPECT_THAT(*call("pagerduty_recent_incidents", {{"days", 7}}), HasSubstr("resolved 2026-11-16 09:00:00 UTC"));
  EXPECT_THAT(*call("pagerduty_incident_details", {{"incident_id", "#1234"}}),
              AllOf(StartsWith("PT4KHLK (#1234) Payments fail"), HasSubstr("2026-11-18 09:40:00 Ana: looking")));
  EXPECT_FAILS(call("pagerduty_incident_details", {{"incident_id", "PNONE00"}}), not_found);
}

TEST_F(IncidentFiles, SayWhoIsOnCall) {
  EXPECT_THAT(
      *call("pagerduty_oncall", {{"schedule", "payments"}}),
      AllOf(StartsWith("On call: Bo\n"), HasSubstr("- Ana: level 2 of Payments, always"), Not(HasSubstr("Cy"))));
  // Of a service, by the policy that its incidents name.
  EXPECT_THAT(*call("pagerduty_oncall", {{"schedule", "who is on call for the mailer?"}}), StartsWith("On call: Cy\n"));
  settings_.files.incidents.clear();
  EXPECT_THAT(*call("pagerduty_oncall", {{"schedule", "payments"}}), StartsWith("On call: Bo\n"));
  EXPECT_FAILS(call("pagerduty_active_incidents", {}), not_configured);
}

TEST_F(IncidentFiles, AreNotAcknowledged) {
  EXPECT_EQ(tool("pagerduty_acknowledge")->spec().missing, "tools.incident_tools.pagerduty.token (PAGERDUTY_TOKEN)");
  settings_.backend = "files";
  settings_.pagerduty.token = Secret("x");
  const auto acknowledge = tool("pagerduty_acknowledge");
  EXPECT_EQ(acknowledge->spec().missing, "");
  toolkit::CallContext context;
  context.facts.requester.email = "ana@example.com";
  auto chain = acknowledge->compose({{"incident_id", "PT4KHLK"}});
  ASSERT_OK(chain);
  toolkit::Link preview = *std::move(*chain).take("preview");
  test::OnLoop on;
  const toolkit::Step step = on.await(preview.handler.call(context));
  ASSERT_TRUE(std::holds_alternative<Error>(step));
  EXPECT_THAT(std::get<Error>(step).message, HasSubstr("only read"));
}

TEST_F(IncidentFiles, MayBeMissingOrBroken) {
  for (const char* broken : {"{", "[]", "{}", R"({"incidents": {}, "oncalls": 7})"}) {
    folder_.write("incidents.json", broken);
    folder_.write("oncalls.json", broken);
    EXPECT_FAILS(call("pagerduty_active_incidents", {}), invalid_input) << broken;
    EXPECT_FAILS(call("pagerduty_oncall", {}), invalid_input) << broken;
  }
  std::filesystem::remove(folder_ / "oncalls.json");
  const auto missing = call("pagerduty_oncall", {});
  ASSERT_FAILS(missing, not_configured);
  EXPECT_THAT(missing.error().hint, HasSubstr("tools.incident_tools.files.oncalls"));
}

}  // namespace
}  // namespace deputy::tools
