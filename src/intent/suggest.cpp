#include "intent/suggest.h"

#include <algorithm>

#include "base/text.h"
#include "intent/topics.h"

namespace deputy::intent {

namespace {

using enum Topic;

constexpr std::size_t kMostSuggested = 5;
constexpr std::size_t kMostRead = 400;  // words

enum Need : unsigned { nothing = 0, service = 1, environment = 2 };

/// A tool is suggested when the request has the topics and is of the type; earlier rows come first.
struct ToolRow {
  std::string_view tool;
  std::vector<Topic> topics;      // all of them
  std::vector<IntentType> types;  // one of them; empty: any but act
  unsigned needs = nothing;       // what it cannot do without
  std::vector<std::string_view> otherwise;
};

const std::vector<ToolRow>& tool_rows() {
  using enum IntentType;
  static const std::vector<ToolRow> rows{
      {"pagerduty_acknowledge", {acknowledging, incidents}, {act}, nothing, {"pagerduty_incident_details"}},
      {"pagerduty_acknowledge", {acknowledging, incident_id}, {act}, nothing, {"pagerduty_incident_details"}},
      {"jira_add_comment", {commenting, ticket_id}, {act}, nothing, {"jira_get_ticket"}},
      {"jira_create_ticket", {creating, tickets}, {act}, nothing, {"jira_search"}},
      {"stop_pipeline", {stopping, pipelines}, {act}, nothing, {"get_pipeline_status"}},
      {"run_pipeline", {pipelines}, {act}, service | environment, {"get_pipeline_status"}},
      {"run_pipeline", {running, one_service}, {act}, service | environment, {"get_pipeline_status"}},
      {"post_slack_message", {posting}, {act}, nothing, {"list_slack_channels"}},
      {"shell", {command}, {act}, nothing, {}},
      {"cancel_background_task", {stopping, tasks}, {act}, nothing, {"list_background_tasks"}},
      {"search_history", {past_runs}, {}, nothing, {}},
      {"pagerduty_investigate", {incident_id}, {analyze}, nothing, {"pagerduty_incident_details"}},
      {"pagerduty_incident_details", {incident_id}, {}, nothing, {"pagerduty_recent_incidents"}},
      {"jira_get_ticket", {ticket_id}, {}, nothing, {"jira_search"}},
      {"get_pr_details", {pr_id}, {}, nothing, {"list_open_prs"}},
      {"fetch_url", {addresses}, {summarize, fetch, explain, analyze}, nothing, {}},
      {"investigate_issue", {one_service}, {analyze}, service | environment, {"get_recent_errors", "check_alarms"}},
      {"analyze_conversation", {decisions}, {}, nothing, {"summarize_messages"}},
      {"list_slack_replies", {thread}, {summarize}, nothing, {"summarize_messages"}},
      {"summarize_messages", {conversation}, {summarize}, nothing, {"list_slack_messages"}},
      {"pagerduty_oncall", {on_call}, {}, nothing, {"search_confluence"}},
      {"pagerduty_active_incidents", {incidents}, {fetch, explain}, nothing, {"pagerduty_recent_incidents"}},
      {"pagerduty_recent_incidents", {incidents}, {summarize, analyze}, nothing, {"search_history"}},
      {"search_logs", {errors, text_to_find}, {}, environment, {"get_recent_errors"}},
      {"search_logs", {logs, text_to_find}, {}, environment, {"get_service_logs"}},
      {"get_recent_errors", {errors}, {}, environment, {"search_logs", "check_alarms"}},
      {"get_service_logs", {logs, one_service}, {}, service | environment, {"search_logs"}},
      {"search_logs", {logs}, {}, environment, {"get_recent_errors"}},
      {"search_logs", {errors}, {analyze}, environment, {"get_recent_errors"}},
      {"check_alarms", {alarms}, {}, nothing, {"query_metrics"}},
      {"get_ecs_metrics", {metrics, one_service}, {}, service | environment, {"query_metrics"}},
      {"query_metrics", {metrics}, {}, nothing, {"check_alarms"}},
      {"jira_cve_tickets", {cves}, {}, nothing, {"jira_search"}},
      {"list_open_prs", {pull_requests}, {}, nothing, {"get_repo"}},
      {"get_pipeline_status", {pipelines}, {}, nothing, {"list_open_prs"}},
      {"jira_search", {tickets}, {}, nothing, {"search_history"}},
      {"search_confluence", {docs}, {}, nothing, {"search_history"}},
      {"search_code", {code}, {}, nothing, {"get_file"}},
      {"search_history", {history}, {analyze, fetch, explain}, nothing, {}},
      {"list_services", {services}, {fetch, explain, summarize}, nothing, {}},
      {"list_background_tasks", {tasks}, {fetch}, nothing, {}},
      {"aws_cli", {aws}, {fetch}, nothing, {}},
      {"read_file", {reading_file}, {fetch, explain}, nothing, {"list_files"}},
      {"list_files", {listing}, {fetch, explain}, nothing, {"search_files"}},
      {"search_files", {workspace}, {fetch}, nothing, {"list_files"}},
      {"get_recent_errors", {broken, one_service}, {fetch, explain}, environment, {"search_logs"}},
      {"get_service_info", {one_service}, {explain}, nothing, {"search_confluence"}},
      {"get_pipeline_status", {changed}, {fetch, explain}, nothing, {"list_open_prs"}},
      {"check_alarms", {broken}, {fetch, analyze}, nothing, {"pagerduty_active_incidents"}},
      {"get_recent_errors", {broken, one_environment}, {fetch, explain}, environment, {"search_logs"}},
  };
  return rows;
}

bool fits(const ToolRow& row, const Topics& topics, IntentType type) {
  if (row.types.empty() ? type == IntentType::act : !contains(row.types, type)) return false;
  return std::ranges::all_of(row.topics, [&](Topic topic) { return topics.test(topic); });
}

class Suggestions {
 public:
  Suggestions(const Vocabulary& vocabulary, Intent& intent) : vocabulary_(vocabulary), intent_(intent) {}

