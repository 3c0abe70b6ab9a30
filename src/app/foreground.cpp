#include "app/foreground.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "app/by_hand.h"
#include "app/waiting.h"
#include "base/contains.h"
#include "channel/terminal/plain_text.h"
#include "policy/access.h"
#include "run/journal/fold.h"
#include "run/plan/plan_call.h"

namespace deputy::app {

namespace {

constexpr std::chrono::milliseconds kLookAgain{20};
// How long a pipe may say nothing before it counts as holding no answer.
constexpr std::chrono::seconds kPipeWait{3};
constexpr int kMostRunsOfAConversation = 1000;

bool is_finished(const store::RunRow& run) { return run.state == store::RunStatus::finished; }

// A run and all that came of it, itself first. Rows are newest first, and whoever began a run is older than it.
std::vector<store::RunRow> with_its_children(const std::vector<store::RunRow>& rows, RunId run) {
  std::vector<store::RunRow> family;
  const auto is_of_it = [&](RunId id) { return contains(family, id, &store::RunRow::run); };
  for (const store::RunRow& row : rows | std::views::reverse) {
    if (row.run == run || (row.parent && is_of_it(*row.parent))) family.push_back(row);
  }
  return family;
}

// What failed may have kept what a handler before it put out: that is no result.
std::optional<std::string> one_call_that_succeeded(const run::RunState& state) {
  const std::optional<run::OnlyCall>& only = state.request().only_call;
  const run::CallState* call = only ? state.find_call(only->call.id) : nullptr;
  if (call == nullptr || !call->finished || call->finished->status != run::CallStatus::success) return std::nullopt;
  return call->request.id;
}

std::unexpected<Error> has_been_forgotten(RunId run) {
  return fail(ErrorKind::not_found, fmt::format("what was said in run {} has been forgotten", run.text()),
              fmt::format("`deputy audit --run {}` still says who did what", run.text()));
}

}  // namespace

bool is_over(const store::DeliveryRow& delivery) {
  return delivery.state == store::DeliveryState::sent || delivery.state == store::DeliveryState::dead;
}

Task<Result<std::vector<store::EntryRow>>> read_journal(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::EntryRow> rows, co_await store.journal(run, 1));
  const auto is_forgotten = [](const store::EntryRow& row) { return row.body.empty(); };
  if (std::ranges::none_of(rows, is_forgotten)) co_return rows;
  co_return has_been_forgotten(run);
}

Error cannot_be_read(RunId run, Error why) {
  why.message = fmt::format("run {} cannot be read: {}", run.text(), why.message);
  return why;
}

Result<run::RunState> state_in(const std::vector<store::EntryRow>& journal, RunId run) {
  run::RunState state;
  for (const store::EntryRow& row : journal) {
    const Result<run::Entry> entry = run::decode(row);
    if (!entry) return std::unexpected(cannot_be_read(run, entry.error()));
    state = run::fold(std::move(state), *entry);
  }
  if (!state.received) return fail(ErrorKind::internal, fmt::format("run {} has no beginning", run.text()));
  return state;
}

Task<Result<run::RunState>> read_state(store::Store& store, RunId run) {
  CO_TRY(const std::vector<store::EntryRow> rows, co_await read_journal(store, run));
  co_return state_in(rows, run);
}

Task<Result<store::RunRow>> find_run(store::Store& store, RunId run) {
  store::RunFilter filter;
  filter.run = run;
  CO_TRY(const std::vector<store::RunRow> rows, co_await store.runs(filter));
  if (rows.empty())
    co_return fail(ErrorKind::not_found, fmt::format("there is no run {}", run.text()),
                   "`deputy runs list` names them");
  if (rows.front().forgotten) co_return has_been_forgotten(run);
  co_return rows.front();
}

ExitCode exit_code_of(const run::RunState& state) {
  if (!state.finished || state.finished->outcome != run::RunOutcome::answered) return ExitCode::failed;
  bool denied = false;
  const bool is_one_call = state.received && state.received->only_call;
  for (const auto& [id, call] : state.calls) {
    const bool is_talk = call.request.tool == run::kAskUser || call.request.tool == run::kRespondDirectly;
    if (is_talk && !is_one_call) continue;  // that people were asked, or told, is nothing done
    if (call.finished && call.finished->status == run::CallStatus::success) return ExitCode::done;
    denied = denied || (call.ruling() != nullptr && call.ruling()->verdict == run::Verdict::deny);
    // The one call of a run without a model: it failed, so the command did.
    if (is_one_call && !denied) return ExitCode::failed;
  }
  return denied ? ExitCode::refused : ExitCode::done;
}

Foreground::Foreground(const Context& context, Process& process)
    : context_(context), process_(process), user_(os_user()), input_(context.outside.input) {}

Result<> Foreground::open() {
  channel::TerminalHolder holder;
  holder.answer = [this](const channel::Message& message) {
    answer_ += message.markdown;
    if (!context_.json && !prints_result_) context_.outside.out << channel::plain_text(message.markdown) << std::flush;
  };
  holder.notice = [this](const channel::Message& message) {
    context_.outside.errors << channel::plain_text(message.markdown) << std::flush;
  };
  holder.card = [](const channel::Card&) {};  // asked when the run has come to rest
  channel_ = std::make_shared<channel::TerminalChannel>(user_, std::move(holder));
  return process_.compose({channel_});
}

