// pagerduty_acknowledge = [ preview, AWAIT APPROVAL, acknowledge ]
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/incidents/incident_tools.h"
#include "tools/incidents/report.h"

namespace deputy::tools {

namespace {

using Parts = std::shared_ptr<const IncidentToolParts>;

constexpr std::string_view kTriggered = "triggered";
constexpr std::string_view kAcknowledged = "acknowledged";
constexpr std::string_view kToWrite = "tools.incident_tools.pagerduty.token (PAGERDUTY_TOKEN)";

Result<std::string> email_of(const toolkit::CallContext& context) {
  const toolkit::Requester& requester = context.facts.requester;
  if (!requester.email.empty()) return requester.email;
  return fail(ErrorKind::permission,
              fmt::format("PagerDuty must be told who acknowledges, and the e-mail of {} is not known",
                          requester.person.empty() ? "the requester" : requester.person),
              "set people.<name>.email to the address of the requester's PagerDuty account");
}

Result<> check_triggered(const Incident& incident) {
  if (incident.status == kTriggered) return {};
  const std::string by = incident.acknowledged_by.empty() || incident.status != kAcknowledged
                             ? ""
                             : " by " + cut_with_mark(incident.acknowledged_by, 80);
  return fail(ErrorKind::conflict, fmt::format("the incident is already {}{}", cut_with_mark(incident.status, 40), by),
              "there is nothing to acknowledge; look at it with pagerduty_incident_details");
}

Task<Result<toolkit::Step>> preview(Parts parts, std::string id, const toolkit::CallContext& context) {
  CO_TRY(const std::string email, email_of(context));
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  if (!backend->writes())
    co_return fail(ErrorKind::not_configured, "the incidents are in files, which are only read",
                   fmt::format("set {}", kToWrite));
  CO_TRY(const Incident incident, co_await backend->find(id, context.time_left()));
  CO_TRY(check_triggered(incident));
  co_return toolkit::Output{
      fmt::format("Acknowledge as {}:\n{}\n", email, incident_line(incident, context.redact_picked)),
      {{"id", incident.id}, {"status", incident.status}, {"email", email}}};
}

toolkit::Output acknowledged(const Incident& incident, const toolkit::CallContext& context) {
  return {fmt::format("Acknowledged\n{}\n", incident_line(incident, context.redact_picked)),
          {{"id", incident.id}, {"status", incident.status}}};
}

struct Previewed {
  std::string id;
  std::string email;
};

Result<Previewed> previewed(const toolkit::CallContext& context) {
  const toolkit::Output* shown = context.output_of("preview");
  if (shown == nullptr) return fail(ErrorKind::internal, "the preview is missing");
  return Previewed{text_at(shown->data, "id"), text_at(shown->data, "email")};
}

Task<Result<toolkit::Step>> acknowledge(Parts parts, const toolkit::CallContext& context) {
  CO_TRY(const Previewed seen, previewed(context));
  CO_TRY(const std::string email, email_of(context));
  if (email != seen.email)
    co_return fail(ErrorKind::conflict, "the requester's e-mail has changed since it was approved", "ask again");
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  CO_TRY(const Incident now, co_await backend->find(seen.id, context.time_left()));
  CO_TRY(check_triggered(now));
  CO_TRY(const Incident after, co_await backend->acknowledge(seen.id, email, context.time_left()));
  co_return acknowledged(after, context);
}

Task<Result<toolkit::Looked>> look(Parts parts, const toolkit::CallContext& context) {
  using enum toolkit::Looked::Answer;
  CO_TRY(const Previewed seen, previewed(context));
  CO_TRY(const std::shared_ptr<IncidentBackend> backend, parts->backends.choose());
  CO_TRY(const Incident incident, co_await backend->find(seen.id, context.time_left()));
  if (incident.status == kAcknowledged) co_return toolkit::Looked{done, acknowledged(incident, context)};
  // One that is resolved may have been acknowledged before.
  co_return toolkit::Looked{incident.status == kTriggered ? not_done : cannot_tell};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> pagerduty_acknowledge(const Parts& parts) {
  toolkit::ToolSpec spec = incident_tool_spec(
      *parts, "pagerduty_acknowledge",
      "Acknowledges an incident of PagerDuty in the name of the requester, which stops its escalation. A person "
      "approves it first.");
  spec.effect = toolkit::Effect::write;
  if (std::ranges::none_of(parts->backends.all(), &IncidentBackend::writes)) spec.missing = kToWrite;
  spec.primary_param = "incident_id";
  spec.topics = {.words = {"incident", "pagerduty incident"},
                 .verbs = {"acknowledge", "ack"},
                 .examples = {"acknowledge incident {id}"},
                 .working = "Acknowledging the incident"};
  return toolkit::make_tool<IncidentParams>(
      std::move(spec), [parts](const IncidentParams& params) -> Result<toolkit::Pipeline> {
        TRY(const std::string id, incident_id(params.incident_id));
        toolkit::Pipeline pipeline;
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call = [parts, id](toolkit::CallContext& context) { return as_step(preview(parts, id, context)); }})
            .await_approval()
            .then({.name = "acknowledge",
                   .call = [parts](toolkit::CallContext& context) { return as_step(acknowledge(parts, context)); },
                   .look = [parts](toolkit::CallContext& context) { return look(parts, context); }});
        return pipeline;
      });
}

}  // namespace deputy::tools
