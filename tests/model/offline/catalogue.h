// Deputy's own tools as their specification lists them, and requests whose intent was extracted with a vocabulary: the
// planner as it stands in the program.
#pragma once

#include "base/text.h"
#include "model/offline/world.h"

namespace deputy::model::offline {

inline std::vector<ToolDescription> own_tools() {
  return sorted({
      kAsk,
      tool("respond_directly", "Gives the answer without another turn", "message*"),
      tool("read_result", "Reads on in a result that was cut", "call_id*, offset:integer"),
      tool("post_slack_message", "Posts a message to a channel", "channel*, text*, thread_ts"),
      tool("list_slack_messages", "Lists the latest messages of a channel",
           "channel*, limit:integer, since_hours:integer"),
      tool("summarize_messages", "Summarises the messages of a channel",
           "channel*, limit:integer, style brief|detailed|bullet_points, max_words:integer"),
      tool("search_logs", "Searches the logs for words or a regular expression",
           "query*, service, environment, hours_back:integer, from:date-time, to:date-time, limit:integer"),
      tool("get_recent_errors", "Lists recent errors, grouped, newest first",
           "service, environment, hours_back:integer, from:date-time, to:date-time"),
      tool("get_service_logs", "Reads the latest log lines of one service",
           "service*, environment*, hours_back:integer, limit:integer"),
      tool("get_pipeline_status", "Lists the latest pipelines of a repository", "repo*, limit:integer"),
      tool("get_pipeline_details", "Reads one pipeline with its steps", "repo*, pipeline_id*"),
      tool("list_open_prs", "Lists the open pull requests of a repository", "repo*, limit:integer"),
      tool("get_pr_details", "Reads one pull request", "repo*, pr_id:integer*"),
      tool("run_pipeline", "Runs a pipeline of a repository at a ref", "repo*, ref*, pipeline"),
      tool("stop_pipeline", "Stops a running pipeline", "repo*, pipeline_id*"),
      tool("search_code", "Searches the code of all repositories", "query*, num_results:integer"),
      tool("get_service_info", "Says what a service is: its type, stack, owner and repository", "service_name*"),
      tool("list_services", "Lists all known services"),
      tool("jira_search", "Searches tickets with plain words or JQL", "query*, max_results:integer"),
      tool("jira_get_ticket", "Reads one ticket", "issue_key*"),
      tool("jira_create_ticket", "Creates a ticket", "project*, summary*, description*, type"),
      tool("jira_add_comment", "Adds a comment to a ticket", "issue_key*, text*"),
      tool("search_confluence", "Searches the documentation", "query*, space_key, limit:integer"),
      tool("check_alarms", "Lists alarms and their state", "state, prefix"),
      tool("get_ecs_metrics", "Reads CPU and memory of a service", "service*, environment*, hours_back:integer"),
      tool("pagerduty_active_incidents", "Lists incidents that are open now"),
      tool("pagerduty_recent_incidents", "Lists incidents of the last days", "days:integer"),
      tool("pagerduty_incident_details", "Reads one incident", "incident_id*"),
      tool("pagerduty_oncall", "Says who is on call", "schedule"),
      tool("pagerduty_acknowledge", "Acknowledges an incident", "incident_id*"),
      tool("investigate_issue", "Investigates a problem of a service with read tools",
           "service*, environment*, description"),
      tool("search_history", "Searches past runs and their answers", "query*"),
      tool("read_file", "Reads a file of the workspace", "path*, start_line:integer, end_line:integer"),
      tool("list_files", "Lists the files of the workspace", "path, glob"),
      tool("search_files", "Searches the files of the workspace", "pattern*, path, glob"),
      tool("edit_file", "Changes parts of a file", "path*, edits:objects*"),
      tool("write_file", "Writes a file of the workspace", "path*, content*"),
      tool("shell", "Runs a command in the workspace", "command*, working_dir"),
      tool("start_sub_run", "Starts a run of its own for a part of the work and waits for its answer", "task*, label"),
      tool("list_sub_runs", "Lists the sub-runs of this conversation and how they stand"),
  });
}

/// As the runner builds the user's turn. `not_set_up` exist, so that the intent may suggest them, and are not offered.
inline Request ask_deputy(std::string request, const std::vector<std::string>& not_set_up = {}) {
  intent::Vocabulary words;
  words.services = {{"cast-core", "Cast Core Service", {"castc"}}, {"checkout", "Checkout API", {"cart"}}};
  words.environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}};
  std::vector<ToolDescription> tools = own_tools();
  for (const ToolDescription& tool : tools) words.tools.push_back(tool.name);
  words.now = parse_timestamp("2026-11-18T10:30:00Z").value();
  const intent::Intent intent = intent::extract(request, words);
  std::erase_if(tools, [&](const ToolDescription& tool) { return contains(not_set_up, tool.name); });
  return ask(std::move(request), intent, tools);
}

}  // namespace deputy::model::offline
