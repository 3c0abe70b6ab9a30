// What waits for people, asked in a chat.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "app/by_hand.h"
#include "app/chat/chat.h"
#include "app/waiting.h"
#include "base/text.h"
#include "channel/terminal/plain_text.h"
#include "channel/terminal/typed_decision.h"
#include "interaction/typed.h"

namespace deputy::app {

namespace {

constexpr std::string_view kNotKnownHow = "somebody answered it, it expired, or it was stopped.";

// What was answered, for the lines that stay.
std::string answers_text(const interaction::Form& form, const interaction::FormResult& result) {
  std::string text;
  for (const interaction::Answer& answer : result.answers) {
    const auto question = std::ranges::find(form.questions, answer.question_label, &interaction::Question::label);
    const std::string said = answer.selected_values ? join(*answer.selected_values, ", ") : answer.answer;
    text += fmt::format(
        "? {} {}\n", channel::one_line(question == form.questions.end() ? answer.question_label : question->question),
        channel::one_line(said));
  }
  return text;
}

// Where an option is called so, it is not ours to take.
bool stops_run(const run::InteractionBody& asking, const interaction::Draft& draft, std::string_view line) {
  return std::holds_alternative<interaction::StopRun>(interaction::take_typed(
      asking.questions.value_or(interaction::Form{}), draft, line, interaction::Addressed::yes, asking.requester));
}

}  // namespace

Task<Result<Chat::Going>> Chat::ask_what_waits() {
  // What is being typed is finished first: half a sentence must not become an answer.
  if (editor_ && !editor_->text().empty()) co_return Going::on;
  store::InteractionFilter filter;
  filter.conversation = session_.conversation;
  CO_TRY(std::vector<store::InteractionRow> rows, co_await process_.store().interactions(filter));
  for (const store::InteractionRow& row : rows | std::views::reverse) {  // oldest first
    if (asked_.contains(row.id)) continue;
    const Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (!asking) continue;
    asked_.insert(row.id);
    Task<Result<Going>> asked = asking->approval ? ask_approval(row, *asking) : ask_form(row, *asking);
    Result<Going> going = co_await std::move(asked);
    set_usual_prompt();
    co_return going;
  }
  co_return Going::on;
}

Task<Result<Chat::Going>> Chat::ask_approval(store::InteractionRow row, run::InteractionBody asking) {
  const interaction::Approval approval = asking.approval.value_or(interaction::Approval{});
  const channel::AskedTool tool = asked_tool(approval.tool);
  print(channel::approval_lines(approval, tool, channel::Much::folded, kind_.colours));
  const std::string choices = channel::approval_choices(approval);
  const auto prompt = [&] {
    set_prompt(choices);
    if (!editor_) print(choices + "\n");
  };
  prompt();
  for (;;) {
    CO_TRY(std::optional<Event> happened, co_await next_while_open(row.id));
    if (!happened) co_return Going::on;
    Event event = *std::move(happened);
    const bool is_mine = event.kind == Event::Kind::line && event.prompt == prompt_ && !is_slash(event.line);
    if (!is_mine) {
      const bool stops = event.kind != Event::Kind::line;
      CO_TRY(const Going going, co_await act_on(std::move(event)));
      if (stops || going == Going::leaves) co_return going;
      prompt();
      continue;
    }
    interrupts_ = 0;
    if (trim(event.line).empty()) continue;
    if (event.pasted) {
      print("What is pasted answers nothing. Type it.\n");
      continue;
    }
    if (interaction::is_stop(event.line)) co_return co_await stop_in_place_of(std::move(row));
    if (channel::is_explain(event.line)) {
      print(channel::approval_lines(approval, tool, channel::Much::whole, kind_.colours) +
            channel::grant_words(approval, tool) +
            fmt::format("It is for run {} and expires at {}.\n", row.run.text(),
                        interaction::time_in(process_.rules().zone, row.expires_at)));
      continue;
    }
    if (channel::is_bare_no(event.line)) co_return co_await ask_reason(std::move(row), std::move(asking));
    ReadAnswer read = read_answer(asking, {event.line});
    if (auto* press = std::get_if<Press>(&read)) {
      CO_TRY(co_await press_answer(std::move(row), std::move(*press)));
      co_return Going::on;
    }
    if (const auto* error = std::get_if<Error>(&read)) print_problem(*error);
  }
}

Task<Result<Chat::Going>> Chat::ask_reason(store::InteractionRow row, run::InteractionBody asking) {
  set_prompt("reason, or Enter for none: ");
  if (!editor_) print("reason, or an empty line for none:\n");
  CO_TRY(std::optional<Event> happened, co_await next_while_open(row.id));
  if (!happened) co_return Going::on;
  Event event = *std::move(happened);
  const bool is_mine = event.kind == Event::Kind::line && event.prompt == prompt_ && !is_slash(event.line) &&
                       !interaction::is_stop(event.line);
  // No is no, also when nobody says why.
  const std::string reason = is_mine ? std::string(trim(event.line)) : std::string();
  ReadAnswer read = read_answer(asking, {reason.empty() ? "no" : "no " + reason});
  CO_TRY(co_await press_answer(std::move(row), std::move(std::get<Press>(read))));
  if (is_mine) co_return Going::on;
  co_return co_await act_on(std::move(event));
}

Task<Result<Chat::Going>> Chat::ask_form(store::InteractionRow row, run::InteractionBody asking) {
  const interaction::Form form = asking.questions.value_or(interaction::Form{});
  const interaction::Draft draft = interaction::read_draft(form, row.draft).value_or(interaction::begin(form));
  if (!editor_) co_return co_await ask_form_by_lines(std::move(row), std::move(asking));
  const FormKeys keys(*this);
  FormView form_view = view_of(form, draft);
  for (;;) {
    view_->set_form(lines_of(form_view, kind_.colours));
    CO_TRY(std::optional<Event> happened, co_await next_while_open(row.id));
    if (!happened) co_return Going::on;
    Event event = *std::move(happened);
    if (event.kind != Event::Kind::key) co_return co_await act_on(std::move(event));
    if (event.key.kind == KeyKind::end_of_input) co_return Going::leaves;
    if (event.prompt != prompt_) continue;  // pressed at the form before
    Pressed pressed = app::press(std::move(form_view), event.key);
    if (auto* view = std::get_if<FormView>(&pressed)) {
      form_view = std::move(*view);
      continue;
    }
    const auto* result = std::get_if<interaction::FormResult>(&pressed);
    print(result == nullptr ? std::string("? skipped\n") : answers_text(form, *result));
    CO_TRY(co_await press_answer(std::move(row),
                                 press_of(asking, result == nullptr ? interaction::FormResult{} : *result)));
    co_return Going::on;
  }
}

// Numbers and words, as interaction/typed.h reads them.
Task<Result<Chat::Going>> Chat::ask_form_by_lines(store::InteractionRow row, run::InteractionBody asking) {
  std::vector<std::string> texts;
  interaction::Draft draft = first_draft(asking);
  print(waiting_text(row, asking, process_.rules().zone, draft));
  for (;;) {
    CO_TRY(std::optional<Event> happened, co_await next_while_open(row.id));
    if (!happened) co_return Going::on;
    Event event = *std::move(happened);
    if (event.kind != Event::Kind::line) co_return co_await act_on(std::move(event));
    if (is_slash(event.line)) {
      CO_TRY(const Going going, co_await act_on(std::move(event)));
      if (going == Going::leaves) co_return going;
      print(waiting_text(row, asking, process_.rules().zone, draft));
      continue;
    }
    if (stops_run(asking, draft, event.line)) co_return co_await stop_in_place_of(std::move(row));
    texts.push_back(event.line);
    ReadAnswer read = read_answer(asking, texts);
    if (auto* press = std::get_if<Press>(&read)) {
      CO_TRY(co_await press_answer(std::move(row), std::move(*press)));
      co_return Going::on;
    }
    if (auto* more = std::get_if<More>(&read)) {
      draft = std::move(more->draft);
      print(waiting_text(row, asking, process_.rules().zone, draft));
    }
    if (const auto* error = std::get_if<Error>(&read)) {
      print_problem(*error);
      texts.pop_back();
    }
  }
}

Task<Result<>> Chat::press_answer(store::InteractionRow row, Press press) {
  const Result<channel::Verdict> verdict =
      co_await channel_->presses(row.conversation, std::move(press), process_.clock().now());
  const Result<> answered = verdict ? check_settled(*verdict) : std::unexpected(verdict.error());
  if (answered) co_return Result<>{};
  print_problem(answered.error());
  if (answered.error().kind == ErrorKind::invalid_input) asked_.erase(row.id);  // it is asked again
  co_return Result<>{};
}

// Typed where an answer is asked for: the run itself says that it was stopped.
Task<Result<Chat::Going>> Chat::stop_in_place_of(store::InteractionRow row) {
  CO_TRY(co_await stop_runs(row.run));
  print("Stopping.\n");
  co_return Going::on;
}

// What happens while it waits for its answer; nothing once it was settled elsewhere.
Task<Result<std::optional<Event>>> Chat::next_while_open(InteractionId id) {
  for (;;) {
    Event event = co_await next_event(Pull::yes);
    if (event.kind != Event::Kind::look) co_return event;
    CO_TRY(const std::vector<store::InteractionRow> rows, co_await process_.store().interactions({.id = id}));
    if (!rows.empty()) continue;
    CO_TRY(co_await say_how_it_was_settled(id));
    co_return std::nullopt;
  }
}

Task<Result<>> Chat::say_how_it_was_settled(InteractionId id) {
  CO_TRY(const std::optional<channel::Card> card, co_await process_.gateway().cards().card(id));
  const std::string how = card ? channel::settled_line(*card, id) : std::string();
  print(fmt::format("That is settled: {}\n", how.empty() ? kNotKnownHow : how));
  co_return Result<>{};
}

}  // namespace deputy::app
