#include "support/journal.h"

namespace deputy::run {

Journal& Journal::add(EntryBody body) {
  const auto seq = static_cast<Seq>(entries_.size()) + 1;
  entries_.push_back({seq, from_millis(1'700'000'000'000 + seq), std::move(body)});
  state_ = fold(std::move(state_), entries_.back());
  return *this;
}

Journal& Journal::received(std::string text) {
  return add(Received{.text = std::move(text), .requester = "ana", .conversation = "slack:T1:C1:1.0"});
}
Journal& Journal::taken_up(TakenAfter after) { return add(TakenUp{"instance", after}); }
Journal& Journal::enriched() { return add(Enriched{.context = "a channel"}); }
Journal& Journal::model_called() { return add(ModelCalled{"scripted", "p", "t", 600, 100}); }
Journal& Journal::says(std::string text, ReplyStop stop) {
  return model_called().add(ModelReplied{.text = std::move(text), .calls = {}, .stop = stop, .cost = 10});
}
Journal& Journal::calls(std::vector<CallRequested> calls) {
  return model_called().add(ModelReplied{.text = "", .calls = std::move(calls), .stop = ReplyStop::calls, .cost = 10});
}
Journal& Journal::ruled(std::string call, Verdict verdict, std::vector<StepInfo> steps, std::optional<int> gate,
                        std::vector<std::string> finals) {
  Ruled ruled;
  ruled.call = std::move(call);
  ruled.verdict = verdict;
  ruled.rule = "mode";
  ruled.words = "the mode says so";
  ruled.steps = std::move(steps);
  ruled.gate = gate;
  ruled.finals = std::move(finals);
  return add(std::move(ruled));
}
Journal& Journal::ruled_after_gate(std::string call, Verdict verdict) {
  return add(Ruled{
      .call = std::move(call), .verdict = verdict, .rule = "mode", .words = "the mode says so", .after_gate = true});
}
Journal& Journal::asked(std::string call, AskKind kind) {
  std::string interaction = "i-" + call;
  return add(Asked{std::move(call), std::move(interaction), kind, "d1"});
}
Journal& Journal::answered(std::string call, interaction::State state, std::string by, json::object response) {
  std::string interaction = "i-" + call;
  Answered answered{.interaction = std::move(interaction),
                    .call = std::move(call),
                    .state = state,
                    .by = std::move(by),
                    .response = std::move(response)};
  return add(std::move(answered));
}
Journal& Journal::started(std::string call, std::string handler) {
  return add(StepStarted{std::move(call), std::move(handler)});
}
Journal& Journal::done(std::string call, std::string handler, StepOutcome outcome, std::string text) {
  StepDone done{.call = std::move(call), .handler = std::move(handler), .outcome = outcome};
  (done.outcome == StepOutcome::output ? done.output : done.error) = std::move(text);
  return add(std::move(done));
}
Journal& Journal::finished_call(std::string call, CallStatus status, std::string text) {
  return add(CallFinished{std::move(call), status, std::move(text)});
}

}  // namespace deputy::run
