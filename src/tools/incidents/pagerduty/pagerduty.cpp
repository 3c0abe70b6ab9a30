#include "tools/incidents/pagerduty/pagerduty.h"

#include <fmt/format.h>

#include <array>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/rest/api.h"
#include "clients/rest/pages.h"

namespace deputy::tools::pagerduty {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::int64_t kPage = 100;  // PagerDuty gives no more at once
constexpr std::size_t kMaxIncidents = 200;
constexpr std::size_t kMaxDuties = 1000;
constexpr std::size_t kMaxPolicies = 1000;
constexpr std::size_t kMaxEvents = 25;

constexpr auto kMeanings = std::to_array<rest::Meaning>({
    {.code = "1008",
     .kind = ErrorKind::permission,
     .message = "it knows no user with the requester's e-mail",
     .hint = "set people.<name>.email to the address of the requester's PagerDuty account"},
    {.code = "2016",
     .kind = ErrorKind::permission,
     .message = "it wants the requester's e-mail",
     .hint = "set people.<name>.email to the address of the requester's PagerDuty account"},
    {.status = 404,
     .kind = ErrorKind::not_found,
     .message = "there is no such incident, or the key cannot see it",
     .hint = "use an id such as PT4KHLK or a number, as pagerduty_active_incidents lists them"},
});

std::optional<Timestamp> time_in(const json::value& document, std::string_view pointer) {
  const Result<Timestamp> at = parse_timestamp(text_in(document, pointer));
  return at ? std::optional(*at) : std::nullopt;
}

std::string web_page(std::string url) { return url.starts_with("https://") ? url : std::string(); }

std::string names_in(const json::value& document, std::string_view list, std::string_view name) {
  std::vector<std::string> names;
  for (const json::value& one : items_in(document, list)) {
    if (std::string found = text_in(one, name); !found.empty() && names.size() < 5) names.push_back(std::move(found));
  }
  return join(names, ", ");
}

IncidentEvents events_from(const rest::Pages& pages, std::string_view text, std::string_view writer) {
  IncidentEvents events{.has_more = pages.has_more};
  for (const json::value& one : pages.items) {
    const std::string by = writer.empty() ? "" : text_in(one, writer);
    events.events.push_back({time_in(one, "/created_at"), (by.empty() ? "" : by + ": ") + text_in(one, text)});
  }
  return events;
}

/// PagerDuty counts items: the next page begins behind those of this one.
std::optional<rest::Call> next_page(const rest::Call& asked, const rest::Reply& reply) {
  if (!is_true_in(reply.body, "/more")) return std::nullopt;
  const std::int64_t offset = whole_in(reply.body, "/offset").value_or(0) + kPage;
  rest::Call next = asked;
  std::erase_if(next.query, [](const net::FormField& field) { return field.name == "offset"; });
  next.query.push_back({"offset", std::to_string(offset)});
  return next;
}

class PagerDuty final : public IncidentBackend {
 public:
  PagerDuty(const PagerDutySettings& settings, net::HttpClient& http, const Clock& clock)
      : api_({.vendor = {.name = "PagerDuty",
                         .address_setting = "tools.incident_tools.pagerduty.url",
                         .token_setting = "tools.incident_tools.pagerduty.token (PAGERDUTY_TOKEN)",
                         .meanings = kMeanings},
              .base_url = settings.url,
              .auth = rest::header("Authorization", "Token token=", settings.token),
              .headers = {{"Accept", "application/vnd.pagerduty+json;version=2"}}},
             http, clock) {}

  std::string_view name() const override { return "pagerduty"; }
  json::object target() const override { return {{"url", api_.base_url()}}; }

  Task<Result<FoundIncidents>> active(milliseconds limit) override {
    // Without a range PagerDuty looks at the last month only.
    return list({{"statuses[]", "triggered"},
                 {"statuses[]", "acknowledged"},
                 {"date_range", "all"},
                 {"sort_by", "created_at:desc"}},
                limit);
  }

  Task<Result<FoundIncidents>> since(Timestamp from, Timestamp now, milliseconds limit) override {
    return list({{"since", format_timestamp(from)}, {"until", format_timestamp(now)}, {"sort_by", "created_at:desc"}},
                limit);
  }

  Task<Result<Incident>> find(std::string id, milliseconds limit) override {
    CO_TRY(const std::string path, rest::path_of({"incidents", id}));
    CO_TRY(const json::value reply, co_await api_.call({.path = path, .limit = limit}));
    co_return read(reply);
  }

  Task<Result<IncidentDetails>> details(std::string id, milliseconds limit) override {
    CO_TRY(Incident incident, co_await find(id, limit));
    CO_TRY(const rest::Pages alerts, co_await part(incident.id, "alerts", limit));
    CO_TRY(const rest::Pages notes, co_await part(incident.id, "notes", limit));
    CO_TRY(const rest::Pages log, co_await part(incident.id, "log_entries", limit));
    co_return details_from(std::move(incident), alerts, notes, log);
  }

