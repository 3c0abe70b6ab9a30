// Tools as a team may have them, and requests over them, for the tests of the offline planner.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/text.h"
#include "intent/context_section.h"
#include "model/offline/offline.h"

namespace deputy::model::offline {

/// A tool whose parameters are written in short: "service*, environment* prod|staging, limit:integer, from:date-time".
/// A star makes one required, choices stand behind a space; `objects` is a list of objects.
inline ToolDescription tool(std::string name, std::string description, std::string_view parameters = {}) {
  json::object properties;
  json::array required;
  for (std::string_view written : split(parameters, ",")) {
    written = trim(written);
    if (written.empty()) continue;
    const std::size_t space = written.find(' ');
    std::string_view name_and_type = written.substr(0, space);
    const bool is_required = name_and_type.ends_with('*');
    if (is_required) name_and_type.remove_suffix(1);
    const std::size_t colon = name_and_type.find(':');
    const std::string parameter(name_and_type.substr(0, colon));
    const std::string type(colon == std::string_view::npos ? "string" : name_and_type.substr(colon + 1));
    json::object schema{{"type", type == "date-time" ? "string" : type == "objects" ? "array" : type}};
    if (type == "objects") schema["items"] = json::object{{"type", "object"}};
    if (type == "date-time") schema["format"] = "date-time";
    if (space != std::string_view::npos) {
      json::array choices;
      for (const std::string_view choice : split(trim(written.substr(space)), "|")) {
        choices.emplace_back(json::string_view(choice.data(), choice.size()));
      }
      schema["enum"] = std::move(choices);
    }
    properties[parameter] = std::move(schema);
    if (is_required) required.emplace_back(parameter);
  }
  json::object params{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) params["required"] = std::move(required);
  return {std::move(name), std::move(description), std::move(params)};
}

inline const ToolDescription kAsk =
    tool("ask_user", "Asks the person who wants something a form of questions", "questions:array*");

inline std::vector<ToolDescription> sorted(std::vector<ToolDescription> tools) {
  std::ranges::sort(tools, {}, &ToolDescription::name);
  return tools;
}

/// Tools that the intent's own tables do not know, as some other team would have named them.
inline std::vector<ToolDescription> unknown_tools() {
  return sorted({
      kAsk,
      tool("find_log_lines", "Finds lines in the logs of a service that contain some words",
           "text_query*, service, environment, hours:integer, limit:integer"),
      tool("error_overview", "Counts the errors of the last hours by service",
           "service, environment, hours_back:integer"),
      tool("describe_application", "Says who owns a service, what it runs on and where its code is", "app_name*"),
      tool("deployment_history", "Lists the latest deployments and builds of a repository",
           "repository*, max_results:integer"),
      tool("open_alerts", "Lists alerts that are firing now", "severity critical|warning|info"),
      tool("current_outages", "Lists incidents that are not resolved"),
      tool("tracker_lookup", "Reads one ticket of the issue tracker", "issue_key*"),
      tool("tracker_search", "Searches the tickets of the issue tracker", "query*, max_results:integer"),
      tool("merge_request_details", "Reads one pull request and its reviews", "repo*, pr_id:integer*"),
      tool("handbook_search", "Searches the handbook and the runbooks", "query*, limit:integer"),
      tool("restart_application", "Restarts a service and waits until it is healthy",
           "service*, environment* prod|staging"),
      tool("trigger_build", "Starts a build of a repository at a branch", "repo*, ref*"),
      tool("add_ticket_comment", "Writes a comment under a ticket", "issue_key*, text*"),
      tool("rota", "Says who is on call now", "schedule"),
  });
}

/// The user's turn of a request whose intent nobody extracted.
inline Request ask(std::string request, std::vector<ToolDescription> tools = unknown_tools()) {
  return {
      .system = "", .turns = {{Role::user, {Text{std::move(request)}}}}, .tools = std::move(tools), .max_tokens = 1200};
}

/// The same with an intent.
inline Request ask(std::string request, const intent::Intent& intent,
                   std::vector<ToolDescription> tools = unknown_tools()) {
  return ask(std::move(request) + "\n\n" + intent::context_section(intent), std::move(tools));
}

/// What a tool answered.
struct Answered {
  std::string text;
  bool failed = false;
};

/// The request one turn later: what the reply wanted was done.
inline Request then(Request request, const Reply& reply, const std::vector<Answered>& answers) {
  request.turns.push_back({Role::assistant, reply.blocks});
  Turn results{Role::user, {}};
  std::size_t at = 0;
  for (const Block& block : reply.blocks) {
    if (const Call* call = std::get_if<Call>(&block)) {
      const Answered& answer = answers.at(at++);
      results.blocks.emplace_back(CallResult{call->id, answer.text, answer.failed});
    }
  }
  request.turns.push_back(std::move(results));
  return request;
}

/// A reply on one line: `tool{arguments}` for each call, else its text.
inline std::string in_one_line(const Reply& reply) {
  std::string line;
  for (const Block& block : reply.blocks) {
    if (const Call* call = std::get_if<Call>(&block)) {
      if (!line.empty()) line += ' ';
      line += call->tool + canonical_json(call->arguments);
    } else if (const Text* text = std::get_if<Text>(&block)) {
      line += text->text;
    }
  }
  return line;
}

inline std::string in_one_line(const Request& request) { return in_one_line(answer(request)); }

}  // namespace deputy::model::offline
