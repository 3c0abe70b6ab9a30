#include "run/drive/effects.h"

#include <fmt/format.h>

#include <set>

#include "base/fields_codec.h"
#include "base/plot.h"
#include "base/text.h"
#include "run/drive/ask.h"
#include "run/drive/judge.h"
#include "run/journal/delivery.h"
#include "run/journal/known_hosts.h"
#include "run/journal/stored_rows.h"
#include "run/plan/budget.h"
#include "run/plan/plan_call.h"
#include "toolkit/spec.h"

namespace deputy::run {

namespace {

void stop_children(const CallState& call, const std::string& by, Timestamp now, store::Effects& effects) {
  for (const RunId& child : open_children(call)) effects.mail.push_back({child, encode(CancelRequested{by}, now)});
}

std::string stopper_of(const RunState& state) { return state.cancelled ? state.cancelled->by : std::string(); }

// The last words of a run that was stopped say it too; people are told once.
void remember_unknown(RunId run, const RunState& state, const CallState& call, Timestamp now, store::Effects& effects) {
  const Received& received = state.request();
  effects.texts.push_back({unknown_key(received.conversation, call.rulings.front().wish), "unknown"});
  if (state.cancelled) return;
  effects.deliveries.push_back(
      owe(NoticeDelivery{fmt::format("`{}`: it may have happened; check before doing it again.", call.request.tool)},
          received.conversation, now, run));
}

struct ChildPayload {
  std::string task;
  std::optional<std::vector<std::string>> tools;
  std::string label;
  bool reads_only = false;
  std::optional<int> tool_turns;
  std::optional<std::vector<FirstCall>> first_calls;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ChildPayload;
    f.required(&P::task, "task", "What it is to find out").characters(1, 40'000);
    f.optional(&P::tools, "tools", "The tools it may use");
    f.optional(&P::label, "label", "A short name");
    f.optional(&P::reads_only, "reads_only", "It may use no tool that writes");
    f.optional(&P::tool_turns, "tool_turns", "How often its model may call tools").in_range(1, 100);
    f.optional(&P::first_calls, "first_calls", "The calls that it begins with").items(1, 20);
  }
};

struct FollowUpPayload {
  std::string tool;
  json::object arguments;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&FollowUpPayload::tool, "tool", "The tool to call");
    f.required(&FollowUpPayload::arguments, "arguments", "Its arguments");
  }
};