  Task<Result<FoundOnCalls>> on_call(milliseconds limit) override {
    rest::Call call{
        .path = "oncalls", .query = {{"earliest", "true"}, {"limit", std::to_string(kPage)}}, .limit = limit};
    CO_TRY(const rest::Pages pages,
           co_await rest::read_pages(api_, std::move(call), "/oncalls", next_page, kMaxDuties));
    FoundOnCalls found{.has_more = pages.has_more};
    for (const json::value& one : pages.items) found.on_call.push_back(on_call_from(one));
    co_return found;
  }

  Task<Result<FoundPolicies>> services(milliseconds limit) override {
    rest::Call call{.path = "services", .query = {{"limit", std::to_string(kPage)}}, .limit = limit};
    CO_TRY(const rest::Pages pages,
           co_await rest::read_pages(api_, std::move(call), "/services", next_page, kMaxPolicies));
    FoundPolicies found{.has_more = pages.has_more};
    for (const json::value& one : pages.items)
      found.policies.push_back({text_in(one, "/name"), text_in(one, "/escalation_policy/id")});
    co_return found;
  }

  Task<Result<Incident>> acknowledge(std::string id, std::string email, milliseconds limit) override {
    CO_TRY(const std::string path, rest::path_of({"incidents", id}));
    const json::object incident{{"type", "incident_reference"}, {"status", "acknowledged"}};
    CO_TRY(const json::value reply, co_await api_.call({.method = "PUT",
                                                        .path = path,
                                                        .body = json::object{{"incident", incident}},
                                                        .headers = {{"From", email}},
                                                        .limit = limit}));
    co_return read(reply);
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const json::value reply,
           co_await api_.call(
               {.path = "incidents", .query = {{"statuses[]", "triggered"}, {"limit", "1"}}, .limit = limit}));
    const json::value* list = find_in(reply, "/incidents");
    if (list == nullptr || !list->is_array())
      co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer with a list of incidents"));
    co_return fmt::format("PagerDuty at {}: {}", api_.base_url(),
                          list->get_array().empty() ? "no incident is triggered" : "incidents are triggered");
  }

 private:
  Task<Result<FoundIncidents>> list(std::vector<net::FormField> query, milliseconds limit) {
    query.push_back({"limit", std::to_string(kPage)});
    rest::Call call{.path = "incidents", .query = std::move(query), .limit = limit};
    CO_TRY(const rest::Pages pages,
           co_await rest::read_pages(api_, std::move(call), "/incidents", next_page, kMaxIncidents));
    FoundIncidents found{.has_more = pages.has_more};
    for (const json::value& one : pages.items) found.incidents.push_back(incident_from(one));
    co_return found;
  }

  Task<Result<rest::Pages>> part(std::string id, std::string part, milliseconds limit) {
    CO_TRY(const std::string path, rest::path_of({"incidents", id, part}));
    rest::Call call{.path = path, .limit = limit};
    if (part != "notes") call.query = {{"limit", std::to_string(kMaxEvents)}};
    co_return co_await rest::read_pages(api_, std::move(call), "/" + part, next_page, kMaxEvents);
  }

  Result<Incident> read(const json::value& reply) const {
    const json::value* one = find_in(reply, "/incident");
    if (one == nullptr || text_in(*one, "/id").empty())
      return std::unexpected(rest::unusable(api_.vendor(), "did not answer with an incident"));
    return incident_from(*one);
  }

  rest::Api api_;
};

}  // namespace

Incident incident_from(const json::value& one) {
  Incident incident{.id = text_in(one, "/id"),
                    .number = text_in(one, "/incident_number"),
                    .title = text_in(one, "/title"),
                    .status = text_in(one, "/status"),
                    .urgency = text_in(one, "/urgency"),
                    .service = text_in(one, "/service/summary"),
                    .assigned_to = names_in(one, "/assignments", "/assignee/summary"),
                    .acknowledged_by = names_in(one, "/acknowledgements", "/acknowledger/summary"),
                    .created = time_in(one, "/created_at"),
                    .link = web_page(text_in(one, "/html_url"))};
  if (incident.status == "resolved") incident.resolved = time_in(one, "/resolved_at");
  if (incident.status == "resolved" && !incident.resolved) incident.resolved = time_in(one, "/last_status_change_at");
  return incident;
}

OnCall on_call_from(const json::value& one) {
  return {.person = text_in(one, "/user/summary"),
          .schedule = text_in(one, "/schedule/summary"),
          .policy = text_in(one, "/escalation_policy/summary"),
          .policy_id = text_in(one, "/escalation_policy/id"),
          .level = whole_in(one, "/escalation_level").value_or(0),
          .until = time_in(one, "/end")};
}

IncidentDetails details_from(Incident incident, const rest::Pages& alerts, const rest::Pages& notes,
                             const rest::Pages& log) {
  return {.incident = std::move(incident),
          .alerts = events_from(alerts, "/summary", ""),
          .notes = events_from(notes, "/content", "/user/summary"),
          .log = events_from(log, "/summary", "")};
}

std::shared_ptr<IncidentBackend> make(const PagerDutySettings& settings, net::HttpClient& http, const Clock& clock) {
  if (settings.token.empty()) return nullptr;
  return std::make_shared<PagerDuty>(settings, http, clock);
}

}  // namespace deputy::tools::pagerduty