Task<Result<ExitCode>> Foreground::ask(std::string conversation, std::string text) {
  context_.outside.errors << "notice: answers come from " << who_answers(process_.settings().models) << "\n";
  for (const std::string& line : model_addresses(process_.settings()))
    context_.outside.errors << "notice: " << line << "\n";
  co_await process_.services_known();
  CO_TRY(co_await channel_->says(conversation, std::move(text), process_.clock().now()));
  CO_TRY(const store::ConversationRow row, co_await process_.store().conversation(conversation));
  if (!row.newest_run) {
    // Why was said in a notice: it is paused, they may not speak, or said what starts nothing, such as `stop`.
    const Result<> may = policy::may_speak(local_user(user_), channel::terminal_place(), process_.settings());
    CO_TRY(const store::BrakeRow brake, co_await process_.store().brake());
    const bool is_let = may.has_value() && brake.brake != store::Brake::all;
    co_return is_let ? ExitCode::failed : ExitCode::refused;
  }
  CO_TRY(const store::RunRow run, co_await find_run(process_.store(), *row.newest_run));
  CO_TRY(const ExitCode code, co_await carry(run));
  co_return code;
}

Task<Result<ExitCode>> Foreground::call(std::string conversation, std::string tool, json::object arguments) {
  print_result();
  CallByHand call = new_call_by_hand(std::move(tool), std::move(arguments), process_.clock().now());
  CO_TRY(co_await call_by_hand(process_, user_, std::move(conversation), call));
  CO_TRY(const store::RunRow row, co_await find_run(process_.store(), call.run));
  CO_TRY(const ExitCode code, co_await carry(row));
  co_return code;
}

Task<Result<ExitCode>> Foreground::carry(store::RunRow run) {
  run_ = run.run;
  CO_TRY(co_await check_not_paused(process_.store()));
  for (;;) {
    CO_TRY(const Resting resting, co_await until_it_rests(run));
    if (resting.pending.empty()) {
      CO_TRY(const ExitCode code, co_await print_end(resting.run));
      co_return code;
    }
    CO_TRY(const bool answered, co_await answer_from_input(resting.pending.front()));
    if (!answered) co_return print_waiting(resting);
  }
}

Task<Result<bool>> Foreground::all_is_delivered(std::vector<store::RunRow> runs) {
  for (const store::RunRow& run : runs) {
    CO_TRY(const std::vector<store::DeliveryRow> owed, co_await process_.store().deliveries({.run = run.run}));
    if (!std::ranges::all_of(owed, is_over)) co_return false;
  }
  co_return true;
}

// What it began in the background dies with this process, so the process stays.
void Foreground::say_what_it_waits_for(const std::vector<store::RunRow>& family) {
  if (family.front().outcome != name(run::RunOutcome::answered) || said_it_waits_) return;
  said_it_waits_ = true;
  for (const store::RunRow& run : family) {
    if (is_finished(run)) continue;
    context_.outside.errors << fmt::format("notice: task {} works in the background; waiting for it to end\n",
                                           run.run.text())
                            << std::flush;
  }
}

// At rest: it and what it began have finished and all they owe is delivered, or it waits for people and nothing beside
// it works.
Task<Result<Foreground::Resting>> Foreground::until_it_rests(store::RunRow run) {
  store::Store& store = process_.store();
  for (;; co_await sleep_for(kLookAgain)) {
    store::RunFilter filter;
    filter.conversation = run.conversation;
    filter.most = kMostRunsOfAConversation;
    CO_TRY(const std::vector<store::RunRow> rows, co_await store.runs(filter));
    const std::vector<store::RunRow> family = with_its_children(rows, run.run);
    if (family.empty()) co_return fail(ErrorKind::not_found, fmt::format("run {} is gone", run.run.text()));
    if (std::ranges::all_of(family, is_finished)) {
      CO_TRY(const bool delivered, co_await all_is_delivered(family));
      if (delivered) co_return Resting{family.front(), {}};
      continue;
    }
    say_what_it_waits_for(family);
    if (contains(rows, store::RunStatus::open, &store::RunRow::state)) {
      CO_TRY(co_await check_not_paused(store));
      continue;
    }
    store::InteractionFilter waiting;
    waiting.conversation = run.conversation;
    CO_TRY(std::vector<store::InteractionRow> pending, co_await store.interactions(waiting));
    if (pending.empty()) continue;
    std::ranges::reverse(pending);  // oldest first
    co_return Resting{family.front(), std::move(pending)};
  }
}

