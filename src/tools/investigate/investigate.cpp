#include "tools/investigate/investigate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "tools/common_steps.h"

namespace deputy::tools {

namespace {

constexpr int kTurns = 8;

constexpr std::array<std::string_view, 4> kSections{"Summary", "Evidence", "Root-cause hypothesis",
                                                    "Recommended actions"};

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

std::string task_for(const InvestigateIssueParams& params) {
  std::string task = fmt::format("Investigate recent errors of the service {} in the environment {}.", params.service,
                                 params.environment);
  if (!trim(params.description).empty()) task += fmt::format(" What is known: {}", params.description);
  return task +
         "\n\n[Do not change anything. Answer in exactly these sections, each a heading: Summary, Evidence, "
         "Root-cause "
         "hypothesis, Recommended actions. Behind each claim name the call it rests on, by its tool and id; a claim "
         "without one is a guess and is called that.]";
}

bool has_heading(std::string_view line, std::string_view section) {
  const std::size_t begin = line.find_first_not_of("#* \t");
  return begin != std::string_view::npos && begin > 0 && to_lower(line.substr(begin)).starts_with(to_lower(section));
}

bool has_section(std::string_view text, std::string_view section) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (has_heading(text.substr(0, end), section)) return true;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return false;
}

}  // namespace

std::string as_report(std::string answer) {
  const auto is_there = [&](std::string_view section) { return has_section(answer, section); };
  if (std::ranges::all_of(kSections, is_there)) return answer;
  if (std::ranges::none_of(kSections, is_there)) {
    answer = fmt::format("## Summary\nNo conclusion was drawn; what was found is quoted below.\n\n## Evidence\n{}",
                         trim(answer));
  }
  for (const std::string_view section : kSections) {
    if (!is_there(section)) answer += fmt::format("\n\n## {}\nNone was given.", section);
  }
  return answer;
}

std::shared_ptr<const toolkit::Tool> investigate_issue() {
  toolkit::ToolSpec spec{.name = "investigate_issue",
                         .version = 1,
                         .description =
                             "Investigates an issue of one service by itself, with read-only tools, and returns a "
                             "report: summary, evidence, likely root cause, recommended actions. Takes a minute or "
                             "more; use it when one or two calls will not answer the question.",
                         .category = "analysis_tools",
                         .effect = toolkit::Effect::read,
                         .primary_param = "service",
                         .starts_child_run = true};
  spec.topics = {.words = {"investigation", "investigate", "cause", "diagnose", "triage"},
                 .examples = {"investigate {service} in {environment}",
                              "find the cause of the trouble of {service} in {environment}"},
                 .working = "Investigating {service}"};
  return toolkit::make_tool<InvestigateIssueParams>(std::move(spec), [](const InvestigateIssueParams& params) {
    json::object payload{{"task", task_for(params)},
                         {"label", fmt::format("investigate {} in {}", params.service, params.environment)},
                         {"reads_only", true},
                         {"tool_turns", kTurns}};
    return Result<toolkit::Pipeline>(delegating(toolkit::DelegateKind::child_run, std::move(payload), as_report));
  });
}

}  // namespace deputy::tools
