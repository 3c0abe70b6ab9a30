#include "run/children.h"

#include <fmt/format.h>

#include "base/contains.h"
#include "base/fields_codec.h"
#include "run/judging.h"
#include "run/known_hosts.h"
#include "run/new_run.h"
#include "toolkit/background.h"

namespace deputy::run {

namespace {

struct ChildPayload {
  std::string task;
  std::optional<std::vector<std::string>> tools;
  std::string label;
  bool reads_only = false;
  std::optional<int> tool_turns;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ChildPayload;
    f.required(&P::task, "task", "What it is to find out").characters(1, 40'000);
    f.optional(&P::tools, "tools", "The tools it may use");
    f.optional(&P::label, "label", "A short name");
    f.optional(&P::reads_only, "reads_only", "It may use no tool that writes");
    f.optional(&P::tool_turns, "tool_turns", "How often its model may call tools").in_range(1, 100);
  }
};

Received child_of(RunId parent, const RunState& state, const std::string& call) {
  const Received& received = state.request();
  Received child;
  child.requester = received.requester;
  child.conversation = received.conversation;
  child.account = received.account;
  child.name = received.name;
  child.place = received.place;
  child.suspicion = received.suspicion;
  child.reads_only = received.reads_only;
  child.parent = parent.text();
  child.parent_call = call;
  std::vector<std::string> askers = askers_of(state, call);
  askers.erase(askers.begin());
  if (!askers.empty()) child.also = std::move(askers);
  if (const Hosts known = known_hosts(state); !known.empty()) child.known_hosts = stored_hosts(known);
  return child;
}

// At most the parent's.
std::optional<std::vector<std::string>> at_most(const std::optional<std::vector<std::string>>& of_parent,
                                                std::optional<std::vector<std::string>> wanted) {
  if (!of_parent || !wanted) return of_parent ? of_parent : wanted;
  std::erase_if(*wanted, [&](const std::string& tool) { return !contains(*of_parent, tool); });
  return wanted;
}

store::NewRunRow row_for(RunId parent, const Received& child, Timestamp now) {
  const RunId run = RunId::derive(now, fmt::format("{}/{}", parent.text(), child.parent_call.value_or("")));
  store::NewRunRow row = new_run(run, child, now);
  row.parent = parent;
  return row;
}

}  // namespace

Result<store::NewRunRow> child_run(RunId parent, const RunState& state, const Delegated& delegated,
                                   std::optional<std::int64_t> budget, Timestamp now) {
  if (state.request().parent) return fail(ErrorKind::permission, "a child run starts no runs of its own");
  TRY(ChildPayload payload, parse_arguments<ChildPayload>(delegated.payload));
  Received child = child_of(parent, state, delegated.call);
  child.text = std::move(payload.task);
  child.only_tools = at_most(state.request().only_tools, std::move(payload.tools));
  if (!payload.label.empty()) child.label = std::move(payload.label);
  if (payload.reads_only) child.reads_only = true;
  child.tool_turns = payload.tool_turns;
  child.budget = budget;
  return row_for(parent, child, now);
}

store::NewRunRow background_run(RunId parent, const RunState& state, const CallState& call, std::string approved_by,
                                std::string digest, Timestamp now) {
  Received child = child_of(parent, state, call.request.id);
  child.only_tools = state.request().only_tools;
  child.text = fmt::format("`{}` in the background", call.request.tool);
  OnlyCall only{call.request, std::move(approved_by), std::move(digest)};
  only.call.arguments.erase(toolkit::kBackground);
  child.only_call = std::move(only);
  return row_for(parent, child, now);
}

bool is_background(const Received& received) { return received.parent && received.only_call; }

std::vector<RunId> open_children(const CallState& call) {
  std::vector<RunId> children;
  for (const StepState& step : call.steps) {
    if (!step.delegated || !step.delegated->child || step.answer) continue;
    if (const Result<RunId> child = RunId::parse(*step.delegated->child)) children.push_back(*child);
  }
  return children;
}

}  // namespace deputy::run