  bool exists(std::string_view tool) const { return contains(vocabulary_.tools, tool); }

  bool add(std::string_view tool) {
    if (intent_.suggested_tools.size() >= kMostSuggested || !exists(tool)) return false;
    if (contains(intent_.suggested_tools, tool)) return false;
    intent_.suggested_tools.emplace_back(tool);
    return true;
  }

  void add_fallback(std::string_view tool) {
    const auto named = [&](const std::vector<std::string>& list) { return contains(list, tool); };
    if (!exists(tool) || named(intent_.suggested_tools) || named(intent_.fallback_options)) return;
    if (intent_.fallback_options.size() < kMostSuggested) intent_.fallback_options.emplace_back(tool);
  }

 private:
  const Vocabulary& vocabulary_;
  Intent& intent_;
};

/// A tool's own name in the request.
void add_named_tools(const Tokens& tokens, Suggestions& suggestions) {
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostRead); ++at) {
    if (!tokens[at].is_word() || tokens.tied_before(at)) continue;
    std::size_t last = at;
    while (tokens.tied_behind(last) && last < at + 16) last += 2;
    const std::string_view name = tokens.text(at, last + 1);
    if (last > at && suggestions.exists(name)) suggestions.add(name);
  }
}

std::string list_in_words(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

void suggest(const Tokens& tokens, const Vocabulary& vocabulary, const std::vector<std::string>& environments,
             Intent& intent) {
  Suggestions suggestions(vocabulary, intent);
  add_named_tools(tokens, suggestions);
  unsigned needs = nothing;
  std::vector<std::string_view> otherwise;
  if (intent.type != IntentType::chat) {
    const Topics topics = find_topics(tokens, intent);
    for (const ToolRow& row : tool_rows()) {
      if (!fits(row, topics, intent.type)) continue;
      const bool first = intent.suggested_tools.empty();
      const bool added = suggestions.add(row.tool);
      if (added && first) needs = row.needs;
      otherwise.insert(otherwise.end(), row.otherwise.begin(), row.otherwise.end());
    }
  }
  for (const std::string_view tool : otherwise) suggestions.add_fallback(tool);

  std::vector<std::string> known;
  known.reserve(vocabulary.environments.size());
  for (const auto& [name, others] : vocabulary.environments) known.push_back(name);
  if ((needs & service) != 0 && intent.parameters.services.empty()) {
    intent.clarifications_needed.emplace_back("Which service?");
  }
  if (environments.size() > 1 && intent.type != IntentType::chat) {
    intent.clarifications_needed.push_back("Which environment: " + list_in_words(environments) + "?");
  } else if ((needs & environment) != 0 && !intent.parameters.environment && known.size() > 1) {
    intent.clarifications_needed.push_back("Which environment: " + list_in_words(known) + "?");
  }
}

}  // namespace deputy::intent
