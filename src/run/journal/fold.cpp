#include "run/journal/fold.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/fields_codec.h"
#include "base/text.h"

namespace deputy::run {

namespace {

constexpr int kStrikes = 3;
constexpr int kMaxOverflows = 2;  // each makes less of what the model is shown

std::vector<StepState> steps_of(const std::vector<StepInfo>& infos) {
  std::vector<StepState> steps;
  steps.reserve(infos.size());
  for (const StepInfo& info : infos) steps.push_back({.info = info});
  return steps;
}

std::vector<StepState> finals_of(const std::vector<std::string>& names) {
  std::vector<StepState> steps;
  steps.reserve(names.size());
  for (const std::string& name : names) steps.push_back({.info = {.name = name, .repeatable = true}});
  return steps;
}

// Stays at the largest number rather than wrap into a budget that is never spent.
void add_up(std::int64_t& sum, std::int64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

// The answer alone, or {run, answer, calls} of a child that began with calls it was given.
std::string answer_of_child(const ChildFinished& finished) {
  if (!finished.calls) return finished.text;
  json::array calls;
  for (const CallOfChild& call : *finished.calls) calls.push_back(to_json(call));
  return json::serialize(json::object{{"run", finished.child}, {"answer", finished.text}, {"calls", std::move(calls)}});
}

class Folder {
 public:
  Folder(RunState& state, Timestamp at) : state_(state), at_(at) {}

  void operator()(const Received& received) {
    if (state_.received) return;
    state_.received = received;
    if (received.only_call) open_call(received.only_call->call);
  }

  void operator()(const Noted& noted) {
    state_.transcript.emplace_back(noted);
    state_.note_unread = true;
    if (noted.suspicion && state_.received && !state_.received->suspicion) state_.received->suspicion = noted.suspicion;
    state_.replied.reset();  // the note wants an answer of its own
  }

  void operator()(const Answered& answered) {
    CallState* call = state_.find_call(answered.call);
    if (call == nullptr || !call->asked || call->asked->interaction != answered.interaction || call->answered) return;
    call->answered = answered;
    call->rulings_before_answer = call->rulings.size();
  }

  void operator()(const ChildFinished& finished) {
    add_up(state_.cost, finished.cost);
    CallState* call = state_.find_call(finished.call);
    if (call == nullptr) return;
    for (StepState& step : call->steps) {
      if (step.delegated && step.delegated->child == finished.child && !step.answer)
        step.answer = answer_of_child(finished);
    }
  }

  void operator()(const Woken& woken) {
    if (woken.due == WakeUp::deadline) state_.deadline_passed = true;
  }

  void operator()(const CancelRequested& cancel) {
    if (!state_.cancelled) state_.cancelled = cancel;
  }

  void operator()(const TakenUp& taken) {
    state_.worked += state_.last_own_at - state_.taken_up_at;
    state_.taken_up_at = state_.last_own_at = at_;
    ++state_.owner;
    if (taken.after == TakenAfter::crash) ++state_.crashes_in_a_row;
  }

  void operator()(const Enriched& enriched) {
    count(enriched);
    state_.enriched = enriched;
  }

  void operator()(const ModelCalled& called) {
    if (state_.model_called_under != 0) {
      add_up(state_.lost_cost, state_.estimate);
      add_up(state_.lost_tokens, state_.estimated_tokens);
    }
    state_.model_called_under = state_.owner;
    if (state_.prompt.empty()) {
      state_.prompt = called.prompt;
      state_.tools = called.tools;
    }
    state_.note_unread = false;
    state_.shown = state_.transcript.size();
    state_.called_without_tools = state_.limited.has_value();
    state_.estimate = called.estimate;
    state_.estimated_tokens = called.estimated_tokens;
  }

  void operator()(const ModelReplied& replied) {
    const bool was_asked = state_.model_called_under != 0;
    if (!was_asked) state_.shown = state_.transcript.size();  // a turn without a model stands behind all before it
    state_.model_called_under = 0;
    state_.crashes_in_a_row = 0;
    count(replied);
    state_.estimate = state_.estimated_tokens = 0;
    const bool was_lost_before = state_.reply_was_lost;
    // A model that thinks may use up a reply before its first word.
    const bool said_nothing =
        replied.stop == ReplyStop::max_tokens && replied.calls.empty() && trim(replied.text).empty();
    state_.reply_was_lost = replied.stop == ReplyStop::cut_call || said_nothing;
    if (state_.reply_was_lost && was_lost_before) {
      state_.model_failure = said_nothing
                                 ? "the model used up the length of its reply and said nothing (limits.reply_tokens)"
                                 : "what the model wants to call does not fit its reply (limits.reply_tokens)";
      return;
    }
    state_.thinking_refused = state_.thinking_refused || replied.thinking_refused.value_or(false);
    if (state_.reply_was_lost) return;  // it is asked again; a cut call is never run
    if (replied.stop == ReplyStop::overflow) return fold_overflow(replied);
    if (replied.stop == ReplyStop::failed) {
      state_.model_failure = replied.error.value_or("the model did not answer");
      return;
    }
    const ModelTurn* before = state_.last_turn();
    ModelTurn turn{.text = replied.text, .stop = replied.stop, .calls = {}, .thinking = replied.thinking};
    turn.thinking_refused = std::exchange(state_.thinking_refused, false);
    turn.without_tools = state_.called_without_tools;
    turn.goes_on =
        replied.stop == ReplyStop::max_tokens && replied.calls.empty() && (before == nullptr || !before->goes_on);
    state_.open_calls.clear();
    for (const CallRequested& call : replied.calls) {
      if (state_.limited) break;  // it was told that no more calls are possible
      if (open_call(call)) turn.calls.push_back(call.id);
    }
    if (!turn.calls.empty()) ++state_.tool_turns;
    // Notes that came meanwhile stand behind the reply: the model has not seen them.
    const auto place = std::min(state_.shown, state_.transcript.size());
    state_.transcript.insert(state_.transcript.begin() + static_cast<std::ptrdiff_t>(place), std::move(turn));
  }

  void operator()(const Summarised& summarised) {
    count(summarised);
    const bool fits = summarised.items > state_.summarised && summarised.items <= state_.upto_last_turn();
    if (!state_.summary_is_due || (!fits && !summarised.error)) return;
    state_.crashes_in_a_row = 0;
    state_.summary_is_due = false;
    if (summarised.error) {
      state_.model_failure = summarised.error;
      return;
    }
    state_.summary = summarised.text;
    state_.summarised = summarised.items;
    state_.overflows = 0;
    state_.shortened_before = state_.cut_before = 0;
  }

  void operator()(const Ruled& ruled) {
    CallState* call = state_.find_call(ruled.call);
    if (call == nullptr || call->finished) return;
    if (call->rulings.empty()) {
      call->steps = steps_of(ruled.steps);
      call->finals = finals_of(ruled.finals);
      call->background = ruled.background;
    }
    call->rulings.push_back(ruled);
  }

  void operator()(const Asked& asked) {
    CallState* call = state_.find_call(asked.call);
    if (call == nullptr || call->asked) return;
    call->asked = asked;
    if (asked.kind == AskKind::questions) ++state_.forms_asked;
  }

  void operator()(const StepStarted& started) {
    StepState* step = find_step(started.call, started.handler);
    if (step == nullptr || step->done) return;
    step->started_under = state_.owner;
    step->attempted_at = at_;
    if (step->begun_at == Timestamp{}) step->begun_at = at_;
  }

  void operator()(const StepDone& done) {
    state_.crashes_in_a_row = 0;
    CallState* call = state_.find_call(done.call);
    if (call == nullptr) return;
    fold_step(*call, done);
    if (StepState* step = call->find_step(done.handler); step != nullptr && !done.looked) step->attempted_at = at_;
  }

  void operator()(const Delegated& delegated) {
    StepState* step = find_step(delegated.call, delegated.handler);
    if (step == nullptr || step->done) return;
    step->delegated = delegated;
    step->answer.reset();
    step->started_under = 0;  // it has ended; it will be called again with the answer
  }

  void operator()(const DelegateAnswered& answered) {
    count(answered);
    CallState* call = state_.find_call(answered.call);
    if (call == nullptr) return;
    for (StepState& step : call->steps) {
      if (step.delegated && !step.answer && !step.done) step.answer = answered.answer;
    }
  }

  void operator()(const CallFinished& finished) {
    CallState* call = state_.find_call(finished.call);
    if (call == nullptr || call->finished) return;
    call->finished = finished;
    count_strikes(call->request.tool, finished);
  }

  void operator()(const Limited& limited) {
    // A budget ends what a limit of turns only narrows.
    if (!state_.limited || limited.what == LimitKind::budget) state_.limited = limited;
  }

  void operator()(const Replied& replied) { state_.replied = replied; }

  void operator()(const Finished& finished) { state_.finished = finished; }

 private:
  // Asked again with less: first of what is older, then of the last turn, and each time of memory.
  void fold_overflow(const ModelReplied& replied) {
    ++state_.overflows;
    const bool had_memory = state_.memory() != nullptr && state_.memory_cut != MemoryCut::left_out;
    state_.memory_cut = std::max(state_.memory_cut, static_cast<MemoryCut>(std::min(state_.overflows, 3)));
    const std::size_t last_turn = state_.upto_last_turn() == 0 ? 0 : state_.upto_last_turn() - 1;
    if (state_.overflows == 1) state_.shortened_before = last_turn;
    if (state_.overflows == 2) {
      state_.cut_before = last_turn;
      state_.shortened_before = state_.transcript.size();
    }
    if (state_.overflows <= kMaxOverflows) return;
    state_.summary_is_due = state_.upto_last_turn() > state_.summarised;
    if (!state_.summary_is_due && !had_memory)
      state_.model_failure = replied.error.value_or("the request does not fit the model");
  }

  template <class Body>
  void count(const Body& body) {
    add_up(state_.cost, body.cost);
    add_up(state_.tokens, body.tokens);
    add_up(state_.unpriced_tokens, body.unpriced_tokens.value_or(0));
  }

  // False for an id that is taken: the runner gives calls ids of their own, so this is a damaged journal.
  bool open_call(CallRequested call) {
    const std::string id = call.id;
    if (!state_.calls.try_emplace(id, CallState{.request = std::move(call)}).second) return false;
    state_.open_calls.push_back(id);
    return true;
  }

  StepState* find_step(std::string_view call, std::string_view handler) {
    CallState* found = state_.find_call(call);
    return found == nullptr ? nullptr : found->find_step(handler);
  }

  void count_strikes(const std::string& tool, const CallFinished& finished) {
    if (finished.status != CallStatus::error && finished.status != CallStatus::timeout) {
      state_.last_errors.erase(tool);
      return;
    }
    auto& [text, times] = state_.last_errors[tool];
    times = text == finished.text ? times + 1 : 1;
    text = finished.text;
    if (times >= kStrikes) state_.withdrawn.insert(tool);
  }

  RunState& state_;
  Timestamp at_;
};

// Written by the owner, so at a time in which the run was worked on.
bool is_own(const EntryBody& body) {
  return !(std::holds_alternative<Received>(body) || std::holds_alternative<Noted>(body) ||
           std::holds_alternative<Answered>(body) || std::holds_alternative<ChildFinished>(body) ||
           std::holds_alternative<Woken>(body) || std::holds_alternative<CancelRequested>(body));
}

}  // namespace

StepState* CallState::find_step(std::string_view handler) {
  for (std::vector<StepState>* list : {&steps, &finals}) {
    const auto found =
        std::ranges::find(*list, handler, [](const StepState& step) { return std::string_view(step.info.name); });
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

const StepState* CallState::find_step(std::string_view handler) const {
  return const_cast<CallState*>(this)->find_step(handler);
}

const Received& RunState::request() const {
  static const Received kNothing;
  return received ? *received : kNothing;
}

CallState* RunState::find_call(std::string_view id) {
  const auto found = calls.find(id);
  return found == calls.end() ? nullptr : &found->second;
}

const CallState* RunState::find_call(std::string_view id) const {
  const auto found = calls.find(id);
  return found == calls.end() ? nullptr : &found->second;
}

const ModelTurn* RunState::last_turn() const {
  for (auto item = transcript.rbegin(); item != transcript.rend(); ++item) {
    if (const auto* turn = std::get_if<ModelTurn>(&*item)) return turn;
  }
  return nullptr;
}

std::string RunState::last_text() const {
  const ModelTurn* last = last_turn();
  std::string text = last == nullptr ? std::string() : last->text;
  for (auto item = transcript.rbegin(); item != transcript.rend(); ++item) {
    const auto* turn = std::get_if<ModelTurn>(&*item);
    if (turn == nullptr || turn == last) continue;
    if (!turn->goes_on) break;
    text.insert(0, turn->text);
  }
  return text;
}

std::size_t RunState::upto_last_turn() const {
  const auto last = std::find_if(transcript.rbegin(), transcript.rend(),
                                 [](const TranscriptItem& item) { return std::holds_alternative<ModelTurn>(item); });
  return static_cast<std::size_t>(transcript.rend() - last);
}

bool is_to_be_looked_at(const StepState& step) {
  return step.done && step.done->outcome == StepOutcome::unknown && !step.done->looked && step.info.can_look;
}

namespace {

// It did not happen: then it ended as its attempt did. What was not done is not begun again by itself: whoever timed
// out, or was told to stop, must ask anew.
StepOutcome outcome_of_attempt(const StepDone& attempt) {
  if (attempt.error_kind == name(ErrorKind::timeout)) return StepOutcome::timeout;
  if (attempt.error_kind == name(ErrorKind::cancelled)) return StepOutcome::cancelled;
  return StepOutcome::error;
}

}  // namespace

void fold_step(CallState& call, const StepDone& done) {
  StepState* step = call.find_step(done.handler);
  if (step == nullptr) return;
  if (is_to_be_looked_at(*step) && done.looked) {
    if (done.outcome == StepOutcome::not_done) {
      step->done->outcome = outcome_of_attempt(*step->done);
      step->done->error = "It did not happen: the attempt ended with " + step->done->error_kind.value_or("an error");
      step->done->looked = true;
    } else {
      step->done = done;
    }
    return;
  }
  if (step->done) return;
  if (done.outcome == StepOutcome::not_done) {
    step->started_under = 0;  // as if it had never been
  } else {
    step->done = done;
  }
}

RunState fold(RunState state, const Entry& entry) {
  if (!state.finished) {
    std::visit(Folder(state, entry.at), entry.body);
    if (is_own(entry.body)) state.last_own_at = entry.at;
  }
  state.last = std::max(state.last, entry.seq);
  return state;
}

Task<Result<RunState>> read_state(std::vector<store::EntryRow> journal) {
  const std::vector<Result<Entry>> entries = co_await decode_all(std::move(journal));
  RunState state;
  for (const Result<Entry>& entry : entries) {
    if (!entry) co_return std::unexpected(entry.error());
    state = fold(std::move(state), *entry);
  }
  co_return state;
}

}  // namespace deputy::run
