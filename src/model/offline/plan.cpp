#include "model/offline/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/offline/choose.h"
#include "model/offline/fill.h"
#include "model/offline/form.h"
#include "model/offline/summary.h"

namespace deputy::model::offline {

namespace {

class Planner {
 public:
  Planner(const Request& request, std::size_t room)
      : tools_(request.tools),
        may_call_(request.calls != Calls::none && !request.tools.empty()),
        room_(room),
        conversation_(read_conversation(request)) {}

  Plan plan() {
    if (!conversation_.answers.not_answered.empty()) return stop_without_answer();
    if (!may_call_ || conversation_.turns >= kMostTurns) return finish();
    const Choice choice = choose(conversation_, tools_);
    if (!choice.not_offered.empty()) return call_not_offered(choice.not_offered);
    if (choice.tools.empty()) return conversation_.done.empty() ? say_possible() : finish();
    if (!time_problem().empty() && std::ranges::any_of(choice.tools, takes_time)) return say_time_problem();
    for (const ToolDescription* tool : choice.tools) want(*tool);
    if (calls_.empty() && missing_.empty() && failed_) try_another(choice);
    add_form();
    if (!calls_.empty()) return {std::move(calls_), {}};
    if (!out_of_reach_.empty()) return {{}, summarize_without(conversation_, out_of_reach_, room_)};
    if (!missing_.empty()) return say_missing();
    return finish();
  }

 private:
  const std::string& time_problem() const { return conversation_.intent.parameters.time_range.problem; }

  static bool takes_time(const ToolDescription* tool) {
    return std::ranges::any_of(parameters_of(tool->params), [&](const Parameter& parameter) {
      static constexpr ParameterRole kTimes[] = {ParameterRole::minutes, ParameterRole::hours, ParameterRole::days,
                                                 ParameterRole::from, ParameterRole::to};
      return contains(kTimes, role_of(*tool, parameter));
    });
  }

  /// Adds what is still to be called of a tool, or what it lacks.
  void want(const ToolDescription& tool) {
    const std::size_t needed = std::min(calls_needed(tool, conversation_), kMostCallsATurn);
    for (std::size_t which = 0; which < needed; ++which) {
      Filled filled = fill(tool, conversation_, which);
      if (const Done* done = latest(tool.name, filled.arguments)) {
        if (done->outcome == Outcome::needs_environment) want_environment(tool);
        if (done->outcome == Outcome::failed) failed_ = true;
        continue;
      }
      if (turns_with(tool.name) >= 2) continue;  // once, and once again with what was missing
      if (must_clarify_environment(tool, filled.arguments)) {
        want_environment(tool);
      } else if (!std::ranges::all_of(filled.missing, can_be_said, &Missing::parameter)) {
        out_of_reach(tool, filled.missing);
      } else if (!filled.complete()) {
        missing_.insert(missing_.end(), filled.missing.begin(), filled.missing.end());
      } else {
        call(tool, std::move(filled.arguments));
      }
    }
  }

  const Done* latest(const std::string& tool, const json::object& arguments) const {
    for (auto done = conversation_.done.rbegin(); done != conversation_.done.rend(); ++done) {
      if (done->call.tool == tool && done->call.arguments == arguments) return &*done;
    }
    return nullptr;
  }

  std::size_t turns_with(const std::string& tool) const {
    std::size_t turns = 0;
    std::size_t last = 0;
    for (const Done& done : conversation_.done) {
      if (done.call.tool != tool || done.turn == last) continue;
      last = done.turn;
      ++turns;
    }
    return turns;
  }

  std::optional<Missing> environment_of(const ToolDescription& tool) const {
    for (Parameter& parameter : parameters_of(tool.params)) {
      const ParameterRole role = role_of(tool, parameter);
      if (role == ParameterRole::environment) return Missing{std::move(parameter), role};
    }
    return std::nullopt;
  }

  /// What it needs is more than a line holds: asking for it would be asking in vain.
  void out_of_reach(const ToolDescription& tool, const std::vector<Missing>& missing) {
    std::vector<std::string> names;
    for (const Missing& one : missing) {
      if (!can_be_said(one.parameter)) names.push_back(one.parameter.name);
    }
    out_of_reach_ = fmt::format(
        "That is for `{0}`, which needs {1}. That cannot be told from a request by rule: it takes a model, or "
        "`deputy tools call {0}` with its arguments as JSON. Nothing was done.",
        tool.name, list_names(names));
  }

  /// Whoever runs the call says what the tool lacks, or that it may not be used here; no arguments change that.
  Plan call_not_offered(const std::string& tool) const {
    if (!conversation_.done.empty()) return finish();
    return {{{next_id(), tool, {}}}, {}};
  }