Received child_of(RunId parent, const RunState& state, const std::string& call) {
  const Received& received = state.request();
  Received child;
  child.requester = received.requester;
  child.conversation = received.conversation;
  child.account = received.account;
  child.name = received.name;
  child.time_zone = received.time_zone;
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

store::Effects effects_of_call(RunId run, const RunState& state, const FinishCall& finish, Timestamp now) {
  const CallState& call = *state.find_call(finish.call);
  const Received& received = state.request();
  store::Effects effects;
  withdraw(call, received, stopper_of(state), now, effects);
  if (is_ending(state)) stop_children(call, stopper_of(state), now, effects);
  if (finish.status == CallStatus::unknown) remember_unknown(run, state, call, now, effects);
  effects.audit.push_back(
      {.at = now,
       .kind = "call_finished",
       .person = received.requester,
       .run = run,
       .digest = call.rulings.empty() ? std::string() : call.rulings.front().digest,
       .body = json::serialize(json::object{
           {"call", finish.call}, {"tool", call.request.tool}, {"status", std::string(name(finish.status))}})});
  return effects;
}

namespace {

constexpr std::size_t kMaxPlots = 2;

/// The newest plots of the calls that succeeded, in the order of the calls.
std::optional<std::vector<json::object>> plots_in(const RunState& state) {
  std::vector<json::object> plots;
  for (const TranscriptItem& item : state.transcript) {
    const auto* turn = std::get_if<ModelTurn>(&item);
    for (const std::string& id : turn == nullptr ? std::vector<std::string>() : turn->calls) {
      const auto call = state.calls.find(id);
      if (call == state.calls.end()) continue;
      const auto& finished = call->second.finished;
      if (!finished || finished->status != CallStatus::success) continue;
      for (const StepState& step : call->second.steps) {
        const json::object* plot = step.done && step.done->data ? find_object(*step.done->data, kPlot) : nullptr;
        if (plot != nullptr) plots.push_back(*plot);
      }
    }
  }
  if (plots.empty()) return std::nullopt;
  if (plots.size() > kMaxPlots) plots.erase(plots.begin(), plots.end() - kMaxPlots);
  return plots;
}

}  // namespace

store::Effects effects_of_reply(RunId run, const RunState& state, const Reply& reply, Timestamp now) {
  const Received& received = state.request();
  store::Effects effects;
  if (is_poison(state)) {
    effects.deliveries.push_back(
        owe(NoticeDelivery{fmt::format("Run {} crashed three times in a row and was given up.", run.text())},
            std::string(kAlertConversation), now));
  }
  if (received.parent) {
    if (!received.only_call) return effects;
    NoticeDelivery notice{
        fmt::format("{} ended (task {}): {}", received.text, run.text(), cut_with_mark(reply.text, 500))};
    notice.known_hosts = known_hosts_in(notice.text, state);
    notice.ends_call = true;
    effects.deliveries.push_back(owe(notice, received.conversation, now, run));
    return effects;
  }
  const AnswerDelivery answer{reply.text, received.account, footer_of(run, state, now),
                              known_hosts_in(reply.text, state), plots_in(state)};
  effects.deliveries.push_back(owe(answer, received.conversation, now, run));
  return effects;
}

namespace {

/// The calls of a run that began with calls it was given: its answer is judged by them.
std::optional<std::vector<CallOfChild>> calls_for_parent(const RunState& state) {
  constexpr std::size_t kMostCalls = 60;
  constexpr std::size_t kMostText = 1500;  // characters
  if (!state.request().first_calls) return std::nullopt;
  std::vector<CallOfChild> calls;
  for (const TranscriptItem& item : state.transcript) {
    const auto* turn = std::get_if<ModelTurn>(&item);
    for (const std::string& id : turn == nullptr ? std::vector<std::string>() : turn->calls) {
      const CallState* call = state.find_call(id);
      if (call == nullptr || !call->finished || calls.size() == kMostCalls) continue;
      calls.push_back({id, call->request.tool, call->request.arguments, call->finished->status,
                       std::string(cut_characters(call->finished->text, kMostText))});
    }
  }
  return calls;
}

}  // namespace

void add_effects_of_finish(RunId run, const RunState& state, const Reply& reply, const Finish& finish, Timestamp now,
                           store::Effects& effects) {
  const Received& received = state.request();
  effects.run = store::RunChange{store::RunStatus::finished, std::string(name(finish.outcome))};
  effects.dues_ended.push_back({std::string(kDeadlineDue), run.text()});
  effects.search.push_back({run, received.text + "\n" + reply.text});
  effects.audit.push_back({.at = now,
                           .kind = "finished",
                           .person = received.requester,
                           .run = run,
                           .body = json::serialize(json::object{{"outcome", std::string(name(finish.outcome))}})});
  if (state.cancelled) {
    for (const auto& [id, call] : state.calls) stop_children(call, stopper_of(state), now, effects);
  }
  if (!received.parent) return;
  if (const Result<RunId> parent = RunId::parse(*received.parent)) {
    ChildFinished told{run.text(),         received.parent_call.value_or(""),
                       finish.outcome,     reply.text,
                       cost_so_far(state), calls_for_parent(state)};
    effects.mail.push_back({*parent, encode(std::move(told), now)});
  }
}

std::string footer_of(RunId run, const RunState& state, Timestamp now) {
  std::set<std::string> tools;
  for (const auto& [id, call] : state.calls) {
    const bool is_talk = call.request.tool == kAskUser || call.request.tool == kRespondDirectly;
    if (!is_talk && !call.request.fault) tools.insert(call.request.tool);
  }
  const auto worked = std::chrono::duration_cast<std::chrono::milliseconds>(state.worked + (now - state.taken_up_at));
  const std::vector<std::string> names(tools.begin(), tools.end());
  std::string footer = names.empty() ? std::string() : join(names, ", ") + " · ";
  footer += fmt::format("{:.1f} s · ", static_cast<double>(worked.count()) / 1000);
  constexpr std::int64_t kCent = 10'000;  // of what costs are counted in
  if (state.cost >= kCent) footer += fmt::format("${:.2f} · ", static_cast<double>(state.cost) / (100 * kCent));
  if (state.cost > 0 && state.cost < kCent) footer += "<$0.01 · ";
  return footer + run.text();
}

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
  child.first_calls = std::move(payload.first_calls);
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

Result<store::NewRunRow> follow_up_run(RunId parent, const RunState& state, const Delegated& delegated, Timestamp now) {
  TRY(FollowUpPayload payload, parse_arguments<FollowUpPayload>(delegated.payload));
  Received child = child_of(parent, state, delegated.call);
  child.only_tools = state.request().only_tools;
  child.reads_only = true;
  child.text = fmt::format("`{}` in the background", payload.tool);
  child.only_call = OnlyCall{{delegated.call, std::move(payload.tool), std::move(payload.arguments)}, {}, {}};
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
