// The incident tools over a strict stand-in for PagerDuty, and what they make of errors.
#include "tools/incidents/incident_tools.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/child.h"
#include "support/manual_clock.h"
#include "support/node.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/incidents/report.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using ToolPointer = std::shared_ptr<const toolkit::Tool>;

constexpr const char* kEmail = "ana@example.com";

Workers& workers() {
  static Workers workers("test", {.threads = 1});
  return workers;
}

ToolPointer tool_of(IncidentToolsSettings settings, net::HttpClient& http, const Clock& clock, std::string_view name) {
  settings.pagerduty.token = Secret(std::string(test::kVendorToken));
  for (const auto& tool :
       incident_tools({make_incident_backends(settings, http, clock, workers()), nullptr, &clock, {}})) {
    if (tool->spec().name == name) return tool;
  }
  return nullptr;
}

class IncidentTools : public testing::Test, public test::OnLoop {
 protected:
  IncidentTools() {
    const auto line = peer_.read_line();
    settings_.pagerduty.url = "http://127.0.0.1:" + line.value_or("port 0").substr(5);
    context_.facts.requester = {.person = "ana", .account = "slack:T1/U1", .timezone = "UTC", .email = kEmail};
  }
  ~IncidentTools() override {
    for (const std::string& line : said()) EXPECT_THAT(line, Not(StartsWith("broken")));
  }

  std::vector<std::string> said() {
    std::vector<std::string> lines;
    while (auto line = peer_.read_line_within(std::chrono::milliseconds(0))) lines.push_back(*std::move(line));
    return lines;
  }
  ToolPointer tool(std::string_view name) { return tool_of(settings_, http_, clock_, name); }
  Result<std::string> call(std::string_view name, const json::object& arguments) {
    TRY(const toolkit::Output output, await(test::call_chain(*tool(name), arguments)));
    return output.text;
  }
  /// One handler of pagerduty_acknowledge for PT4KHLK; its output is kept for the next.
  toolkit::Step handle(const std::string& handler, const std::string& id = "PT4KHLK") {
    toolkit::Link link = take(handler, id);
    toolkit::Step step = await(link.handler.call(context_));
    if (const auto* output = std::get_if<toolkit::Output>(&step)) context_.outputs[handler] = *output;
    return step;
  }
  toolkit::Link take(const std::string& handler, const std::string& id = "PT4KHLK") {
    auto chain = tool("pagerduty_acknowledge")->compose({{"incident_id", id}});
    EXPECT_OK(chain);
    return *std::move(*chain).take(handler);
  }

  test::Child peer_{test::node_program("pagerduty.js", {std::string(test::kVendorToken), kEmail})};
  test::ManualClock clock_{*parse_timestamp("2026-11-18T10:00:00Z")};
  net::Client http_{loop_.get_executor(), {}};
  IncidentToolsSettings settings_;
  toolkit::CallContext context_;
};

TEST_F(IncidentTools, ListWhatIsNotResolved) {
  const auto text = call("pagerduty_active_incidents", {});
  ASSERT_OK(text);
  EXPECT_EQ(*text,
            "1 incident active: 1 triggered, 0 acknowledged, 0 resolved\nAs of 2026-11-18 10:00:00 UTC\n"
            "- PT4KHLK (#1234) Payments fail in prod [triggered, high], service Payments API, since 2026-11-18 "
            "09:30:00 UTC, assigned to Ana https://acme.pagerduty.com/incidents/PT4KHLK\n");
}

