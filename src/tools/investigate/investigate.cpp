#include "tools/investigate/investigate.h"

#include <fmt/format.h>

#include "tools/common_steps.h"
#include "tools/investigation.h"

namespace deputy::tools {

namespace {

struct InvestigateIssueParams {
  std::string service;
  std::string environment;
  std::string description;

  template <class Fields>
  static void fields(Fields& f) {
    using P = InvestigateIssueParams;
    f.required(&P::service, "service", "Service that has the issue, by name or alias")
        .characters(1, 200)
        .kind(toolkit::Kind::service);
    f.required(&P::environment, "environment", "Environment, such as prod or staging")
        .characters(1, 100)
        .kind(toolkit::Kind::environment);
    f.optional(&P::description, "description", "What is already known: symptoms, times, recent changes")
        .characters(0, 4000)
        .kind(toolkit::Kind::text);
  }
};

Task<Result<toolkit::Step>> investigate(std::shared_ptr<ServicesRegistry> registry, InvestigateIssueParams params,
                                        std::optional<json::value> answer) {
  if (answer) co_return toolkit::Output{report_of_investigation(as_text(*answer)), {}};
  Subject subject{.service = params.service, .environment = params.environment, .description = params.description};
  subject.repository = co_await repository_of(std::move(registry), params.service);
  co_return toolkit::Delegate{toolkit::DelegateKind::child_run, investigation(subject)};
}

}  // namespace

// investigate_issue = [ investigate ]

std::shared_ptr<const toolkit::Tool> investigate_issue(const std::shared_ptr<ServicesRegistry>& registry) {
  toolkit::ToolSpec spec{.name = "investigate_issue",
                         .version = 2,
                         .description =
                             "Investigates an issue of one service by itself, with read-only tools: errors, deploys, "
                             "alarms, pods, incidents and similar requests, then what these lead to. Returns a report: "
                             "summary, evidence, likely root cause, recommended actions. Takes a minute or more; use "
                             "it when one or two calls will not answer the question.",
                         .category = "analysis_tools",
                         .effect = toolkit::Effect::read,
                         .primary_param = "service",
                         .starts_child_run = true};
  spec.topics = {.words = {"investigation", "investigate", "cause", "diagnose", "triage"},
                 .examples = {"investigate {service} in {environment}",
                              "find the cause of the trouble of {service} in {environment}"},
                 .working = "Investigating {service}"};
  return toolkit::make_tool<InvestigateIssueParams>(std::move(spec), [registry](const InvestigateIssueParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "investigate", .repeatable = true, .call = [registry, params](toolkit::CallContext& context) {
           return as_step(investigate(registry, params, context.answer));
         }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
