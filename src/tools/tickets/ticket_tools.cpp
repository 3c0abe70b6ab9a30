#include "tools/tickets/ticket_tools.h"

#include "tools/common_steps.h"
#include "tools/tickets/files/files.h"
#include "tools/tickets/jira/jira.h"
#include "tools/tickets/report.h"

namespace deputy::tools {

toolkit::ToolSpec ticket_spec(std::string name, std::string description, toolkit::Effect effect, json::object target,
                              std::string missing) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "ticket_tools",
          .effect = effect,
          .timeout = std::chrono::seconds(30),
          .target = std::move(target),
          .missing = std::move(missing)};
}

void TicketToolsSettings::check(FieldReader& reader) const { check_backend(backend, {"files", "jira"}, reader); }

TicketBackends make_ticket_backends(const TicketToolsSettings& settings, net::HttpClient& http, const Clock& clock,
                                    Workers& workers) {
  const jira::Made made = jira::make(settings, http, clock);
  std::vector<std::shared_ptr<TicketBackend>> tickets;
  std::vector<std::shared_ptr<TicketWriter>> writers;
  if (made.tickets) tickets.push_back(made.tickets);
  if (made.writer) writers.push_back(made.writer);
  if (!settings.files.file.empty()) tickets.push_back(make_file_tickets(settings.files.file, workers));
  const std::string missing = clients::atlassian::missing_for_jira(settings.jira);
  return {Backends<TicketBackend>(
              {.family = "tickets", .category = "ticket_tools", .usual = settings.backend, .missing = missing},
              std::move(tickets)),
          Backends<TicketWriter>(
              {.family = "tickets", .category = "ticket_tools", .usual = settings.backend, .missing = missing},
              std::move(writers))};
}

std::vector<std::shared_ptr<const toolkit::Tool>> ticket_tools(const TicketBackends& backends) {
  return {jira_search(backends.tickets), jira_get_ticket(backends.tickets), jira_cve_tickets(backends.tickets),
          jira_create_ticket(backends.writers), jira_add_comment(backends.writers)};
}

namespace {

Task<Result<toolkit::Step>> find_tickets(Backends<TicketBackend> backends, TicketQuery query, std::size_t most,
                                         const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<TicketBackend> backend, backends.choose());
  CO_TRY(const FoundTickets found, co_await backend->find(query, most, context.time_left()));
  co_return report(query, found, context.redact_picked);
}

toolkit::Pipeline searching(const Backends<TicketBackend>& backends, const TicketQuery& query, int most) {
  toolkit::Pipeline pipeline;
  pipeline.then({.name = "search",
                 .repeatable = true,
                 .call = [backends, query, count = static_cast<std::size_t>(most)](toolkit::CallContext& context) {
                   return as_step(find_tickets(backends, query, count, context));
                 }});
  return pipeline;
}

// jira_search = [ search ]

struct SearchParams {
  std::string query;
  TicketState state = TicketState::all;
  int max_results = 20;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&SearchParams::query, "query",
               "Plain words, ticket keys such as ABC-123, or JQL such as project = ABC AND status = Open")
        .characters(1, 2000)
        .kind(toolkit::Kind::query);
    f.optional(&SearchParams::state, "state", "Only tickets that are open, or done; JQL says it itself");
    f.optional(&SearchParams::max_results, "max_results", "How many tickets to show at most")
        .in_range(1, 100)
        .kind(toolkit::Kind::count);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> jira_search(const Backends<TicketBackend>& backends) {
  toolkit::ToolSpec spec = ticket_spec(
      "jira_search",
      "Searches tickets by plain words or JQL, the last updated first. Returns key, status, type, priority, "
      "summary, assignee and link of each. Use jira_get_ticket for one ticket with its comments.",
      toolkit::Effect::read, backends.target(), backends.missing());
  spec.primary_param = "query";
  spec.topics = {.words = {"tickets", "jira"},
                 .examples = {"tickets about \"{query}\"", "open tickets about {query}", "search jira for \"{query}\""},
                 .working = "Searching tickets"};
  return toolkit::make_tool<SearchParams>(
      std::move(spec), [backends](const SearchParams& params) -> Result<toolkit::Pipeline> {
        TicketQuery query = read_ticket_query(params.query);
        query.state = params.state;
        if (query.kind == TicketQuery::Kind::query && query.state != TicketState::all)
          return fail(ErrorKind::invalid_input, "`state` goes with plain words and keys, and this is JQL",
                      "leave `state` out and add a condition such as statusCategory != Done");
        return searching(backends, query, params.max_results);
      });
}

// jira_cve_tickets = [ search ]

namespace {

struct CveParams {
  int max_results = 50;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&CveParams::max_results, "max_results", "How many tickets to show at most")
        .in_range(1, 100)
        .kind(toolkit::Kind::count);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> jira_cve_tickets(const Backends<TicketBackend>& backends) {
  toolkit::ToolSpec spec = ticket_spec(
      "jira_cve_tickets",
      "Lists the open tickets about vulnerabilities (CVEs), the most urgent first, with the CVE ids that each names.",
      toolkit::Effect::read, backends.target(), backends.missing());
  spec.topics = {.words = {"cve tickets", "cve", "cves", "vulnerabilities"},
                 .examples = {"which cves are open?", "open cve tickets"},
                 .working = "Looking for tickets about CVEs"};
  return toolkit::make_tool<CveParams>(std::move(spec),
                                       [backends](const CveParams& params) -> Result<toolkit::Pipeline> {
                                         const TicketQuery query{TicketQuery::Kind::cves, ""};
                                         return searching(backends, query, params.max_results);
                                       });
}

// jira_get_ticket = [ read ]

namespace {

struct GetTicketParams {
  std::string issue_key;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&GetTicketParams::issue_key, "issue_key", "The ticket, such as ABC-123")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
  }
};

Task<Result<toolkit::Step>> read_ticket(Backends<TicketBackend> backends, std::string key,
                                        const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<TicketBackend> backend, backends.choose());
  CO_TRY(const TicketDetails details, co_await backend->get(std::move(key), context.time_left()));
  co_return report(details, context.redact_picked);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> jira_get_ticket(const Backends<TicketBackend>& backends) {
  toolkit::ToolSpec spec =
      ticket_spec("jira_get_ticket",
                  "Reads one ticket: status, type, priority, people, description and the last comments as Markdown.",
                  toolkit::Effect::read, backends.target(), backends.missing());
  spec.probe = {{"issue_key", "DEPUTY-1"}};
  spec.primary_param = "issue_key";
  spec.topics = {.words = {"ticket"},
                 .examples = {"show ticket {id}", "what is in the ticket {id}?"},
                 .working = "Reading the ticket {id}"};
  return toolkit::make_tool<GetTicketParams>(
      std::move(spec), [backends](const GetTicketParams& params) -> Result<toolkit::Pipeline> {
        const std::string key = ticket_key_in(params.issue_key);
        if (key.empty())
          return fail(ErrorKind::invalid_input, "`issue_key` is not the key of a ticket",
                      "write it as ABC-123; jira_search finds tickets by words");
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "read", .repeatable = true, .call = [backends, key](toolkit::CallContext& context) {
                         return as_step(read_ticket(backends, key, context));
                       }});
        return pipeline;
      });
}

}  // namespace deputy::tools
