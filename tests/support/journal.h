// Builds journals for tests: `Journal().received("x").taken_up().enriched().calls({{"c1", "search_logs"}})`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/journal/fold.h"
#include "run/plan/plan.h"
#include "run/prompt/turns.h"

namespace deputy::run {

class Journal {
 public:
  Journal& add(EntryBody body);

  Journal& received(std::string text = "show me errors");
  Journal& taken_up(TakenAfter after = TakenAfter::new_run);
  Journal& enriched();
  Journal& model_called();
  Journal& says(std::string text, ReplyStop stop = ReplyStop::end_turn);  // model_called and model_replied
  Journal& calls(std::vector<CallRequested> calls);                       // model_called and model_replied
  Journal& ruled(std::string call, Verdict verdict, std::vector<StepInfo> steps = {{"act", true}},
                 std::optional<int> gate = {}, std::vector<std::string> finals = {});
  Journal& ruled_after_gate(std::string call, Verdict verdict = Verdict::allow);
  Journal& asked(std::string call, AskKind kind = AskKind::approval);
  Journal& answered(std::string call, interaction::State state = interaction::State::approved, std::string by = "bo",
                    json::object response = {});
  Journal& started(std::string call, std::string handler);
  Journal& done(std::string call, std::string handler, StepOutcome outcome = StepOutcome::continued,
                std::string text = "");
  Journal& finished_call(std::string call, CallStatus status = CallStatus::success, std::string text = "ok");

  const RunState& state() const { return state_; }
  std::vector<Action> plan() const { return run::plan(state_); }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  RunState state_;
};

inline RunState fold_all(const std::vector<Entry>& journal) {
  RunState state;
  for (const Entry& entry : journal) state = fold(std::move(state), entry);
  return state;
}

/// What its model is shown of the run alone, without memory.
inline std::vector<model::Turn> turns_of(const RunState& state) {
  Turns turns;
  turns.add_run(state);
  return turns.take();
}

/// A run that has a request, an owner and its context.
inline Journal begun() { return Journal().received().taken_up().enriched(); }

}  // namespace deputy::run