Task<Result<bool>> Foreground::answer_from_input(store::InteractionRow row) {
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  std::ostream& errors = context_.outside.errors;
  const interaction::Zone& zone = process_.rules().zone;
  const bool typed = input_.is_terminal();
  std::vector<std::string> texts;
  interaction::Draft draft = first_draft(asking);
  for (;;) {
    if (typed) errors << waiting_text(row, asking, zone, draft) << "> " << std::flush;
    const Result<std::optional<std::string>> line =
        co_await input_.next(typed ? kLongestWait : std::chrono::milliseconds(kPipeWait));
    if (!line) {
      errors << channel::shown_lines(describe(line.error()));
      continue;
    }
    const std::optional<std::string>& said = *line;
    if (!said) co_return false;
    if (!typed)
      errors << waiting_text(row, asking, zone, draft) << "> " << channel::shown_line(*said) << "\n" << std::flush;
    texts.push_back(*said);
    ReadAnswer read = read_answer(asking, texts, row.run);
    if (auto* press = std::get_if<Press>(&read)) {
      CO_TRY(const channel::Verdict verdict,
             co_await channel_->presses(row.conversation, std::move(*press), process_.clock().now()));
      CO_TRY(check_settled(verdict));
      co_return true;
    }
    if (auto* more = std::get_if<More>(&read)) draft = std::move(more->draft);
    if (const auto* error = std::get_if<Error>(&read)) {
      errors << channel::shown_lines(describe(*error));
      texts.pop_back();
    }
  }
}

Task<Result<ExitCode>> Foreground::print_end(store::RunRow run) {
  CO_TRY(const run::RunState state, co_await read_state(process_.store(), run.run));
  // It was delivered by whoever carried it before.
  std::string text = answer_.empty() && state.replied ? state.replied->text : answer_;
  if (prints_result_ && state.replied) text = state.replied->text;
  if (const std::optional<std::string> call = one_call_that_succeeded(state); prints_result_ && call) {
    // As it was kept: a model reads the rest with another call, a person cannot.
    Result<std::string> whole = co_await process_.store().result(run.run, *call);
    if (whole) text = *std::move(whole);
  }
  if (context_.json) {
    const json::object end{{"run", run.run.text()}, {"outcome", run.outcome}, {"answer", text}};
    context_.outside.out << json::serialize(end) << "\n";
  } else if (prints_result_) {
    const std::string shown = channel::shown_lines(text);
    context_.outside.out << shown << (shown.ends_with('\n') ? "" : "\n");
  } else if (answer_.empty()) {
    context_.outside.out << channel::plain_text(text);
  }
  co_return exit_code_of(state);
}

ExitCode Foreground::print_waiting(const Resting& resting) {
  std::ostream& out = context_.outside.out;
  json::array waiting;
  for (const store::InteractionRow& row : resting.pending) {
    const Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (!asking) continue;
    const std::string command = answering_command(context_, row);
    if (context_.json) {
      waiting.push_back(waiting_json(row, *asking, command));
      continue;
    }
    out << whole_text(row, *asking, process_.rules().zone) << how_to_answer(*asking, command);
  }
  if (context_.json) {
    const json::object end{{"run", resting.run.run.text()}, {"outcome", "waiting"}, {"waiting", std::move(waiting)}};
    out << json::serialize(end) << "\n";
  }
  return ExitCode::waiting;
}

namespace {

// Waits for it and prints what went wrong; a signal leaves the run for `deputy runs resume`.
ExitCode finish(const Context& context, Process& process, Foreground& foreground, Task<Result<ExitCode>> task) {
  const Result<ExitCode> code = process.wait(std::move(task));
  process.stop();  // before the foreground goes, which its channel prints through
  if (code) return *code;
  const std::optional<RunId> run = foreground.run();
  if (code.error().kind == ErrorKind::cancelled && run) {
    context.outside.errors << fmt::format(
        "deputy: stopped; `deputy runs resume {0}` goes on with it, `deputy runs cancel "
        "{0}` ends it\n",
        run->text());
    return ExitCode::failed;
  }
  return print_failure(context, code.error(), Stage::working);
}

// What a run that is there already needs before it goes on.
void make_ready_for(RunId run, Process& process, Foreground& foreground) {
  process.wait_for_services();
  const Result<run::RunState> state = process.wait(read_state(process.store(), run));
  if (state && state->request().only_call) foreground.print_result();
}

ExitCode in_foreground(const Context& context, std::string conversation, std::optional<RunId> there,
                       const BeginConversation& begin) {
  const auto process = Process::open(context, {conversation});
  if (!process) return print_failure(context, process.error());
  Foreground foreground(context, **process);
  if (const Result<> opened = foreground.open(); !opened) return print_failure(context, opened.error());
  if (there) make_ready_for(*there, **process, foreground);
  (*process)->start();
  return finish(context, **process, foreground, begin(foreground, std::move(conversation)));
}

}  // namespace

ExitCode begin_in_foreground(const Context& context, const BeginConversation& begin) {
  return in_foreground(context, channel::terminal_conversation(os_user(), Ulid::make(SystemClock().now()).text()),
                       std::nullopt, begin);
}

ExitCode carry_in_foreground(const Context& context, const store::RunRow& run) {
  return in_foreground(context, run.conversation, run.run,
                       [&](Foreground& foreground, const std::string&) { return foreground.carry(run); });
}

}  // namespace deputy::app
