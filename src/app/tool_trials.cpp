#include "app/tool_trials.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "redact/redact.h"
#include "run/plan/prepare.h"
#include "toolkit/executor.h"

namespace deputy::app {

namespace {

using toolkit::Kind;
using Outcome = ToolTrial::Outcome;

constexpr std::chrono::milliseconds kMaxTime = std::chrono::seconds(15);
constexpr std::size_t kMaxWords = 160;
constexpr std::string_view kWithinRuns = "it works within a request only";

/// What a parameter of this name and kind may be; empty: nobody can say.
std::string value_for(const std::string& name, std::optional<Kind> kind, const std::string& environment,
                      const tools::ServiceList& services) {
  const std::vector<tools::Service>& known = services.services();
  if (kind == Kind::environment) return environment;
  if (name == "repo") {
    const auto one = std::ranges::find_if(known, [](const tools::Service& each) { return !each.repo.empty(); });
    if (one == known.end()) return {};
    return kind == Kind::service ? one->key : one->repo;
  }
  if (kind == Kind::service && !known.empty()) return known.front().key;
  return kind == Kind::query ? "error" : std::string();
}

/// With the arguments of its probe, where it depends on these.
bool only_reads(const toolkit::ToolSpec& spec) {
  if (toolkit::always_reads(spec)) return true;
  return !spec.probe.empty() && !spec.changes_runs && toolkit::effect_of(spec, spec.probe) == toolkit::Effect::read;
}

std::string first_line(std::string_view text) {
  text = trim(text);
  return cut_with_mark(text.substr(0, std::min(text.find('\n'), text.size())), kMaxWords);
}

toolkit::Execution execution_of(run::PreparedCall& prepared, toolkit::Link link, const redact::Redactor& redactor) {
  toolkit::Execution execution{.tool = prepared.spec().name, .link = std::move(link)};
  execution.context.call_id = "doctor";
  execution.context.arguments = prepared.arguments;
  execution.timeout = std::min(prepared.settings.timeout, kMaxTime);
  const auto redact = [&](redact::Lines lines) {
    return [redactor, lines](std::string_view text) { return redactor.redact(text, lines); };
  };
  execution.redact = redact(redact::Lines::joined);
  execution.redact_lines = redact(redact::Lines::kept);
  execution.redact_picked = redact(redact::Lines::picked);
  return execution;
}

class Trials {
 public:
  Trials(const toolkit::Registry& registry, const run::Rules& rules, const tools::ServiceList& services,
         const Clock& clock)
      : registry_(registry), rules_(rules), services_(services), executor_(clock) {}

  Task<ToolTrial> trial_of(std::shared_ptr<const toolkit::Tool> tool) {
    const toolkit::ToolSpec& spec = tool->spec();
    if (!only_reads(spec)) co_return ToolTrial{spec.name, Outcome::skipped, "it may write"};
    if (!spec.missing.empty()) co_return ToolTrial{spec.name, Outcome::not_set_up, spec.missing};
    if (spec.talk_tool() || spec.starts_child_run)
      co_return ToolTrial{spec.name, Outcome::skipped, std::string(kWithinRuns)};
    std::optional<ToolTrial> best;
    for (const std::string& environment : environments_for(spec)) {
      ToolTrial trial = co_await trial_in(spec, environment);
      if (!goes_on_) co_return trial;
      if (!best || trial.outcome == Outcome::works) best = std::move(trial);
    }
    co_return best.value_or(ToolTrial{spec.name, Outcome::skipped, "settings name no environment"});
  }

 private:
  /// Not every environment is there in each backend: the first that is will do.
  std::vector<std::string> environments_for(const toolkit::ToolSpec& spec) const {
    const bool takes_one =
        std::ranges::any_of(spec.kinds, [](const auto& one) { return one.second == Kind::environment; });
    std::vector<std::string> names;
    for (const auto& [name, others] : rules_.environments) names.push_back(name);
    if (!takes_one || names.empty()) names = {""};
    return names;
  }

