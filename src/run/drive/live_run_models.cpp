// The questions of a live run to models: its turns, the intent of the request, a summary. Each stays within the budget,
// is in flight until it is journalled, and is asked again by the next owner.
#include <fmt/format.h>

#include "base/failpoint.h"
#include "base/log.h"
#include "base/text.h"
#include "base/workers.h"
#include "run/drive/live_run.h"
#include "run/drive/recollect.h"
#include "run/journal/stored_rows.h"
#include "run/plan/budget.h"
#include "run/prompt/enrich.h"
#include "run/prompt/reply.h"
#include "run/prompt/summary.h"

namespace deputy::run {

namespace {

using Appended = OpenJournal::Appended;

constexpr std::string_view kModel = "model";
constexpr std::string_view kEnrich = "enrich";
constexpr std::string_view kSummary = "summary";

// The most of earlier runs that a model is shown, in characters.
std::size_t max_memory(const Rules& rules, const model::Model& model) {
  constexpr std::int64_t kCharactersAToken = 4;
  std::int64_t tokens = rules.limits.memory_tokens;
  if (model.context_tokens() > 0) tokens = std::min(tokens, model.context_tokens() / 3);
  return static_cast<std::size_t>(tokens * kCharactersAToken);
}

// Without a question the rules alone find the intent. A request is answered without what cannot be read.
Task<TaskResult> enrich_run(const RunDependencies& dependencies, RunId run, Received received,
                            std::optional<IntentQuestion> question, std::shared_ptr<RequestImages> images) {
  ThreadContext thread;
  if (received.begins_thread.value_or(false)) {
    thread.channel_name = co_await dependencies.lookups.name_of(read_place(received.place).value_or(policy::Place{}));
  } else {
    thread =
        co_await dependencies.lookups.thread(received.conversation, received.request.value_or(""), kThreadMessages);
  }
  std::vector<ShownImage> shown;
  if (images != nullptr) shown = co_await images->read(dependencies, received);
  const std::shared_ptr<const Rules> rules = dependencies.rules();
  const Result<Recollection> recalled = co_await recollect(dependencies, run, received);
  if (!recalled)
    log::warning("earlier runs cannot be read", {{"run", run.text()}, {"why", describe(recalled.error())}});
  const auto earlier = std::make_shared<const Recollection>(recalled.value_or(Recollection{}));
  redact::Redactor redactor = dependencies.redaction.of(run);
  const Timestamp now = dependencies.clock.now();
  intent::Vocabulary vocabulary = vocabulary_of(*rules, dependencies.registry.known_tools(rules->tools), now);
  vocabulary.utc_offset = zone_of(*rules, received.time_zone.value_or("")).utc_offset;
  FoundIntent found{.intent = intent::extract(received.text, vocabulary)};
  if (question) {
    found =
        co_await ask_for_intent(*std::move(question), received.text, std::move(vocabulary), std::move(found), redactor);
  }
  std::size_t bytes = 0;
  for (const ThreadLine& line : thread.lines) bytes += line.text.size();
  auto enrich = [received = std::move(received), thread = std::move(thread), earlier, found = std::move(found), rules,
                 now, redactor = std::move(redactor), shown = std::move(shown)]() mutable -> Result<Enriched> {
    return run::enrich(received, thread, earlier->runs, std::move(found), *rules, now, redactor, std::move(shown));
  };
  TaskResult result;
  Result<Enriched> enriched = co_await off_loop_if_large<Enriched>(bytes, std::move(enrich));
  if (!enriched) {
    log::warning("the thread cannot be read", {{"run", run.text()}, {"why", describe(enriched.error())}});
    enriched = Enriched{};
  }
  const std::size_t most = max_memory(*rules, *dependencies.model());
  if (!earlier->runs.empty() && most > 0) enriched->memory = remember(earlier->before, earlier->runs, most);
  result.entries.emplace_back(*std::move(enriched));
  co_return result;
}

// Ids of calls are the conversation's own: those of a new run go on behind those it is shown.
std::size_t calls_before(const RunState& state) {
  const MemoryShown* memory = state.memory();
  return state.calls.size() + (memory == nullptr ? 0 : memory->calls);
}

Task<TaskResult> summarise_run(std::shared_ptr<model::Model> model, SummaryWork work, redact::Redactor redactor) {
  TaskResult result;
  result.entries.emplace_back(co_await ask_for_summary(std::move(model), std::move(work), std::move(redactor)));
  co_return result;
}

/// Passes on a reply while it streams, without secrets; an empty part is the end.
model::OnText::Heard clean_sink(const RunDependencies& dependencies, RunId run,
                                std::function<void(std::string_view)> hear) {
  const auto stream = std::make_shared<redact::Stream>(dependencies.redaction.of(run).stream());
  return [stream, hear = std::move(hear)](std::string_view part) {
    const std::string clean = part.empty() ? stream->finish() : stream->feed(part);
    if (!clean.empty()) hear(clean);
  };
}

model::OnText text_sink(const RunDependencies& dependencies, RunId run, const std::string& conversation) {
  Watcher* const watcher = dependencies.watcher;
  if (watcher == nullptr) return {};
  model::OnText sink(clean_sink(dependencies, run, [watcher, run, conversation](std::string_view clean) {
    watcher->on_text(run, conversation, clean);
  }));
  if (watcher->hears_thinking()) {
    sink.thinking = clean_sink(dependencies, run, [watcher, run, conversation](std::string_view clean) {
      watcher->on_thinking(run, conversation, clean);
    });
  }
  return sink;
}

Task<TaskResult> ask_model(const RunDependencies& dependencies, std::shared_ptr<model::Model> model,
                           model::Request request, RunId run, std::string conversation, std::size_t calls_before) {
  const model::OnText on_text = text_sink(dependencies, run, conversation);
  Result<model::Reply> reply = co_await model->ask(std::move(request), on_text);
  if (on_text) on_text({});  // nothing more comes: what was held back may pass
  failpoint("run.model.after");
  redact::Redactor redactor = dependencies.redaction.of(run);
  TaskResult result;
  if (!reply) {
    result.entries.emplace_back(failed(redactor.redact(describe(reply.error()))));
    co_return result;
  }
  const std::size_t bytes = bytes_of(*reply);
  const std::optional<std::int64_t> cost = model->cost_of(*reply);
  auto clean = [cost, reply = *std::move(reply), calls_before,
                redactor = std::move(redactor)]() -> Result<ModelReplied> {
    return replied(reply, calls_before, redactor, cost);
  };
  // Also for a run that was cancelled meanwhile: the reply is paid for.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  Result<ModelReplied> entry = co_await off_loop_if_large<ModelReplied>(bytes, std::move(clean));
  if (entry) {
    // One name for a tool in all of the run: what is counted or forbidden by name cannot be had by another.
    for (CallRequested& call : entry->calls) {
      std::string name = dependencies.registry.name_of(call.tool);
      if (name != call.tool) entry->thinking.reset();  // its turn no longer goes back as it came
      call.tool = std::move(name);
    }
    result.entries.emplace_back(*std::move(entry));
  } else {
    result.entries.emplace_back(failed("the reply could not be searched for secrets: " + entry.error().message));
  }
  co_return result;
}

}  // namespace

Task<Result<>> LiveRun::enrich() {
  if (in_flight_.has(kEnrich)) co_return Result<>{};
  // A thread that cannot be read is left out: better an answer without it than none.
  const auto when_thrown = [](const std::exception_ptr& thrown) {
    TaskResult result;
    result.cancelled = is_cancellation(thrown);
    result.entries.emplace_back(Enriched{});
    return result;
  };
  CO_TRY(std::optional<IntentQuestion> question, co_await intent_question());
  in_flight_.start(std::string(kEnrich), CancelOn::anything,
                   enrich_run(dependencies_, journal_.run(), state().request(), std::move(question),
                              model()->takes_images() ? images_ : nullptr),
                   when_thrown);
  co_return Result<>{};
}

// The question to the fast model. None where there is no such model, the budget is spent, or a process died meanwhile:
// its question was paid for and is not in the journal.
Task<Result<std::optional<IntentQuestion>>> LiveRun::intent_question() const {
  const std::shared_ptr<const Rules> rules = dependencies_.rules();
  IntentQuestion question{.model = fast_model_of(dependencies_), .limit = rules->limits.intent_time};
  const std::string text = state().request().text;
  if (!question.model || state().crashes_in_a_row > 0 || trim(text).empty()) co_return std::nullopt;
  question.offered = dependencies_.prompts->make(state().request(), dependencies_.registry, *rules).tools;
  question.request = intent_request(text, *rules, question.offered, dependencies_.clock.now(),
                                    zone_of(*rules, state().request().time_zone.value_or("")));
  const model::Usage estimate = question.model->estimate(question.request);
  CO_TRY(const std::optional<std::string> over, co_await over_budget_with(*question.model, estimate));
  if (over) co_return std::nullopt;
  co_return std::optional(std::move(question));
}

// The budget that stands against this question, if any.
Task<Result<std::optional<std::string>>> LiveRun::over_budget_with(const model::Model& model,
                                                                   model::Usage estimate) const {
  const std::string today = day_of(dependencies_.clock.now());
  const std::vector<std::string> scopes = scopes_of(state().request().requester);
  CO_TRY(const std::vector<store::SpendRow> spent, co_await dependencies_.patience->ask<std::vector<store::SpendRow>>(
                                                       [&] { return dependencies_.store.spent_on(today, scopes); }));
  co_return over_budget(state(), dependencies_.rules()->budgets, spent, model.cost_of(estimate), estimate.tokens());
}

// The first prompt and tool list of a run are kept by digest, and used to its end in whatever process.
Task<Result<std::shared_ptr<const Prompt>>> LiveRun::prompt() {
  if (prompt_) co_return prompt_;
  Prompt prompt;
  if (state().prompt.empty()) {
    prompt = dependencies_.prompts->make(state().request(), dependencies_.registry, *dependencies_.rules());
  } else {
    CO_TRY(prompt.system,
           co_await dependencies_.patience->ask<std::string>([&] { return dependencies_.store.text(state().prompt); }));
    CO_TRY(const std::string tools,
           co_await dependencies_.patience->ask<std::string>([&] { return dependencies_.store.text(state().tools); }));
    CO_TRY(prompt.tools, model::read_tools(tools));
  }
  prompt_ = dependencies_.prompts->share(std::move(prompt));
  co_return prompt_;
}

// The turns of the earlier runs, as `enriched` says how they are shown.
Task<Result<std::shared_ptr<const std::vector<model::Turn>>>> LiveRun::memory() {
  if (memory_ && memory_cut_ == state().memory_cut) co_return memory_;
  std::vector<model::Turn> turns;
  if (const MemoryShown* memory = state().memory()) {
    const MemoryShown shown = *memory;
    CO_TRY(const std::vector<EarlierRun> earlier, co_await read_runs(dependencies_, shown.runs));
    turns = memory_turns(shown, earlier, state().memory_cut);
  }
  memory_cut_ = state().memory_cut;
  memory_ = std::make_shared<const std::vector<model::Turn>>(std::move(turns));
  co_return memory_;
}

// Settings may name another model meanwhile; that counts from the next run on.
const std::shared_ptr<model::Model>& LiveRun::model() {
  if (model_ == nullptr) model_ = dependencies_.model();
  return model_;
}

// The turn of a run that begins with calls it was given: those of tools that are here. Behind them a model that draws
// no conclusions is not asked: whoever started the run has the results.
std::optional<ModelReplied> LiveRun::turn_without_model(model::Calls calls) {
  const std::optional<std::vector<FirstCall>>& first = state().request().first_calls;
  if (!first || calls == model::Calls::none) return std::nullopt;
  ModelReplied turn;
  turn.stop = ReplyStop::end_turn;
  for (const FirstCall& call : state().last_turn() == nullptr ? *first : std::vector<FirstCall>()) {
    const auto tool = dependencies_.registry.find(call.tool);
    if (!tool) continue;
    turn.stop = ReplyStop::calls;
    turn.calls.push_back({.id = fmt::format("call_{}", calls_before(state()) + turn.calls.size() + 1),
                          .tool = (*tool)->spec().name,
                          .arguments = call.arguments});
  }
  if (turn.calls.empty() && model()->concludes()) return std::nullopt;
  if (turn.calls.empty()) turn.text = "There is no model here that concludes.";
  return turn;
}

Task<Result<>> LiveRun::call_model(CallModel action) {
  if (std::optional<ModelReplied> turn = turn_without_model(action.calls)) {
    std::vector<EntryBody> entries;
    entries.emplace_back(*std::move(turn));
    CO_TRY(co_await journal_.append(store::If::unchanged, std::move(entries), {}));
    co_return Result<>{};
  }
  CO_TRY(const std::shared_ptr<const Prompt> prompt, co_await this->prompt());
  CO_TRY(const std::shared_ptr<const std::vector<model::Turn>> memory, co_await this->memory());
  const std::shared_ptr<model::Model> model = this->model();
  model::Request request = request_of(state(), *memory, *prompt, action.max_tokens, action.calls);
  if (const std::optional<Enriched>& enriched = state().enriched; enriched && enriched->images) {
    const std::vector<ShownImage> shown = *enriched->images;
    co_await images_->show_in(dependencies_, state().request(), shown, request);
  }
  const model::Usage estimate = model->estimate(request);
  const std::optional<std::int64_t> cost = model->cost_of(estimate);
  const Timestamp now = dependencies_.clock.now();
  CO_TRY(const std::optional<std::string> over, co_await over_budget_with(*model, estimate));
  if (over) co_return co_await limit(Limit{LimitKind::budget, *over});

  ModelCalled called;
  called.model = std::string(model->name());
  called.prompt = sha256_hex(prompt->system);
  called.tools = request.tools.digest();
  called.max_tokens = action.max_tokens;
  called.estimate = cost.value_or(0);
  called.estimated_tokens = estimate.tokens();
  store::Effects effects;
  // A reply that died with its owner was paid for.
  if (state().model_called_under != 0) add_spent(effects, state().request().requester, state().estimate, now);
  if (state().prompt.empty()) {
    effects.texts.push_back({called.prompt, prompt->system});
    effects.texts.push_back({called.tools, std::string(request.tools.text())});
  }
  std::vector<EntryBody> entries;
  entries.emplace_back(std::move(called));
  failpoint("run.model_called.before");
  CO_TRY(const Appended appended,
         co_await journal_.append(store::If::unchanged, std::move(entries), std::move(effects)));
  failpoint("run.model_called.after");
  if (appended == Appended::mail_first || stopping_) co_return Result<>{};
  const auto when_thrown = [](const std::exception_ptr& thrown) {
    TaskResult result;
    result.cancelled = is_cancellation(thrown);
    result.entries.emplace_back(failed(result.cancelled ? "it was stopped" : "the model could not be asked"));
    return result;
  };
  in_flight_.start(std::string(kModel), CancelOn::anything,
                   ask_model(dependencies_, model, std::move(request), journal_.run(), state().request().conversation,
                             calls_before(state())),
                   when_thrown);
  co_return Result<>{};
}

Task<Result<>> LiveRun::summarise(Summarise action) {
  if (in_flight_.has(kSummary)) co_return Result<>{};
  const std::shared_ptr<model::Model> model = this->model();
  SummaryWork work = summary_work(state(), action.max_tokens);
  const model::Usage estimate = model->estimate(summary_request(work, work.characters));
  CO_TRY(const std::optional<std::string> over, co_await over_budget_with(*model, estimate));
  if (over) co_return co_await limit(Limit{LimitKind::budget, *over});
  const auto when_thrown = [](const std::exception_ptr& thrown) {
    TaskResult result;
    result.cancelled = is_cancellation(thrown);
    Summarised none;
    none.error = result.cancelled ? "it was stopped" : "the model could not be asked for a summary";
    result.entries.emplace_back(std::move(none));
    return result;
  };
  in_flight_.start(std::string(kSummary), CancelOn::anything,
                   summarise_run(model, std::move(work), dependencies_.redaction.of(journal_.run())), when_thrown);
  co_return Result<>{};
}

}  // namespace deputy::run
