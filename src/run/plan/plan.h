// The next actions of a run, from its state alone. Pure: no clock, no settings, no registry. The runner performs the
// actions, appends their results and folds; an empty plan of an unfinished run means that it waits, and is parked when
// nothing is in flight.
//
// A step that the current owner started is in flight and not planned again. One that an earlier owner started is
// orphaned: repeated when that is safe, looked up when that is possible, otherwise unknown.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/model.h"
#include "run/journal/state.h"

namespace deputy::run {

struct Enrich {
  bool operator==(const Enrich&) const = default;
};

struct CallModel {
  int max_tokens = 0;
  model::Calls calls = model::Calls::allowed;  // with none it can only say what it found
  bool operator==(const CallModel&) const = default;
};

/// Have the model sum up what it did so far. Planned until that is there, like an answer to a delegate.
struct Summarise {
  int max_tokens = 0;
  bool operator==(const Summarise&) const = default;
};

/// Compose the call, judge it, journal `ruled`. After the gate the chain is compared and the approval counts.
struct Rule {
  std::string call;
  bool after_gate = false;
  bool operator==(const Rule&) const = default;
};

/// Open the interaction of a call: an approval, or the form of ask_user.
struct Ask {
  std::string call;
  bool operator==(const Ask&) const = default;
};

struct RunStep {
  enum class How {
    run,      // the handler itself; again, when it is repeatable and its outcome is not known
    look,     // ask whether it happened
    unknown,  // nobody can tell: journal that
  };
  std::string call;
  std::string handler;
  How how = How::run;
  bool operator==(const RunStep&) const = default;
};

/// The approved rest of a background call becomes a child run.
struct StartBackground {
  std::string call;
  bool operator==(const StartBackground&) const = default;
};

/// Planned until the answer is there, like a look: what is under way already is not begun again.
struct AnswerDelegate {
  std::string call;
  std::string handler;
  bool operator==(const AnswerDelegate&) const = default;
};

struct FinishCall {
  std::string call;
  CallStatus status = CallStatus::unknown;
  std::string text;
  bool operator==(const FinishCall&) const = default;
};

/// Journal that a limit was reached.
struct Limit {
  LimitKind what = LimitKind::unknown;
  std::string words;
  bool operator==(const Limit&) const = default;
};

struct Reply {
  std::string text;
  bool operator==(const Reply&) const = default;
};

struct Finish {
  RunOutcome outcome = RunOutcome::unknown;
  bool operator==(const Finish&) const = default;
};

using Action = std::variant<Enrich, CallModel, Summarise, Rule, Ask, RunStep, StartBackground, AnswerDelegate,
                            FinishCall, Limit, Reply, Finish>;

struct PlanLimits {
  int tool_turns = 10;
  int calls_at_once = 10;
  int reply_tokens = 16'000;
  int crashes_in_a_row = 3;
  int cards_pending = 3;
  int approvals_a_card = 5;  // Slack takes 50 blocks a message, and an approval has up to 9
};

std::vector<Action> plan(const RunState& state, const PlanLimits& limits = {});

/// The end of a run that has replied.
Finish ending_of(const RunState& state, const PlanLimits& limits);

/// True when it crashed whatever process took it up, so often that it is given up.
bool is_poison(const RunState& state, const PlanLimits& limits = {});

/// `none` when the next reply of the model may hold no calls.
model::Calls calls_possible(const RunState& state);

/// True when handlers that run should be cancelled: somebody said stop, or time is up.
bool is_ending(const RunState& state);

}  // namespace deputy::run
