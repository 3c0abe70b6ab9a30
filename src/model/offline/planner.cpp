#include "model/offline/planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "intent/match.h"
#include "model/offline/answer.h"
#include "model/offline/arguments.h"

namespace deputy::model::offline {

namespace {

using toolkit::Kind;
using toolkit::ToolSpec;

std::string names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& one : parameters) {
    if (std::string name = fmt::format("`{}`", one.label()); !contains(names, name)) names.push_back(std::move(name));
  }
  return join(names, ", ");
}

class Planner {
 public:
  Planner(const Request& request, const toolkit::Registry& registry, std::size_t room)
      : request_(request),
        registry_(registry),
        room_(room),
        conversation_(read_conversation(request, registry)),
        follows_up_(!conversation_.before.empty() && intent::is_follow_up(conversation_.request, conversation_.intent)),
        arguments_(conversation_, registry, follows_up_) {}

  Plan plan() {
    const FormAnswers& answers = conversation_.answers;
    if (!answers.not_answered.empty()) {
      return say(fmt::format("I stopped because {} was not answered: {}.",
                             answers.asked.empty() ? "my question" : join(answers.asked, ", "), answers.not_answered));
    }
    if (request_.calls == Calls::none || conversation_.turns >= kMaxTurns) return say("");
    std::vector<std::string> wanted = conversation_.intent.suggested_tools;
    const bool same_tool = wanted.empty() && follows_up_;
    if (same_tool) wanted = {conversation_.before.front().tool};
    std::shared_ptr<const toolkit::Tool> best;
    for (const std::string& name : wanted) {
      const std::shared_ptr<const toolkit::Tool> tool = set_up_instead(usable(name), wanted);
      // A follow-up never repeats a change: each change must be requested.
      if (!tool || (same_tool && !toolkit::always_reads(tool->spec()))) continue;
      if (!best) best = tool;
      // "And the logs?": prefer a tool for which the arguments taken over are enough.
      if (!follows_up_ || arguments_.fill(tool->spec(), 0).missing.empty()) return call(tool->spec());
    }
    if (best) return call(best->spec());
    if (!conversation_.done.empty()) return say("");
    return {{}, not_understood(conversation_, request_.tools, registry_)};
  }

 private:
  bool is_offered(const std::string& name) const { return contains(request_.tools, name, &ToolDescription::name); }

  /// Null for a tool that is neither offered nor says which setting it lacks: it may not be used here.
  std::shared_ptr<const toolkit::Tool> usable(const std::string& name) const {
    const auto tool = registry_.find(name);
    const bool is_usable =
        tool && !(*tool)->spec().talk_tool() && (is_offered(name) || !(*tool)->spec().missing.empty());
    return is_usable ? *tool : nullptr;
  }

  /// The tool; if it is not set up, the best of its category that is, fits too and has all it needs.
  std::shared_ptr<const toolkit::Tool> set_up_instead(std::shared_ptr<const toolkit::Tool> tool,
                                                      const std::vector<std::string>& wanted) const {
    if (!tool || is_offered(tool->spec().name)) return tool;
    for (const std::string& name : wanted) {
      const auto other = registry_.find(name);
      const bool is_like_it = other && is_offered(name) && (*other)->spec().category == tool->spec().category;
      if (is_like_it && arguments_.fill((*other)->spec(), 0).missing.empty()) return *other;
    }
    return tool;
  }

  Plan call(const ToolSpec& spec) {
    if (!is_offered(spec.name)) {
      return say(
          fmt::format("That needs `{}`, which is not set up here: {}. Run `deputy doctor` to see what is set up and "
                      "what is not.",
                      spec.name, spec.missing));
    }
    const std::string& problem = conversation_.intent.parameters.time_range.problem;
    const bool takes_time = std::ranges::any_of(
        spec.kinds, [](const auto& one) { return one.second == Kind::from || one.second == Kind::hours; });
    if (!problem.empty() && takes_time) {
      return say(fmt::format(
          "I did not look anything up: {}. Please give the time another way, such as `last 2 hours`, `yesterday "
          "between 14:00 and 15:00` or `2026-01-31 09:00 to 10:00`.",
          problem));
    }
    // All calls of a tool are made in one turn. When this planner takes over as the fallback, the model before it may
    // have made them already.
    if (contains(conversation_.done, spec.name, [](const Done& one) { return one.call.tool; })) return say("");
    const std::size_t needed = std::min(arguments_.calls_needed(spec), kMaxCallsATurn);
    for (std::size_t which = 0; which < needed; ++which) want(spec, which);
    const std::vector<Parameter> open = not_asked_yet();
    if (!open.empty() && is_offered(std::string(kAskUser)))
      calls_.push_back({next_id(), std::string(kAskUser), form_for(spec, open, conversation_.environments)});
    if (!calls_.empty()) return {std::move(calls_), {}};
    if (missing_.empty()) return say("");
    return say(fmt::format(
        "`{0}` needs {1}, which I cannot find in the request. Nothing was done. Set a model key, or run `deputy tools "
        "call {0}` with its arguments as JSON.",
        spec.name, names_of(missing_)));
  }

  /// Adds the call, or its missing parameters; adds nothing if the call was made already.
  void want(const ToolSpec& spec, std::size_t which) {
    Filled filled = arguments_.fill(spec, which);
    const bool done = std::ranges::any_of(conversation_.done, [&](const Done& one) {
      return one.call.tool == spec.name && one.call.arguments == filled.arguments;
    });
    if (done) return;
    missing_.insert(missing_.end(), filled.missing.begin(), filled.missing.end());
    if (filled.missing.empty() && !contains(calls_, filled.arguments, &Call::arguments))
      calls_.push_back({next_id(), spec.name, std::move(filled.arguments)});
  }

  std::vector<Parameter> not_asked_yet() const {
    std::vector<Parameter> open = missing_;
    std::erase_if(open, [&](const Parameter& one) { return contains(conversation_.answers.asked, one.label()); });
    const bool in_vain =
        std::ranges::any_of(open, [](const Parameter& one) { return !one.can_be_said() || trim(one.label()).empty(); });
    return in_vain ? std::vector<Parameter>{} : open;
  }

  std::string next_id() const { return fmt::format("offline_{}_{}", conversation_.turns + 1, calls_.size() + 1); }

  Plan say(std::string_view first) const { return {{}, answer_with(conversation_, registry_, first, room_)}; }

  const Request& request_;
  const toolkit::Registry& registry_;
  std::size_t room_;
  Conversation conversation_;
  bool follows_up_;
  Arguments arguments_;
  std::vector<Call> calls_;
  std::vector<Parameter> missing_;
};

}  // namespace

Plan plan(const Request& request, const toolkit::Registry& registry, std::size_t room) {
  return Planner(request, registry, room).plan();
}

}  // namespace deputy::model::offline
