// What holds of every run, whatever the model wants, people say and processes do.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "run/journal/fold.h"
#include "run/plan/consistency.h"
#include "run/plan/plan_call.h"
#include "run/simulation.h"
#include "support/held.h"

namespace deputy::run {
namespace {

using test::held;

std::string kinds_of(const Journal& journal) {
  std::string kinds;
  for (const Entry& entry : journal.entries()) kinds += std::string(kind_of(entry.body)) + " ";
  return kinds;
}

std::map<std::string, int> results_of(const Journal& journal) {
  std::map<std::string, int> results;
  for (const Entry& entry : journal.entries()) {
    if (const auto* finished = std::get_if<CallFinished>(&entry.body)) ++results[finished->call];
  }
  return results;
}

std::vector<std::string> problems_in(const Journal& journal) {
  std::vector<std::string> problems;
  RunState state;
  for (const Entry& entry : journal.entries()) {
    for (std::string& problem : problems_of(state, entry)) problems.push_back(std::move(problem));
    state = fold(std::move(state), entry);
  }
  for (std::string& problem : problems_at_end(state)) problems.push_back(std::move(problem));
  return problems;
}

void check_ended_well(const Simulation& simulation) {
  const RunState& state = simulation.journal().state();
  const bool poisoned = state.crashes_in_a_row >= PlanLimits{}.crashes_in_a_row;
  const std::map<std::string, int> results = results_of(simulation.journal());
  for (const auto& [id, call] : state.calls) {
    RC_ASSERT(results.contains(id));
    RC_ASSERT(results.at(id) == 1);
    const bool let_in = !call.rulings.empty() && (call.rulings.front().verdict == Verdict::allow ||
                                                  call.rulings.front().verdict == Verdict::ask);
    // What always runs may be what crashes; of a background call it runs with the rest, in the run of its own.
    if (!let_in || poisoned || (call.background && held(call.finished).status == CallStatus::success)) continue;
    for (const StepState& step : call.finals) RC_ASSERT(step.done.has_value());
  }
  for (const auto& [call, times] : simulation.effects()) RC_ASSERT(times <= 1);
  RC_ASSERT(simulation.wrong() == std::vector<std::string>{});
  RC_ASSERT(problems_in(simulation.journal()) == std::vector<std::string>{});
  RC_ASSERT(state.replied.has_value());
}

RC_GTEST_PROP(RunProperty, EveryRunEndsWithOneResultForEveryCall, (unsigned script, unsigned order)) {
  Simulation simulation(script, order, {});
  if (!simulation.run()) RC_FAIL("it did not end: " + kinds_of(simulation.journal()));
  check_ended_well(simulation);
}

RC_GTEST_PROP(RunProperty, NoOrderOfNotesStopsAndCrashesWedgesItOrActsTwice,
              (unsigned script, unsigned order, bool notes, bool cancel)) {
  Simulation simulation(script, order, {.crashes = true, .notes = notes, .cancel = cancel});
  if (!simulation.run()) RC_FAIL("it did not end: " + kinds_of(simulation.journal()));
  check_ended_well(simulation);
}

// Handlers that may be repeated give the same answer again, so a run that is stopped anywhere and taken up by another
// process ends as it would have.
RC_GTEST_PROP(RunProperty, StoppedAfterAnyEntryItGoesOnToTheSameEnd, (unsigned script, unsigned order)) {
  const SimulationOptions options{.only_repeatable = true};
  Simulation whole(script, order, options);
  RC_ASSERT(whole.run());
  const RunState expected = whole.journal().state();
  const std::vector<Entry>& entries = whole.journal().entries();
  std::size_t cut = 1 + order % (entries.size() - 1);
  // What is handed over and the result that says so are one append.
  const auto* handed_over = std::get_if<Delegated>(&entries[cut - 1].body);
  if (handed_over != nullptr && handed_over->kind == DelegateTo::background) ++cut;
  Journal prefix;
  for (std::size_t i = 0; i < cut; ++i) prefix.add(entries[i].body);
  if (!prefix.state().finished) {
    prefix.taken_up(TakenAfter::crash);
    Simulation rest(script, order + 1, options, prefix);
    if (!rest.run()) RC_FAIL("it did not end: " + kinds_of(rest.journal()));
    const RunState actual = rest.journal().state();
    RC_ASSERT(held(actual.replied).text == held(expected.replied).text);
    RC_ASSERT(held(actual.finished).outcome == held(expected.finished).outcome);
    for (const auto& [id, call] : expected.calls) {
      RC_ASSERT(actual.find_call(id) != nullptr);
      RC_ASSERT(held(actual.find_call(id)->finished).status == held(call.finished).status);
      RC_ASSERT(held(actual.find_call(id)->finished).text == held(call.finished).text);
    }
  }
}

std::optional<FinishCall> planned_end(const RunState& state, const std::string& call) {
  for (const Action& action : plan(state)) {
    const auto* finish = std::get_if<FinishCall>(&action);
    if (finish != nullptr && finish->call == call) return *finish;
  }
  return std::nullopt;
}

// What is said of one call, and of the end, without the rest of the run.
RC_GTEST_PROP(RunProperty, AnEndIsToldBeforeItIsFoldedAsItIsPlannedAfter, (unsigned script, unsigned order)) {
  Simulation simulation(script, order, {.crashes = true, .notes = true, .cancel = true});
  RC_ASSERT(simulation.run());
  RunState state;
  for (const Entry& entry : simulation.journal().entries()) {
    RunState after = fold(state, entry);
    if (const auto* done = std::get_if<StepDone>(&entry.body))
      RC_ASSERT(end_with(*state.find_call(done->call), *done, state) == planned_end(after, done->call));
    if (std::holds_alternative<Replied>(entry.body))
      RC_ASSERT(plan(after) == std::vector<Action>{ending_of(state, {})});
    state = std::move(after);
  }
}

RC_GTEST_PROP(RunProperty, AJournalReadBackFoldsToTheSameState, (unsigned script, unsigned order)) {
  Simulation simulation(script, order, {.crashes = true});
  RC_ASSERT(simulation.run());
  RunState state;
  for (const Entry& entry : simulation.journal().entries()) {
    const Result<Entry> again = decode([&] {
      store::EntryRow row = encode(entry.body, entry.at);
      row.seq = entry.seq;
      return row;
    }());
    RC_ASSERT(again.has_value());
    state = fold(std::move(state), *again);
  }
  RC_ASSERT(plan(state) == simulation.journal().plan());
  RC_ASSERT(held(state.replied).text == held(simulation.journal().state().replied).text);
}

}  // namespace
}  // namespace deputy::run
