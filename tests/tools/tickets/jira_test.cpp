// What the Jira backend asks for, and what it makes of answers; tickets in a file.
#include "tools/tickets/jira/jira.h"

#include <gmock/gmock.h>

#include "support/manual_clock.h"
#include "support/temporary_folder.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/tickets/report.h"
#include "tools/tickets/ticket_tools.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using Kind = TicketQuery::Kind;

Workers& workers() {
  static Workers workers("test", {.threads = 1});
  return workers;
}

TicketToolsSettings settings() {
  TicketToolsSettings settings;
  settings.jira = {"https://example.atlassian.net/", "deputy@example.com", Secret(std::string(test::kVendorToken))};
  return settings;
}

Task<Result<>> search(net::HttpClient& http, const Clock& clock, json::object arguments) {
  const TicketBackends backends = make_ticket_backends(settings(), http, clock, workers());
  const auto tool = jira_search(backends.tickets);
  CO_TRY(const toolkit::Output output, co_await test::call_chain(*tool, arguments));
  co_return Result<>{};
}

TEST(JiraErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  const auto jql_error = R"({"errorMessages": ["Field 'foo' does not exist or you do not have permission to view it."],
                            "warningMessages": []})";
  test::expect_vendor_errors(
      [&](net::HttpClient& http) { return search(http, clock, {{"query", "payment errors"}}); },
      {{"Http400", test::ScriptedResponse{.status = 400, .pieces = {jql_error}}, ErrorKind::invalid_input, "JQL"},
       {"Http401", test::ScriptedResponse{.status = 401}, ErrorKind::authentication, "JIRA_API_TOKEN"},
       {"Http403", test::ScriptedResponse{.status = 403}, ErrorKind::permission, "administrator"},
       {"Http404", test::ScriptedResponse{.status = 404}, ErrorKind::not_found, "browse the project"},
       {"Http410", test::ScriptedResponse{.status = 410}, ErrorKind::not_found, "tools.ticket_tools.jira.url"},
       {"NotJira", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "tools.ticket_tools.jira.url"}});
}

TEST(JiraErrors, AnEmptyResultIsNotTrustedBeforeTheTokenIs) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  http.answers({.pieces = {R"({"issues": [], "isLast": true})"}}).answers({.status = 401});
  EXPECT_FAILS(test::run(search(http, clock, {{"query", "payment"}})), authentication);
}

TEST(JiraErrors, WhatLooksLikeAKeyIsSearchedAsWordsIfThereIsNoSuchTicket) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  http.answers({.status = 400, .pieces = {R"({"errorMessages": ["An issue with key 'UTF-8' does not exist"]})"}})
      .answers({.pieces = {R"({"issues": [{"key": "AB-1", "fields": {}}], "isLast": true})"}});
  EXPECT_OK(test::run(search(http, clock, {{"query", "UTF-8"}})));
  EXPECT_THAT(http.asked().front().body, HasSubstr(R"(key in (\"UTF-8\"))"));
  EXPECT_THAT(http.asked().back().body, HasSubstr(R"(text ~ \"UTF-8\")"));
}

struct QueryRow {
  std::string name;
  std::string text;
  Kind kind;
  std::string jql;
};
class Queries : public testing::TestWithParam<QueryRow> {};