TEST_F(IncidentTools, ListTheLastDaysOverAllPages) {
  const auto text = call("pagerduty_recent_incidents", {{"days", 3}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("2 incidents in the last 3 days: 1 triggered, 0 acknowledged, 1 resolved\n"));
  EXPECT_THAT(*text, HasSubstr("resolved 2026-11-17 11:00:00 UTC"));
}

TEST_F(IncidentTools, ShowAnIncidentByItsNumberWithWhatHappenedToIt) {
  const auto text = call("pagerduty_incident_details", {{"incident_id", "#1234"}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, AllOf(StartsWith("PT4KHLK (#1234) Payments fail in prod"),
                           HasSubstr("Alerts (1):\n- 2026-11-18 09:30:00 error rate 12%\n"),
                           HasSubstr("Notes (1):\n- 2026-11-18 09:40:00 Ana: looking\n"),
                           HasSubstr("Triggered through the API.")));
  ASSERT_FAILS(call("pagerduty_incident_details", {{"incident_id", "PNOSUCH"}}), not_found);
  ASSERT_FAILS(call("pagerduty_incident_details", {{"incident_id", "../users"}}), invalid_input);
}

/// What the child run of an investigation begins with, each call as "tool arguments".
std::vector<std::string> first_calls_of(const toolkit::Step& step) {
  const auto* delegate = std::get_if<toolkit::Delegate>(&step);
  std::vector<std::string> calls;
  for (const json::value& call : delegate == nullptr ? json::array() : delegate->payload.at("first_calls").as_array())
    calls.push_back(fmt::format("{} {}", as_text(call.at("tool")), json::serialize(call.at("arguments"))));
  return calls;
}

TEST_F(IncidentTools, InvestigateTheServiceThatAnIncidentNames) {
  const auto registry = std::make_shared<ServicesRegistry>(
      [] { return Result<std::vector<Service>>({{.key = "pay", .full_name = "Payments API", .repo = "shop/pay"}}); },
      clock_);
  IncidentToolsSettings settings = settings_;
  settings.pagerduty.token = Secret(std::string(test::kVendorToken));
  for (const auto& tool : incident_tools({make_incident_backends(settings, http_, clock_, workers()),
                                          registry,
                                          &clock_,
                                          {{"prod", {"production"}}}})) {
    if (tool->spec().name != "pagerduty_investigate") continue;
    auto chain = tool->compose(*tool->complete_arguments({{"incident_id", "1234"}}));
    toolkit::Link link = *std::move(*chain).take("investigate");
    const auto calls = first_calls_of(await(link.handler.call(context_)));
    EXPECT_THAT(calls, testing::Contains(R"(pagerduty_incident_details {"incident_id":"PT4KHLK"})"));
    EXPECT_THAT(calls, testing::Contains(
                           HasSubstr(R"({"service":"pay","environment":"prod","from":"2026-11-18T08:30:00.000Z"})")));
    EXPECT_THAT(calls, testing::Contains(R"(get_pipeline_status {"repo":"shop/pay"})"));
  }
}

TEST_F(IncidentTools, InvestigateAnIncidentOfAServiceThatNobodyKnows) {
  const ToolPointer investigate = tool("pagerduty_investigate");
  auto chain = investigate->compose(*investigate->complete_arguments({{"incident_id", "PDONE01"}}));
  toolkit::Link link = *std::move(*chain).take("investigate");
  const auto calls = first_calls_of(await(link.handler.call(context_)));
  EXPECT_THAT(calls, testing::Contains(HasSubstr(
                         R"({"service":"Search","from":"2026-11-17T09:00:00.000Z","to":"2026-11-17T11:00:00.000Z"})")));
  EXPECT_THAT(calls, testing::Contains("list_workloads {}"));
}

TEST_F(IncidentTools, SayWhoIsOnCallByServiceScheduleOrPolicy) {
  const auto by_service = call("pagerduty_oncall", {{"schedule", "who is on call for payments?"}});
  ASSERT_OK(by_service);
  EXPECT_EQ(
      *by_service,
      "On call: Ana\nAs of 2026-11-18 10:00:00 UTC\n"
      "- Ana: level 1 of Money, schedule Primary, until 2026-11-19 08:00:00 UTC\n- Bo: level 2 of Money, always\n");
  EXPECT_THAT(*call("pagerduty_oncall", {{"schedule", "search rota"}}), StartsWith("On call: Cy\n"));
  EXPECT_THAT(*call("pagerduty_oncall", {}), StartsWith("On call: Ana, Cy\n"));
  EXPECT_THAT(*call("pagerduty_oncall", {{"schedule", "mail"}}),
              HasSubstr("policy or service has such a name; these are all."));
}

TEST_F(IncidentTools, AcknowledgeInTheNameOfTheRequester) {
  const auto preview = handle("preview");
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(preview));
  EXPECT_THAT(std::get<toolkit::Output>(preview).text,
              StartsWith("Acknowledge as ana@example.com:\nPT4KHLK (#1234) Payments fail in prod [triggered, high]"));
  EXPECT_EQ(await(take("acknowledge").handler.look(context_))->answer, toolkit::Looked::Answer::not_done);
  const auto done = handle("acknowledge");
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(done));
  EXPECT_THAT(std::get<toolkit::Output>(done).text, AllOf(StartsWith("Acknowledged\n"), HasSubstr("by Ana")));
  EXPECT_EQ(await(take("acknowledge").handler.look(context_))->answer, toolkit::Looked::Answer::done);
  EXPECT_THAT(said(), testing::Contains("acknowledged PT4KHLK"));
}