  Task<ToolTrial> trial_in(const toolkit::ToolSpec& spec, std::string environment) {
    goes_on_ = false;
    const Result<json::object> arguments = trial_arguments(spec, environment, services_);
    if (!arguments) co_return ToolTrial{spec.name, Outcome::skipped, arguments.error().message};
    const Result<std::optional<std::string>> text = co_await read(spec.name, *arguments);
    if (text && !*text) co_return ToolTrial{spec.name, Outcome::skipped, std::string(kWithinRuns)};
    if (text) co_return ToolTrial{spec.name, Outcome::works, first_line(**text)};
    const Error& error = text.error();
    const bool is_set_up = error.kind != ErrorKind::not_configured;
    goes_on_ = error.kind == ErrorKind::not_found || error.kind == ErrorKind::invalid_input || !is_set_up;
    if (!is_set_up) co_return ToolTrial{spec.name, Outcome::not_set_up, describe(error)};
    // Nobody asked for these names: that they were looked for is the answer.
    if (error.kind == ErrorKind::not_found && !arguments->empty())
      co_return ToolTrial{spec.name, Outcome::works, fmt::format("answered: {}", first_line(error.message))};
    co_return ToolTrial{spec.name, Outcome::broken, describe(error)};
  }

  /// Runs the handlers of one call, as a run would; nothing if it needs the run itself.
  Task<Result<std::optional<std::string>>> read(std::string tool, json::object arguments) {
    const run::CallRequested wish{.id = "doctor", .tool = std::move(tool), .arguments = std::move(arguments)};
    CO_TRY(run::PreparedCall planned, run::prepare(wish, registry_, rules_, {}));
    if (planned.pipeline.has_gate()) co_return std::nullopt;
    std::string text;
    for (const toolkit::LinkInfo& info : planned.pipeline.links()) {
      CO_TRY(run::PreparedCall prepared, run::prepare(wish, registry_, rules_, {}));
      CO_TRY(toolkit::Link link, std::move(prepared.pipeline).take(info.name));
      toolkit::Executed executed = co_await executor_.execute(execution_of(prepared, std::move(link), redactor_));
      if (const auto* failure = std::get_if<toolkit::Failure>(&executed.outcome))
        co_return fail(failure->error.kind, redactor_.redact(failure->error.message),
                       redactor_.redact(failure->error.hint));
      if (std::holds_alternative<toolkit::Delegate>(executed.outcome)) co_return std::nullopt;
      if (const auto* output = std::get_if<toolkit::KeptOutput>(&executed.outcome)) text = output->text.shown;
    }
    co_return text;
  }

  const toolkit::Registry& registry_;
  const run::Rules& rules_;
  const tools::ServiceList& services_;
  toolkit::Executor executor_;
  redact::Redactor redactor_{"doctor"};  // what it marks is shown and not kept
  bool goes_on_ = false;                 // another environment may do
};

}  // namespace

Result<json::object> trial_arguments(const toolkit::ToolSpec& spec, const std::string& environment,
                                     const tools::ServiceList& services) {
  json::object arguments = spec.probe;
  const json::value* required = spec.params.if_contains("required");
  const auto add = [&](const std::string& name, bool is_required) -> Result<> {
    if (arguments.contains(name)) return {};
    const auto kind = spec.kinds.find(name);
    const std::string value =
        value_for(name, kind == spec.kinds.end() ? std::nullopt : std::optional(kind->second), environment, services);
    if (!value.empty()) arguments[name] = value;
    if (value.empty() && is_required)
      return fail(ErrorKind::invalid_input,
                  fmt::format("nothing to try it with: it needs `{0}`; try `deputy tools call {1} '{{\"{0}\": …}}'`",
                              name, spec.name));
    return {};
  };
  for (const json::value& name : required != nullptr && required->is_array() ? required->get_array() : json::array())
    TRY(add(as_text(name), true));
  for (const auto& [name, kind] : spec.kinds) {
    if (kind == Kind::environment) TRY(add(name, false));
  }
  return arguments;
}

Task<std::vector<ToolTrial>> try_tools(const toolkit::Registry& registry, const run::Rules& rules,
                                       const tools::ServiceList& services, const Clock& clock) {
  Trials trials(registry, rules, services, clock);
  std::vector<ToolTrial> all;
  for (const std::shared_ptr<const toolkit::Tool>& tool : registry.enabled_tools(rules.tools)) {
    ToolTrial trial = co_await trials.trial_of(tool);
    all.push_back(std::move(trial));
  }
  co_return all;
}

}  // namespace deputy::app
