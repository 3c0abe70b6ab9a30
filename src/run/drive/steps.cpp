#include "run/drive/steps.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "base/workers.h"
#include "run/drive/effects.h"
#include "run/drive/judge.h"
#include "run/journal/stored_rows.h"
#include "run/prompt/reply.h"

namespace deputy::run {

namespace {

std::string in_words(const Error& error) {
  std::string words = describe(error);
  if (error.retry_after) words += fmt::format("; try again in {}", format_duration(*error.retry_after));
  return words;
}

std::map<std::string, toolkit::Output, std::less<>> outputs_of(const CallState& call) {
  std::map<std::string, toolkit::Output, std::less<>> outputs;
  for (const StepState& step : call.steps) {
    if (step.done && step.done->output)
      outputs.emplace(step.info.name, toolkit::Output{*step.done->output, step.done->data.value_or(json::object())});
  }
  return outputs;
}

toolkit::CallFacts facts_of(const RunState& state, const PreparedCall& prepared, const Rules& rules) {
  const Received& received = state.request();
  toolkit::CallFacts facts;
  facts.request = received.text;
  facts.requester = {.person = received.requester, .account = received.account, .timezone = rules.zone.name};
  const auto& people = rules.policy.settings.people;
  if (const auto person = people.find(received.requester); person != people.end())
    facts.requester.email = person->second.email;
  facts.conversation = received.conversation;
  facts.channel = received.conversation.substr(0, received.conversation.find(':'));
  facts.environment = prepared.call.environment.value_or("");
  if (state.enriched) {
    for (const ThreadLine& line : state.enriched->thread) facts.history.push_back({line.writer, line.text});
  }
  return facts;
}

toolkit::DeltaRedact delta_redact(const redact::Redactor& redactor) {
  const auto stream = std::make_shared<redact::Stream>(redactor.stream());
  return {[stream](std::string_view part) { return stream->feed(part); }, [stream] { return stream->finish(); }};
}

std::function<void(std::string_view)> delta_sink(const RunDependencies& dependencies, RunId run,
                                                 const std::string& conversation, const std::string& call) {
  if (dependencies.watcher == nullptr) return {};
  return [watcher = dependencies.watcher, run, conversation, call](std::string_view part) {
    watcher->on_delta(run, conversation, call, part);
  };
}

TaskResult by_looking(TaskResult result) {
  for (EntryBody& body : result.entries) {
    if (auto* done = std::get_if<StepDone>(&body)) done->looked = true;
  }
  return result;
}

StepDone done(const StepWork& work, StepOutcome outcome) {
  StepDone entry;
  entry.call = work.call;
  entry.handler = work.handler;
  entry.outcome = outcome;
  return entry;
}

TaskResult kept(const StepWork& work, toolkit::KeptOutput output) {
  TaskResult result;
  StepDone entry = done(work, StepOutcome::output);
  entry.output = std::move(output.text.shown);
  if (!output.data.empty()) entry.data = redact_json(output.data, work.redactor).as_object();
  result.effects.results.push_back({work.run, work.call, std::move(output.text.whole)});
  result.entries.emplace_back(std::move(entry));
  return result;
}

TaskResult outcome_of(const StepWork& work, toolkit::Executed executed) {
  struct Visitor {
    const StepWork& work;
    TaskResult operator()(toolkit::Continue&) const { return {.entries = {done(work, StepOutcome::continued)}}; }
    TaskResult operator()(toolkit::KeptOutput& output) const { return kept(work, std::move(output)); }
    TaskResult operator()(toolkit::Delegate& delegate) const {
      Delegated entry;
      entry.call = work.call;
      entry.handler = work.handler;
      entry.kind = delegate_to(delegate.kind);
      entry.payload = redact_json(delegate.payload, work.redactor).as_object();
      return {.entries = {std::move(entry)}};
    }
    TaskResult operator()(toolkit::Failure& failure) const {
      failure.error.message = work.redactor.redact(failure.error.message);
      failure.error.hint = work.redactor.redact(failure.error.hint);
      return {.entries = {step_failed(work.call, work.handler, read_word<StepOutcome>(toolkit::name(failure.status)),
                                      failure.error)}};
    }
    static DelegateTo delegate_to(toolkit::DelegateKind kind) {
      for (const auto& [value, word] : choices_of(toolkit::DelegateKind{})) {
        if (value == kind) return read_word<DelegateTo>(word);
      }
      return DelegateTo::unknown;
    }
  };
  return std::visit(Visitor{work}, executed.outcome);
}

}  // namespace

StepDone step_failed(std::string call, std::string handler, StepOutcome outcome, const Error& error) {
  StepDone entry;
  entry.call = std::move(call);
  entry.handler = std::move(handler);
  entry.outcome = outcome;
  entry.error_kind = std::string(name(error.kind));
  entry.error = in_words(error);
  return entry;
}

Result<StepWork> prepare_step(const RunDependencies& dependencies, RunId run, const RunState& state,
                              const CallState& call, const StepState& step) {
  const std::shared_ptr<const Rules> rules = dependencies.rules();
  const policy::Place place = read_place(state.request().place).value_or(policy::Place{});
  TRY(PreparedCall prepared, prepare(call.request, dependencies.registry, *rules, place));
  const bool cleans_up =
      std::ranges::any_of(call.finals, [&](const StepState& final) { return final.info.name == step.info.name; });
  if (!cleans_up && prepared.call.digest != call.rulings.front().digest)
    return fail(ErrorKind::conflict, std::string(kChangedWhileItWaited));
  StepWork work{run, call.request.id, step.info.name, {}, dependencies.redaction.of(run)};
  TRY(work.execution.link, std::move(prepared.pipeline).take(step.info.name));
  const auto since = dependencies.clock.now() - step.attempted_at;
  work.wait = std::clamp(work.execution.link.handler.look_after - since, std::chrono::milliseconds(0),
                         work.execution.link.handler.look_after);
  work.execution.tool = prepared.spec().name;
  work.execution.context.call_id = call.request.id;
  work.execution.context.arguments = prepared.arguments;
  work.execution.context.begun_at = step.begun_at;
  if (step.answer) work.execution.context.answer = json::value(*step.answer);
  work.execution.context.outputs = outputs_of(call);
  work.execution.context.facts = facts_of(state, prepared, *rules);
  work.execution.context.facts.run = run.text();
  work.execution.context.facts.approved_by = approver_of(state, call);
  work.execution.context.on_delta = delta_sink(dependencies, run, state.request().conversation, call.request.id);
  work.execution.timeout =
      is_background(state.request()) ? rules->limits.background_timeout : prepared.settings.timeout;
  work.execution.rate_limits = prepared.settings.rate_limits;
  work.execution.rate_bucket = prepared.settings.rate_bucket;
  work.execution.compact = prepared.spec().compact;
  const auto redact = [&](redact::Lines lines) {
    return [redactor = work.redactor, lines](std::string_view text) { return redactor.redact(text, lines); };
  };
  work.execution.redact = redact(redact::Lines::joined);
  work.execution.redact_lines = redact(redact::Lines::kept);
  work.execution.redact_picked = redact(redact::Lines::picked);
  work.execution.redact_deltas = delta_redact(work.redactor);
  return work;
}

void hold_to(StepWork& work, const RunDependencies& dependencies, const RunState& state, const CallState& call,
             std::shared_ptr<const RulingBasis> basis) {
  toolkit::CallContext& context = work.execution.context;
  context.led_to = basis->led_to;
  const auto tool = dependencies.registry.find(call.request.tool);
  const std::string path_rules_of = tool ? (*tool)->spec().path_rules_of : std::string();
  if (!path_rules_of.empty()) {
    context.may_read = [rules = basis->rules, path_rules_of](std::string_view path, bool several_names) {
      const policy::Policy& policy = rules->policy;
      const bool any = policy.hard_deny.has_deny(path_rules_of) || policy.rules.has_deny(path_rules_of);
      if (!any) return true;
      return !several_names && !policy.hard_deny.deny_path(path_rules_of, path) &&
             !policy.rules.deny_path(path_rules_of, path);
    };
  }
  const policy::Place place = read_place(state.request().place).value_or(policy::Place{});
  context.allows = [basis = std::move(basis), wish = call.request, place, &registry = dependencies.registry](
                       std::string_view parameter, std::string_view value) {
    CallRequested other = wish;
    other.arguments[parameter] = std::string(value);
    const Result<PreparedCall> prepared = prepare(other, registry, *basis->rules, place);
    if (!prepared) return false;
    policy::Ruling ruling = policy::judge(basis->rules->policy, prepared->call, basis->situation);
    if (basis->approved) ruling = policy::with_approval(std::move(ruling));
    return ruling.say == policy::RulingKind::allow;
  };
}

Task<TaskResult> run_step(toolkit::Executor& executor, StepWork work) {
  toolkit::Execution execution = std::move(work.execution);
  toolkit::Executed executed = co_await executor.execute(std::move(execution));
  failpoint("run.handler.after");
  const auto* delegate = std::get_if<toolkit::Delegate>(&executed.outcome);
  const std::size_t bytes = delegate == nullptr ? 0 : json::serialize(delegate->payload).size();
  if (bytes <= kMaxOnLoop) co_return outcome_of(work, std::move(executed));
  // Also for a run that was cancelled meanwhile.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  auto clean = [done = StepWork{work.run, work.call, work.handler, {}, work.redactor},
                executed = std::move(executed)]() mutable {
    return Result<TaskResult>(outcome_of(done, std::move(executed)));
  };
  Result<TaskResult> outcome = co_await off_loop_if_large<TaskResult>(bytes, std::move(clean));
  if (outcome) co_return *std::move(outcome);
  co_return TaskResult{.entries = {step_failed(work.call, work.handler, StepOutcome::error, outcome.error())}};
}

Task<TaskResult> look_at_step(toolkit::Executor& executor, StepWork work) {
  toolkit::Execution execution = std::move(work.execution);
  if (work.wait.count() > 0) co_await sleep_for(work.wait);
  toolkit::LookedUp looked = co_await executor.look(std::move(execution));
  failpoint("run.look.after");
  using Answer = toolkit::Looked::Answer;
  if (looked.answer == Answer::not_done) co_return by_looking({.entries = {done(work, StepOutcome::not_done)}});
  if (looked.why && looked.why->kind == ErrorKind::cancelled) co_return TaskResult{.cancelled = true};
  if (looked.answer == Answer::cannot_tell) {
    StepDone entry = done(work, StepOutcome::unknown);
    if (looked.why) entry.error = work.redactor.redact(in_words(*looked.why));
    co_return by_looking({.entries = {std::move(entry)}});
  }
  if (looked.output) co_return by_looking(kept(work, *std::move(looked.output)));
  co_return by_looking({.entries = {done(work, StepOutcome::continued)}});
}

}  // namespace deputy::run