TEST_P(Queries, BecomeBoundedJql) {
  const TicketQuery query = read_ticket_query(GetParam().text);
  EXPECT_EQ(query.kind, GetParam().kind);
  EXPECT_EQ(jira::jql_of(query).value_or("refused"), GetParam().jql);
}
INSTANTIATE_TEST_SUITE_P(
    Texts, Queries,
    testing::Values(
        QueryRow{"Words", "payment gateway", Kind::words, R"(text ~ "payment gateway" ORDER BY updated DESC)"},
        QueryRow{"Signs", R"(a "b" AND (c*) \ -d cast-core?)", Kind::words,
                 R"(text ~ "a b and c d cast-core" ORDER BY updated DESC)"},
        QueryRow{"Phrase", R"("out of memory")", Kind::words, R"(text ~ "\"out of memory\"" ORDER BY updated DESC)"},
        QueryRow{"NoWords", "?!", Kind::words, "refused"},
        QueryRow{"Key", " nl-481 ", Kind::keys, R"(key in ("NL-481") ORDER BY updated DESC)"},
        QueryRow{"Keys", "NL-481, NL-4", Kind::keys, R"(key in ("NL-481", "NL-4") ORDER BY updated DESC)"},
        QueryRow{"Cve", "CVE-2026-20113", Kind::words, R"(text ~ "CVE-2026-20113" ORDER BY updated DESC)"},
        QueryRow{"Jql", "project = NL and status = Open", Kind::query,
                 "project = NL and status = Open ORDER BY updated DESC"},
        QueryRow{"JqlWithOrder", "assignee in (a, b) order by created", Kind::query,
                 "assignee in (a, b) order by created"},
        QueryRow{"JqlIsEmpty", "(resolution is EMPTY)", Kind::query, "(resolution is EMPTY) ORDER BY updated DESC"},
        QueryRow{"JqlLater", R"(text ~ "x" AND "Epic Link" = NL-1)", Kind::query,
                 R"(text ~ "x" AND "Epic Link" = NL-1 ORDER BY updated DESC)"},
        QueryRow{"WordsWithIn", "error in payments or in orders", Kind::words,
                 R"(text ~ "error in payments or in orders" ORDER BY updated DESC)"}),
    [](const auto& row) { return row.param.name; });

TEST(JiraTickets, SurviveAnyShape) {
  for (const char* text : {"null", "[]", R"({"key": 3, "fields": []})", R"({"fields": {"status": "x", "labels": {}}})"})
    EXPECT_EQ(jira::ticket_from(json::parse(text), "https://example.atlassian.net").summary, "");
  const Ticket ticket = jira::ticket_from(
      json::parse(R"({"key": "A-1", "fields": {"updated": "2026-11-18T10:00:00.000+0100"}})"), "https://x.example");
  EXPECT_EQ(ticket.link, "https://x.example/browse/A-1");
  EXPECT_EQ(ticket.updated, *parse_timestamp("2026-11-18T09:00:00Z"));
}

TEST(TicketTools, SayWhatToSet) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  TicketToolsSettings half;
  half.jira.url = "https://example.atlassian.net";
  const TicketBackends backends = make_ticket_backends(half, http, clock, workers());
  for (const auto& tool : ticket_tools(backends)) {
    EXPECT_EQ(tool->spec().missing,
              "tools.ticket_tools.jira.email (JIRA_EMAIL), tools.ticket_tools.jira.token (JIRA_API_TOKEN)");
  }
  EXPECT_FAILS(test::call_tool(*jira_get_ticket(backends.tickets), {{"issue_key", "A-1"}}), not_configured);
}

TEST(TicketTools, KeepTheRulesOfATool) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const auto tools = ticket_tools(make_ticket_backends(settings(), http, clock, workers()));
  EXPECT_THAT(tools, SizeIs(5));
  for (const auto& tool : tools) EXPECT_THAT(toolkit::check_spec(tool->spec()), SizeIs(0)) << tool->spec().name;
}

TEST(TicketTools, RefuseWhatIsNotAKey) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const TicketBackends backends = make_ticket_backends(settings(), http, clock, workers());
  for (const char* key : {"../../x", "A", "A-1 or B-2", "A-0"})
    EXPECT_FAILS(test::call_tool(*jira_get_ticket(backends.tickets), {{"issue_key", key}}), invalid_input) << key;
  EXPECT_THAT(http.asked(), SizeIs(0));
}

TEST(TicketReport, RedactsBeforeItCuts) {
  const toolkit::Redact redact = [](std::string_view text) {
    return text.contains("s3cr3t") ? std::string("[redacted]") : std::string(text);
  };
  const FoundTickets found{.tickets = {{.key = "A-1", .summary = std::string(197, 'x') + "s3cr3t"}}};
  EXPECT_THAT(report({Kind::words, "x"}, found, redact).text, HasSubstr("- A-1: [redacted]; unassigned\n"));
}