TEST_F(IncidentTools, AcknowledgeOnlyWhatIsStillTriggered) {
  handle("preview");
  handle("acknowledge");
  const auto again = handle("acknowledge");
  ASSERT_TRUE(std::holds_alternative<Error>(again));
  EXPECT_EQ(std::get<Error>(again).kind, ErrorKind::conflict);
  EXPECT_THAT(std::get<Error>(again).message, HasSubstr("already acknowledged by Ana"));
  const auto resolved = handle("preview", "PDONE01");
  ASSERT_TRUE(std::holds_alternative<Error>(resolved));
  EXPECT_EQ(std::get<Error>(resolved).kind, ErrorKind::conflict);
}

TEST_F(IncidentTools, AcknowledgeForNobodyWhoseEmailIsNotKnown) {
  context_.facts.requester.email.clear();
  const auto refused = handle("preview");
  ASSERT_TRUE(std::holds_alternative<Error>(refused));
  EXPECT_EQ(std::get<Error>(refused).kind, ErrorKind::permission);
  EXPECT_THAT(std::get<Error>(refused).hint, HasSubstr("people.<name>.email"));
  context_.facts.requester.email = "stranger@example.com";
  handle("preview");
  const auto unknown = handle("acknowledge");
  ASSERT_TRUE(std::holds_alternative<Error>(unknown));
  EXPECT_EQ(std::get<Error>(unknown).kind, ErrorKind::permission);
  EXPECT_THAT(std::get<Error>(unknown).hint, HasSubstr("people.<name>.email"));
}

/// An object with a list of so many empty items.
std::string list_of(const std::string& name, std::size_t count) {
  return json::serialize(json::object{{name, json::array(count, json::object())}, {"more", false}});
}

TEST(IncidentToolsThatAreCut, SayThatThereIsMore) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  http.answers({.pieces = {R"({"incident": {"id": "P1", "title": "down"}})"}});
  http.answers({.pieces = {list_of("alerts", 26)}}).answers({.pieces = {list_of("notes", 0)}});
  http.answers({.pieces = {list_of("log_entries", 13)}});
  const auto details =
      test::call_tool(*tool_of({}, http, clock, "pagerduty_incident_details"), {{"incident_id", "P1"}});
  ASSERT_OK(details);
  EXPECT_THAT(details->text, AllOf(HasSubstr("Alerts (more than 25):\n"), HasSubstr("and more than 13 more\n"),
                                   HasSubstr("Log, newest first (13):\n"), HasSubstr("and 1 more\n")));
  http.answers({.pieces = {list_of("oncalls", 1001)}}).answers({.pieces = {list_of("services", 2)}});
  const auto duties = test::call_tool(*tool_of({}, http, clock, "pagerduty_oncall"), {{"schedule", "mail"}});
  ASSERT_OK(duties);
  EXPECT_THAT(duties->text, AllOf(HasSubstr("policy or service has such a name among those that were looked at.\n"),
                                  HasSubstr("There are more on-call duties or services than could be looked at.\n")));
}

TEST(PagerDutyErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  test::expect_vendor_errors(
      [&](net::HttpClient& http) -> Task<Result<>> {
        const ToolPointer tool = tool_of({}, http, clock, "pagerduty_incident_details");
        CO_TRY(const toolkit::Output output, co_await test::call_chain(*tool, {{"incident_id", "PT4KHLK"}}));
        co_return Result<>{};
      },
      {{"NotAnIncident", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream},
       {"Http404", test::ScriptedResponse{.status = 404}, ErrorKind::not_found, "PT4KHLK"},
       {"Http400", test::ScriptedResponse{.status = 400, .pieces = {R"({"error": {"message": "x", "code": 1008}})"}},
        ErrorKind::permission, "people.<name>.email"}});
}

TEST(IncidentToolsNotSetUp, SayWhatToSet) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const auto tools = incident_tools({make_incident_backends({}, http, clock, workers()), nullptr, &clock, {}});
  for (const auto& tool : tools) {
    EXPECT_THAT(tool->spec().missing, HasSubstr("(PAGERDUTY_TOKEN)")) << tool->spec().name;
    EXPECT_THAT(toolkit::check_spec(tool->spec()), IsEmpty()) << tool->spec().name;
  }
}

}  // namespace
}  // namespace deputy::tools
