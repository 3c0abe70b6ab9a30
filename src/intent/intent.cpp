#include "intent/intent.h"

#include "base/text.h"
#include "intent/classify.h"
#include "intent/environments.h"
#include "intent/ids.h"
#include "intent/services.h"
#include "intent/suggest.h"
#include "intent/times.h"
#include "intent/unknown_names.h"

namespace deputy::intent {

void TimeRange::check(FieldReader& reader) const {
  if (from && to && *from > *to) reader.problem("`from` is after `to`", "give the earlier moment as `from`");
}

namespace {

void add_unknown(UnknownNames unknown, Parameters& parameters) {
  for (std::string& name : unknown.services) {
    const bool is_new = !contains(parameters.services, name);
    if (is_new && parameters.services.size() < kMostOfAKind) parameters.services.push_back(std::move(name));
  }
  parameters.text = std::move(unknown.text);
}

}  // namespace

Intent extract(std::string_view request, const Vocabulary& vocabulary) {
  const Tokens tokens(request);
  Claims claims(tokens.size(), false);
  Intent intent;
  Parameters& parameters = intent.parameters;
  // Names before times: a service may be called `yesterday`, a time is never called after a service.
  find_ids(tokens, parameters, claims);
  Claims services = claims;
  parameters.services = find_services(tokens, vocabulary, claims);
  for (std::size_t at = 0; at < claims.size(); ++at) services[at] = claims[at] && !services[at];
  const std::vector<std::string> environments = find_environments(tokens, vocabulary, claims);
  if (environments.size() == 1) parameters.environment = environments.front();
  parameters.time_range = find_time_range(tokens, vocabulary, claims);

  // A change is made to what is known, or it is asked which: only what is looked up takes names as typed.
  UnknownNames unknown = find_unknown_names(tokens, vocabulary, claims, services);
  if (classify(tokens, parameters).type != IntentType::act) add_unknown(std::move(unknown), parameters);
  const Classified classified = classify(tokens, parameters);
  intent.type = classified.type;
  intent.confidence = classified.confidence;
  intent.context_requirements = find_context_requirements(tokens, intent.type, parameters);
  suggest(tokens, vocabulary, environments, intent);
  // A change is made now, whatever time its reasons name.
  const std::string& problem = parameters.time_range.problem;
  if (!problem.empty() && intent.type != IntentType::act) {
    intent.clarifications_needed.push_back("Which time is meant? " + problem + ".");
  }
  return intent;
}

std::string_view acknowledgement(const Intent& intent) {
  static constexpr std::pair<std::string_view, std::string_view> kByTool[] = {
      {"get_recent_errors", "Checking those errors…"},
      {"search_logs", "Searching the logs…"},
      {"get_service_logs", "Reading the logs…"},
      {"get_pipeline_status", "Checking the pipelines…"},
      {"get_pipeline_details", "Checking that pipeline…"},
      {"list_open_prs", "Looking at the open pull requests…"},
      {"get_pr_details", "Looking at that pull request…"},
      {"search_code", "Searching the code…"},
      {"jira_search", "Searching the tickets…"},
      {"jira_get_ticket", "Reading that ticket…"},
      {"jira_cve_tickets", "Looking for open CVEs…"},
      {"search_confluence", "Searching the docs…"},
      {"check_alarms", "Checking the alarms…"},
      {"get_ecs_metrics", "Checking the metrics…"},
      {"query_metrics", "Checking the metrics…"},
      {"pagerduty_active_incidents", "Checking the incidents…"},
      {"pagerduty_recent_incidents", "Checking the recent incidents…"},
      {"pagerduty_incident_details", "Reading that incident…"},
      {"pagerduty_investigate", "Looking into that incident…"},
      {"pagerduty_oncall", "Checking who is on call…"},
      {"investigate_issue", "Looking into it…"},
      {"summarize_messages", "Reading the messages…"},
      {"list_slack_replies", "Reading the thread…"},
      {"analyze_conversation", "Reading the conversation…"},
      {"search_history", "Looking at what we had before…"},
      {"list_services", "Looking up the services…"},
      {"get_service_info", "Looking up that service…"},
  };
  if (intent.type != IntentType::act && intent.type != IntentType::chat && !intent.suggested_tools.empty()) {
    for (const auto& [tool, line] : kByTool) {
      if (tool == intent.suggested_tools.front()) return line;
    }
  }
  switch (intent.type) {
    case IntentType::summarize:
      return "Reading up on that…";
    case IntentType::analyze:
      return "Looking into it…";
    case IntentType::fetch:
      return "Looking that up…";
    case IntentType::explain:
      return "Putting an answer together…";
    case IntentType::act:
      return "Preparing that…";
    case IntentType::chat:
      return "One moment…";
  }
  return "One moment…";
}

}  // namespace deputy::intent