TEST(CvesIn, AreEachNamedOnce) {
  EXPECT_EQ(cves_in("cve-2026-20113 and CVE-2026-20113, CVE-2025-1 or CVE-2024-12345"),
            (std::vector<std::string>{"CVE-2026-20113", "CVE-2024-12345"}));
}

class TicketsInAFile : public testing::Test {
 protected:
  TicketsInAFile() {
    folder_.write("tickets.json", R"([
      {"key": "NL-1", "status": "Open", "type": "Bug", "summary": "Payments time out", "service": "shop",
       "description": "See **logs**.", "updated": "2026-11-18T10:00:00Z"},
      {"key": "NL-2", "status": "Done", "summary": "CVE-2026-20113 in a library", "updated": "2026-11-18T11:00:00Z"},
      {"key": "NL-3", "status": "Open", "summary": "CVE-2026-20114 in a library", "updated": "2026-11-17T11:00:00Z",
       "comments": [{"author": "ana", "at": "2026-11-17T12:00:00Z", "text": "on it"}]}, 7])");
    settings_.files.file = folder_.path() / "tickets.json";
  }
  Result<toolkit::Output> call(const std::string& name, const json::object& arguments) {
    for (const auto& tool : ticket_tools(make_ticket_backends(settings_, http_, clock_, workers())))
      if (tool->spec().name == name) return test::call_tool(*tool, arguments);
    return fail(ErrorKind::internal, "no such tool");
  }

  test::TemporaryFolder folder_;
  test::ManualClock clock_;
  test::ScriptedHttp http_;
  TicketToolsSettings settings_;
};

TEST_F(TicketsInAFile, AreSearchedAndRead) {
  EXPECT_EQ(call("jira_search", {{"query", "payments SHOP"}})->text,
            "1 ticket for `payments SHOP`\n- NL-1 [Open, Bug]: Payments time out; unassigned; updated 2026-11-18 "
            "10:00:00 UTC\n");
  EXPECT_THAT(call("jira_search", {{"query", "paying timed libraries"}})->text, StartsWith("No ticket"));
  EXPECT_THAT(call("jira_search", {{"query", "payment times"}})->text, StartsWith("1 ticket for"));
  EXPECT_THAT(call("jira_search", {{"query", "library"}, {"state", "open"}})->text,
              StartsWith("1 open ticket for `library`\n- NL-3 "));
  EXPECT_THAT(call("jira_search", {{"query", "library"}, {"state", "done"}})->text,
              StartsWith("1 done ticket for `library`\n- NL-2 "));
  EXPECT_THAT(call("jira_search", {{"query", "library"}, {"max_results", 1}})->text,
              AllOf(StartsWith("1 ticket for `library`, and there are more\n- NL-2 "), HasSubstr("max_results")));
  EXPECT_THAT(call("jira_cve_tickets", {})->text, StartsWith("1 open ticket about CVEs\n- NL-3 [Open]:"));
  EXPECT_THAT(call("jira_get_ticket", {{"issue_key", "NL-3"}})->text,
              HasSubstr("1 comment:\n\n**ana**, 2026-11-17 12:00:00 UTC:\non it\n"));
  EXPECT_FAILS(call("jira_get_ticket", {{"issue_key", "NL-9"}}), not_found);
  EXPECT_FAILS(call("jira_search", {{"query", "project = NL"}}), invalid_input);
}

TEST_F(TicketsInAFile, AreNotWritten) {
  EXPECT_FAILS(call("jira_add_comment", {{"issue_key", "NL-1"}, {"text", "x"}}), not_configured);
}

TEST_F(TicketsInAFile, MayBeMissingOrBroken) {
  folder_.write("tickets.json", "{");
  EXPECT_FAILS(call("jira_search", {{"query", "x"}}), invalid_input);
  settings_.files.file = folder_.path() / "none.json";
  EXPECT_FAILS(call("jira_search", {{"query", "x"}}), not_configured);
}

}  // namespace
}  // namespace deputy::tools