  void want_environment(const ToolDescription& tool) {
    Missing missing = environment_of(tool).value_or(Missing{{.name = "environment"}, ParameterRole::environment});
    missing_.push_back(std::move(missing));
  }

  /// The rules found that the environment must be asked for, and the tool takes one.
  bool must_clarify_environment(const ToolDescription& tool, const json::object& arguments) const {
    const auto asks = [](const std::string& question) { return to_lower(question).contains("environment"); };
    if (!std::ranges::any_of(conversation_.intent.clarifications_needed, asks)) return false;
    const std::optional<Missing> environment = environment_of(tool);
    return environment && !arguments.contains(environment->parameter.name);
  }

  void call(const ToolDescription& tool, json::object arguments) {
    if (calls_.size() >= kMostCallsATurn) return;
    const bool twice = std::ranges::any_of(
        calls_, [&](const Call& other) { return other.tool == tool.name && other.arguments == arguments; });
    if (!twice) calls_.push_back({next_id(), tool.name, std::move(arguments)});
  }

  std::string next_id() const { return fmt::format("offline_{}_{}", conversation_.turns + 1, calls_.size() + 1); }

  /// After an error: one tool that was not called yet and needs no question.
  void try_another(const Choice& choice) {
    if (conversation_.intent.type == intent::IntentType::act) return;
    const auto is_chosen = [&](const std::string& name) {
      return std::ranges::any_of(choice.tools, [&](const ToolDescription* tool) { return tool->name == name; });
    };
    for (const Done& done : conversation_.done) {
      if (!is_chosen(done.call.tool)) return;
    }
    std::vector<const ToolDescription*> candidates;
    for (const std::string& name : conversation_.intent.fallback_options) {
      const auto found = std::ranges::find(tools_, name, &ToolDescription::name);
      if (found != tools_.end() && !looks_like_writing(*found) && !is_talk_tool(*found)) candidates.push_back(&*found);
    }
    candidates.insert(candidates.end(), choice.next.begin(), choice.next.end());
    for (const ToolDescription* tool : candidates) {
      if (is_chosen(tool->name)) continue;
      Filled filled = fill(*tool, conversation_);
      if (!filled.complete() || must_clarify_environment(*tool, filled.arguments)) continue;
      call(*tool, std::move(filled.arguments));
      return;
    }
  }

  /// Asks for what is missing and was not asked for yet. Where nobody can be asked it stays missing.
  void add_form() {
    const auto offered = std::ranges::find(tools_, kAskUser, &ToolDescription::name);
    if (offered == tools_.end()) return;
    std::vector<Missing> open;
    for (const Missing& one : missing_) {
      const std::string label = label_of(one.role, one.parameter);
      const bool asked = contains(conversation_.answers.asked, label);
      if (!asked && !trim(label).empty()) open.push_back(one);
    }
    if (open.empty()) return;
    calls_.push_back({next_id(), std::string(kAskUser), form_for(open, conversation_.environments)});
  }

  Plan finish() const { return {{}, summarize(conversation_, room_)}; }
  Plan say_possible() const { return {{}, say_what_is_possible(conversation_, tools_)}; }
  Plan say_missing() const {
    return {{},
            summarize_without(conversation_,
                              fmt::format("I need to know more before I can go on: {}.",
                                          in_words(missing_, conversation_.environments)),
                              room_)};
  }
  /// Another time than the one that was named would answer another question.
  Plan say_time_problem() const {
    return {{},
            summarize_without(conversation_,
                              fmt::format("I have looked at nothing: {}. Say the time another way, such as `last 2 "
                                          "hours`, `yesterday between 14:00 and 15:00` or `2026-01-31 09:00 to 10:00`.",
                                          time_problem()),
                              room_)};
  }
  Plan stop_without_answer() const {
    const std::string labels = list_names(conversation_.answers.asked);
    return {{},
            summarize_without(conversation_,
                              fmt::format("I stopped because {} was not answered: {}.",
                                          labels.empty() ? "my question" : labels, conversation_.answers.not_answered),
                              room_)};
  }

  const std::vector<ToolDescription>& tools_;
  bool may_call_;
  std::size_t room_;
  Conversation conversation_;
  std::vector<Call> calls_;
  std::vector<Missing> missing_;
  std::string out_of_reach_;  // why the tool that is meant cannot be called
  bool failed_ = false;
};

}  // namespace

Plan plan(const Request& request, std::size_t room) { return Planner(request, room).plan(); }

}  // namespace deputy::model::offline
