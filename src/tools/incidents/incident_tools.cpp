#include "tools/incidents/incident_tools.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/incidents/files/files.h"
#include "tools/incidents/pagerduty/pagerduty.h"
#include "tools/incidents/report.h"

namespace deputy::tools {

namespace {

using Parts = std::shared_ptr<const IncidentToolParts>;
using Tool = std::shared_ptr<const toolkit::Tool>;

constexpr int kMaxDays = 180;  // PagerDuty looks back half a year at most

}  // namespace

void IncidentToolsSettings::check(FieldReader& reader) const { check_backend(backend, {"files", "pagerduty"}, reader); }

IncidentBackends make_incident_backends(const IncidentToolsSettings& settings, net::HttpClient& http,
                                        const Clock& clock, Workers& workers) {
  std::vector<std::shared_ptr<IncidentBackend>> set_up;
  if (auto pagerduty = pagerduty::make(settings.pagerduty, http, clock)) set_up.push_back(std::move(pagerduty));
  if (auto files = make_file_incidents(settings.files, workers)) set_up.push_back(std::move(files));
  return IncidentBackends({.family = "incidents",
                           .category = "incident_tools",
                           .usual = settings.backend,
                           .missing = "tools.incident_tools.pagerduty.token (PAGERDUTY_TOKEN)"},
                          std::move(set_up));
}

toolkit::ToolSpec incident_tool_spec(const IncidentToolParts& parts, std::string name, std::string description) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "incident_tools",
          .effect = toolkit::Effect::read,
          .timeout = std::chrono::seconds(30),
          .target = parts.backends.target(),
          .missing = parts.backends.missing()};
}

Result<std::string> incident_id(std::string_view given) {
  given = trim(given);
  if (given.starts_with('#')) given.remove_prefix(1);
  const bool is_id = !given.empty() && given.size() <= 40 && std::ranges::all_of(given, is_letter_or_digit);
  if (is_id) return std::string(given);
  return fail(ErrorKind::invalid_input, "this is not the id of an incident",
              "use an id such as PT4KHLK or a number such as 1234");
}

// pagerduty_active_incidents = [ list ]

namespace {

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

Task<Result<toolkit::Step>> list_active(Parts parts, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  CO_TRY(const FoundIncidents found, co_await backend->active(context.time_left()));
  co_return report(found, "active", parts->clock->now(), context.redact_picked);
}

Tool pagerduty_active_incidents(const Parts& parts) {
  toolkit::ToolSpec spec = incident_tool_spec(
      *parts, "pagerduty_active_incidents",
      "Lists the incidents of PagerDuty that are not resolved: id, title, state, service, since when, who has it.");
  spec.aliases = {"pagerduty_incidents"};
  spec.topics = {.words = {"incidents", "pagerduty", "open incidents", "active incidents"},
                 .examples = {"which incidents are open?", "any active incidents?"},
                 .working = "Looking at incidents"};
  return toolkit::make_tool<NoParams>(std::move(spec), [parts](const NoParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "list", .repeatable = true, .call = [parts](toolkit::CallContext& context) {
                     return as_step(list_active(parts, context));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// pagerduty_recent_incidents = [ list ]

struct RecentParams {
  int days = 7;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&RecentParams::days, "days", "How many days back to look").in_range(1, kMaxDays);
  }
};

Task<Result<toolkit::Step>> list_recent(Parts parts, int days, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  const Timestamp now = parts->clock->now();
  CO_TRY(const FoundIncidents found, co_await backend->since(now - std::chrono::days(days), now, context.time_left()));
  co_return report(found, days == 1 ? "in the last day" : fmt::format("in the last {} days", days), now,
                   context.redact_picked);
}

Tool pagerduty_recent_incidents(const Parts& parts) {
  toolkit::ToolSpec spec = incident_tool_spec(*parts, "pagerduty_recent_incidents",
                                              "Lists the incidents of PagerDuty of the last days, resolved or not, "
                                              "newest first. Use it to see what happened before.");
  spec.topics = {
      .words = {"incidents", "recent incidents", "past incidents", "incidents of the last days", "last incidents"},
      .examples = {"show the recent incidents", "show past incidents"},
      .working = "Looking at recent incidents"};
  return toolkit::make_tool<RecentParams>(std::move(spec), [parts](const RecentParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "list", .repeatable = true, .call = [parts, days = params.days](toolkit::CallContext& context) {
           return as_step(list_recent(parts, days, context));
         }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// pagerduty_incident_details = [ read ]

Task<Result<toolkit::Step>> read_details(Parts parts, std::string id, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  CO_TRY(const IncidentDetails details, co_await backend->details(id, context.time_left()));
  co_return report(details, context.redact_picked);
}

Tool pagerduty_incident_details(const Parts& parts) {
  toolkit::ToolSpec spec =
      incident_tool_spec(*parts, "pagerduty_incident_details",
                         "Shows one incident of PagerDuty with its alerts, notes and the newest entries of its log.");
  spec.probe = {{"incident_id", "PDEPUTYDOCTOR"}};
  spec.primary_param = "incident_id";
  spec.topics = {.words = {"incident", "incident details", "details of incident", "pagerduty incident"},
                 .examples = {"show incident {id}", "details of incident {id}"},
                 .working = "Reading the incident"};
  return toolkit::make_tool<IncidentParams>(
      std::move(spec), [parts](const IncidentParams& params) -> Result<toolkit::Pipeline> {
        TRY(const std::string id, incident_id(params.incident_id));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "read", .repeatable = true, .call = [parts, id](toolkit::CallContext& context) {
                         return as_step(read_details(parts, id, context));
                       }});
        return pipeline;
      });
}

// pagerduty_oncall = [ look ]

struct OnCallParams {
  std::string schedule;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&OnCallParams::schedule, "schedule",
               "Words of the name of a schedule, escalation policy or service, such as payments; all by default")
        .characters(0, 1000)
        .kind(toolkit::Kind::text);
  }
};

Task<Result<toolkit::Step>> look_who(Parts parts, std::string words, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  CO_TRY(FoundOnCalls all, co_await backend->on_call(context.time_left()));
  FoundPolicies services;
  if (!trim(words).empty()) {
    CO_TRY(services, co_await backend->services(context.time_left()));
  }
  co_return report(duties_for(words, std::move(all), services), parts->clock->now(), context.redact_picked);
}

Tool pagerduty_oncall(const Parts& parts) {
  toolkit::ToolSpec spec =
      incident_tool_spec(*parts, "pagerduty_oncall",
                         "Says who is on call now, by level, for a schedule, escalation policy or service of "
                         "PagerDuty, or for all of them.");
  spec.primary_param = "schedule";
  spec.topics = {.words = {"on call", "oncall", "on duty", "pager"},
                 .examples = {"who is on call?"},
                 .working = "Looking who is on call"};
  return toolkit::make_tool<OnCallParams>(std::move(spec), [parts](const OnCallParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "look", .repeatable = true, .call = [parts, words = params.schedule](toolkit::CallContext& context) {
           return as_step(look_who(parts, words, context));
         }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace

std::vector<Tool> incident_tools(IncidentToolParts given) {
  const Parts parts = std::make_shared<const IncidentToolParts>(std::move(given));
  return {pagerduty_active_incidents(parts), pagerduty_recent_incidents(parts), pagerduty_incident_details(parts),
          pagerduty_oncall(parts),           pagerduty_investigate(parts),      pagerduty_acknowledge(parts)};
}

}  // namespace deputy::tools
