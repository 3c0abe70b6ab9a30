#include "model/offline/roles.h"

#include <algorithm>

#include "base/text.h"
#include "model/offline/words.h"

namespace deputy::model::offline {

namespace {

enum class Wants { anything, text, number, moment };

struct Row {
  std::string_view word;  // in the parameter's name
  ParameterRole role;
  Wants wants;
};

// Earlier rows win: `pr_id` of a `repo` tool is a pull request.
constexpr Row kRows[] = {
    {"minutes", ParameterRole::minutes, Wants::number},
    {"hours", ParameterRole::hours, Wants::number},
    {"days", ParameterRole::days, Wants::number},
    {"environment", ParameterRole::environment, Wants::text},
    {"env", ParameterRole::environment, Wants::text},
    {"stage", ParameterRole::environment, Wants::text},
    {"from", ParameterRole::from, Wants::moment},
    {"since", ParameterRole::from, Wants::moment},
    {"start", ParameterRole::from, Wants::moment},
    {"begin", ParameterRole::from, Wants::moment},
    {"after", ParameterRole::from, Wants::moment},
    {"to", ParameterRole::to, Wants::moment},
    {"until", ParameterRole::to, Wants::moment},
    {"end", ParameterRole::to, Wants::moment},
    {"before", ParameterRole::to, Wants::moment},
    {"limit", ParameterRole::limit, Wants::number},
    {"max", ParameterRole::limit, Wants::number},
    {"count", ParameterRole::limit, Wants::number},
    {"num", ParameterRole::limit, Wants::number},
    {"size", ParameterRole::limit, Wants::number},
    {"top", ParameterRole::limit, Wants::number},
    {"url", ParameterRole::url, Wants::text},
    {"uri", ParameterRole::url, Wants::text},
    {"link", ParameterRole::url, Wants::text},
    {"pr", ParameterRole::pull_request, Wants::anything},
    {"pull", ParameterRole::pull_request, Wants::anything},
    {"issue", ParameterRole::ticket, Wants::anything},
    {"ticket", ParameterRole::ticket, Wants::anything},
    {"incident", ParameterRole::incident, Wants::anything},
    {"service", ParameterRole::service, Wants::text},
    {"services", ParameterRole::service, Wants::text},
    {"application", ParameterRole::service, Wants::text},
    {"app", ParameterRole::service, Wants::text},
    {"component", ParameterRole::service, Wants::text},
    {"repo", ParameterRole::repository, Wants::text},
    {"repository", ParameterRole::repository, Wants::text},
    {"query", ParameterRole::query, Wants::text},
    {"q", ParameterRole::query, Wants::text},
    {"keyword", ParameterRole::query, Wants::text},
    {"keywords", ParameterRole::query, Wants::text},
    {"pattern", ParameterRole::query, Wants::text},
    {"term", ParameterRole::query, Wants::text},
    {"terms", ParameterRole::query, Wants::text},
    {"search", ParameterRole::query, Wants::text},
    {"jql", ParameterRole::query, Wants::text},
    {"phrase", ParameterRole::query, Wants::text},
    {"channel", ParameterRole::channel, Wants::text},
    {"path", ParameterRole::path, Wants::text},
    {"filename", ParameterRole::path, Wants::text},
    {"file", ParameterRole::path, Wants::text},
    {"branch", ParameterRole::branch, Wants::text},
    {"ref", ParameterRole::branch, Wants::text},
    {"tag", ParameterRole::branch, Wants::text},
    {"commit", ParameterRole::branch, Wants::text},
    {"command", ParameterRole::command, Wants::text},
    {"text", ParameterRole::body, Wants::text},
    {"message", ParameterRole::body, Wants::text},
    {"comment", ParameterRole::body, Wants::text},
    {"body", ParameterRole::body, Wants::text},
    {"content", ParameterRole::body, Wants::text},
    {"title", ParameterRole::title, Wants::text},
    {"summary", ParameterRole::title, Wants::text},
    {"subject", ParameterRole::title, Wants::text},
    {"description", ParameterRole::description, Wants::text},
    {"problem", ParameterRole::description, Wants::text},
    {"question", ParameterRole::description, Wants::text},
    {"symptom", ParameterRole::description, Wants::text},
    {"task", ParameterRole::description, Wants::text},
};

Kind scalar_kind(const Parameter& parameter) { return parameter.kind == Kind::list ? parameter.item : parameter.kind; }

/// `start` is a line of a file to one tool and a moment to another: the type or the words beside it must say so.
bool says_a_moment(const Parameter& parameter, const std::vector<std::string>& parts) {
  static constexpr std::string_view kTimeWords[] = {"time", "timestamp", "date",    "moment",
                                                    "iso",  "iso8601",   "datetime"};
  if (parameter.is_moment) return true;
  const auto is_time_word = [](const std::string& word) { return contains(kTimeWords, word); };
  return std::ranges::any_of(parts, is_time_word) || std::ranges::any_of(parts_of(parameter.doc), is_time_word);
}

bool suits(Wants wants, const Parameter& parameter, const std::vector<std::string>& parts) {
  const Kind kind = scalar_kind(parameter);
  const bool text = kind == Kind::text || kind == Kind::any;
  switch (wants) {
    case Wants::anything:
      return text || kind == Kind::whole;
    case Wants::text:
      return text;
    case Wants::number:
      return kind == Kind::whole || kind == Kind::number;
    case Wants::moment:
      return text && says_a_moment(parameter, parts);
  }
  return false;
}

/// `issue_type` is no ticket, `task_id` no description of a task, `max_length` no number of results.
bool is_aside(const std::vector<std::string>& parts, ParameterRole role) {
  static constexpr std::string_view kAspects[] = {"type",  "status", "state", "priority", "length",
                                                  "words", "chars",  "bytes", "tokens",   "format"};
  static constexpr std::string_view kIdentities[] = {"id", "key", "number", "ts", "timestamp"};
  const auto holds = [&](const auto& list) {
    return std::ranges::any_of(list, [&](std::string_view word) { return contains(parts, word); });
  };
  if (holds(kAspects)) return true;
  const bool is_prose = role == ParameterRole::body || role == ParameterRole::title ||
                        role == ParameterRole::description || role == ParameterRole::query ||
                        role == ParameterRole::path || role == ParameterRole::command;
  return is_prose && holds(kIdentities);
}

/// A bare `id`, `key` or `name` is that of what the tool is about.
ParameterRole role_by_tool(const ToolDescription& tool, const Parameter& parameter) {
  const std::vector<std::string> parts = parts_of(parameter.name);
  const bool bare =
      parts.size() == 1 && (contains(parts, "id") || contains(parts, "key") || contains(parts, "number") ||
                            contains(parts, "name") || contains(parts, "identifier"));
  if (!bare) return ParameterRole::other;
  for (const std::string& word : stems_of(tool.name)) {
    const std::string thing = concept_of(word);
    if (thing == concept_of(stem("ticket"))) return ParameterRole::ticket;
    if (thing == concept_of(stem("pull"))) return ParameterRole::pull_request;
    if (thing == concept_of(stem("incident"))) return ParameterRole::incident;
    if (thing == concept_of(stem("service"))) return ParameterRole::service;
    if (thing == concept_of(stem("repo"))) return ParameterRole::repository;
  }
  return ParameterRole::other;
}

}  // namespace

ParameterRole role_of(const ToolDescription& tool, const Parameter& parameter) {
  const std::vector<std::string> parts = parts_of(parameter.name);
  for (const Row& row : kRows) {
    if (!contains(parts, row.word) || !suits(row.wants, parameter, parts)) continue;
    return is_aside(parts, row.role) ? ParameterRole::other : row.role;
  }
  return role_by_tool(tool, parameter);
}

std::string label_of(ParameterRole role, const Parameter& parameter) {
  if (role == ParameterRole::environment) return "environment";
  if (role == ParameterRole::service) return "service";
  return to_valid_utf8(std::string(cut_characters(parameter.name, 100)));
}

}  // namespace deputy::model::offline
