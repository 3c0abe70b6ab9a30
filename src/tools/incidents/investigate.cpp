// pagerduty_investigate = [ investigate ]
#include <fmt/format.h>

#include "intent/intent.h"
#include "tools/common_steps.h"
#include "tools/incidents/incident_tools.h"
#include "tools/investigation.h"

namespace deputy::tools {

namespace {

using Parts = std::shared_ptr<const IncidentToolParts>;

constexpr std::chrono::hours kBefore{1};  // what led to an incident came before it

struct InvestigateParams : IncidentParams {
  std::string environment;

  template <class Fields>
  static void fields(Fields& f) {
    IncidentParams::fields(f);
    // Without a kind: nobody is asked for what the incident mostly says itself.
    f.optional(&InvestigateParams::environment, "environment", "Where it is, if the incident does not say it")
        .characters(0, 100);
  }
};

/// The service and the environment that the incident names, by the names that settings know.
Task<Subject> subject_of(Parts parts, Incident incident, std::string environment) {
  Subject subject{.service = incident.service, .environment = std::move(environment), .incident = incident.id};
  intent::Vocabulary vocabulary{.environments = parts->environments};
  std::shared_ptr<const ServiceList> known;
  if (parts->registry) known = (co_await parts->registry->current()).value_or(nullptr);
  for (const Service& one : known ? known->services() : std::vector<Service>())
    vocabulary.services.push_back({one.key, one.full_name, one.aliases});
  const intent::Parameters named =
      intent::extract(fmt::format("{} {}", incident.service, incident.title), vocabulary).parameters;
  if (const Service* service = known ? known->find(incident.service) : nullptr) {
    subject.service = service->key;
  } else if (named.services.size() == 1) {
    subject.service = named.services.front();
  }
  if (subject.environment.empty()) subject.environment = named.environment.value_or("");
  subject.repository = co_await repository_of(parts->registry, subject.service);
  if (incident.created) subject.from = *incident.created - kBefore;
  subject.to = incident.resolved;
  subject.description = fmt::format("{} [{}]", cut_with_mark(incident.title, 300), incident.status);
  co_return subject;
}

Task<Result<toolkit::Step>> investigate(Parts parts, std::string id, std::string environment,
                                        const toolkit::CallContext& context) {
  if (context.answer) co_return toolkit::Output{report_of_investigation(as_text(*context.answer)), {}};
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  CO_TRY(Incident incident, co_await backend->find(id, context.time_left()));
  const Subject subject = co_await subject_of(parts, std::move(incident), std::move(environment));
  co_return toolkit::Delegate{toolkit::DelegateKind::child_run, investigation(subject)};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> pagerduty_investigate(const Parts& parts) {
  toolkit::ToolSpec spec = incident_tool_spec(
      *parts, "pagerduty_investigate",
      "Investigates an incident of PagerDuty by itself, with read-only tools: the incident, errors of its service, "
      "deploys, alarms, pods and similar requests. Returns a report: summary, evidence, likely root cause, "
      "recommended actions, each claim with the call it rests on. Takes a minute or more.");
  spec.primary_param = "incident_id";
  spec.starts_child_run = true;
  spec.topics = {.words = {"incident investigation", "investigate incident", "incident"},
                 .examples = {"investigate incident {id}"},
                 .working = "Investigating the incident"};
  return toolkit::make_tool<InvestigateParams>(
      std::move(spec), [parts](const InvestigateParams& params) -> Result<toolkit::Pipeline> {
        TRY(const std::string id, incident_id(params.incident_id));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "investigate",
                       .repeatable = true,
                       .call = [parts, id, environment = params.environment](toolkit::CallContext& context) {
                         return as_step(investigate(parts, id, environment, context));
                       }});
        return pipeline;
      });
}

}  // namespace deputy::tools
