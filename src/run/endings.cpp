#include "run/endings.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "run/ask.h"
#include "run/budget.h"
#include "run/children.h"
#include "run/delivery.h"
#include "run/judging.h"
#include "run/known_hosts.h"
#include "run/plan_call.h"

namespace deputy::run {

namespace {

void stop_children(const CallState& call, const std::string& by, Timestamp now, store::Effects& effects) {
  for (const RunId& child : open_children(call)) effects.mail.push_back({child, encode(CancelRequested{by}, now)});
}

std::string stopper_of(const RunState& state) { return state.cancelled ? state.cancelled->by : std::string(); }

void remember_unknown(RunId run, const CallState& call, const Received& received, Timestamp now,
                      store::Effects& effects) {
  effects.texts.push_back({unknown_key(received.conversation, call.rulings.front().wish), "unknown"});
  effects.deliveries.push_back(
      owe(NoticeDelivery{fmt::format("`{}`: it may have happened; check before doing it again.", call.request.tool)},
          received.conversation, now, run));
}

}  // namespace

store::Effects effects_of_call(RunId run, const RunState& state, const FinishCall& finish, Timestamp now) {
  const CallState& call = *state.find_call(finish.call);
  const Received& received = state.request();
  store::Effects effects;
  withdraw(call, received, stopper_of(state), now, effects);
  if (is_ending(state)) stop_children(call, stopper_of(state), now, effects);
  if (finish.status == CallStatus::unknown) remember_unknown(run, call, received, now, effects);
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
    effects.deliveries.push_back(owe(notice, received.conversation, now, run));
    return effects;
  }
  const AnswerDelivery answer{reply.text, received.account, footer_of(run, state, now),
                              known_hosts_in(reply.text, state)};
  effects.deliveries.push_back(owe(answer, received.conversation, now, run));
  return effects;
}

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
    ChildFinished told{run.text(), received.parent_call.value_or(""), finish.outcome, reply.text, cost_so_far(state)};
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
  if (state.cost > 0) footer += fmt::format("${:.4f} · ", static_cast<double>(state.cost) / 1'000'000);
  return footer + run.text();
}

}  // namespace deputy::run
