#include "tools/investigation.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr int kTurns = 9;  // the first is that of the calls it begins with
constexpr std::size_t kMaxName = 100;

constexpr std::string_view kHowToReport =
    "[The calls of the first turn gathered what is known; look further where that says too little, and do not repeat "
    "them. Do not change anything. Answer in exactly these sections, each a heading: Summary, Evidence, Root-cause "
    "hypothesis, Recommended actions. Behind each claim name the call it rests on in square brackets, by its id where "
    "you know it, such as [call_1], else by its tool, such as [search_logs]. A claim without one is a guess and is "
    "called that. Say which calls failed and what is not set up: what was not looked at is no evidence of health.]";

std::string about(const Subject& subject) {
  std::string text =
      subject.incident.empty() ? std::string() : fmt::format("incident {}", cut_with_mark(subject.incident, kMaxName));
  if (!subject.service.empty())
    text += fmt::format("{}the service {}", text.empty() ? "" : " of ", cut_with_mark(subject.service, kMaxName));
  if (!subject.environment.empty())
    text += fmt::format(" in the environment {}", cut_with_mark(subject.environment, kMaxName));
  return text;
}

}  // namespace

json::array first_calls(const Subject& subject) {
  json::array calls;
  // What is not known is left to the tool.
  const auto add = [&](const char* tool, std::initializer_list<std::pair<const char*, std::string>> given) {
    json::object arguments;
    for (const auto& [name, value] : given) {
      if (!value.empty()) arguments[name] = value;
    }
    calls.push_back(json::object{{"tool", tool}, {"arguments", std::move(arguments)}});
  };
  const auto time = [](const std::optional<Timestamp>& at) { return at ? format_timestamp(*at) : std::string(); };
  if (!subject.incident.empty()) add("pagerduty_incident_details", {{"incident_id", subject.incident}});
  add("get_recent_errors", {{"service", subject.service},
                            {"environment", subject.environment},
                            {"from", time(subject.from)},
                            {"to", time(subject.to)}});
  if (!subject.repository.empty()) add("get_pipeline_status", {{"repo", subject.repository}});
  add("check_alarms", {});
  add("list_workloads", {{"environment", subject.environment}});
  add("list_cluster_events", {{"environment", subject.environment}, {"name", subject.service}});
  if (subject.incident.empty()) add("pagerduty_active_incidents", {});
  if (!subject.service.empty()) add("search_history", {{"query", subject.service}});
  return calls;
}

Task<std::string> repository_of(std::shared_ptr<ServicesRegistry> registry, std::string service) {
  if (registry == nullptr || service.empty()) co_return service;
  const auto list = co_await registry->current();
  const Service* known = list ? (*list)->find(service) : nullptr;
  co_return known == nullptr || known->repo.empty() ? service : known->repo;
}

json::object investigation(const Subject& subject) {
  const std::string what = about(subject);
  std::string task = fmt::format("Investigate {}.", what);
  if (!trim(subject.description).empty()) task += fmt::format(" What is known: {}", trim(subject.description));
  return {{"task", fmt::format("{}\n\n{}", task, kHowToReport)},
          {"label", cut_with_mark("investigate " + what, 200)},
          {"reads_only", true},
          {"tool_turns", kTurns},
          {"first_calls", first_calls(subject)}};
}

}  // namespace deputy::tools
