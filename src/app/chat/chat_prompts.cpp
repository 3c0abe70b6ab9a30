// Asks pending approvals and questions in a chat.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "app/chat/chat.h"
#include "app/commands/named.h"
#include "app/foreground.h"
#include "app/models.h"
#include "app/settings.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/typed_answer.h"
#include "gateway/outbound/live.h"
#include "gateway/requests.h"
#include "interaction/typed.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::app {

namespace {

constexpr auto kDecisions = std::to_array<std::string_view>({"yes", "no", "xplain", "always"});

constexpr std::size_t kMaxKeptShown = 60;  // characters

constexpr std::string_view kNotKnownHow = "somebody answered it, it expired, or it was stopped.";

bool is_empty_line(const TerminalEvent& event) {
  return event.kind == TerminalEvent::Kind::line && trim(event.line).empty();
}

}  // namespace

// Half a sentence, half a paste or a search must not become an answer.
bool Chat::is_typing() const {
  return editor_ && screen_->shows_typing() && (!editor_->is_idle() || !keys_->is_between_keys());
}

Task<Result<std::optional<Chat::Asked>>> Chat::next_to_ask() {
  CO_TRY(const gateway::PendingCards pending,
         co_await process_.requests().pending(local_caller(), {.conversation = session_.conversation}));
  for (const channel::Card& card : pending.cards) {
    for (const channel::ShownInteraction& shown : card.interactions) {
      if (!channel::is_settled(shown) && !asked_.contains(shown.id)) co_return Asked{card, shown};
    }
  }
  co_return std::nullopt;
}

Task<Result<Chat::Going>> Chat::ask_what_waits() {
  CO_TRY(const std::optional<Asked> asked, co_await next_to_ask());
  if (!asked) co_return co_await send_kept_lines();
  const bool is_form = std::holds_alternative<channel::ShownQuestions>(asked->shown.what);
  if (is_typing()) {
    if (told_to_wait_.insert(asked->shown.id).second)
      print_dim(
          fmt::format("{} waits for you. Send or clear your line to see it.", is_form ? "A question" : "An approval"));
    co_return Going::on;
  }
  asked_.insert(asked->shown.id);
  Task<Result<Going>> asking = is_form ? ask_form(*asked) : ask_approval(*asked);
  Result<Going> going = co_await std::move(asking);
  set_usual_prompt();
  co_return going;
}

void Chat::ask_again(InteractionId id) {
  asked_.erase(id);
  inbox_.push({});
}

// A line that was begun before a question or an approval was there is neither its answer nor a request beside it. Nor
// is one that is typed while a call by hand works.
void Chat::keep_line(TerminalEvent typed) {
  kept_lines_.push_back(std::move(typed));
  print_dim("Your line is sent after this.");
}

// Commands and "stop" act at once.
bool Chat::keeps(TerminalEvent& event) {
  const bool was_before = event.kind == TerminalEvent::Kind::line && (form_has_keys_ || event.prompt != prompt_);
  if (!was_before || is_slash(event.line) || interaction::is_stop(event.line)) return false;
  if (!trim(event.line).empty() && !is_for_one_request()) keep_line(std::move(event));
  return true;
}

Task<Result<bool>> Chat::works_by_hand() {
  if (by_hand_.empty()) co_return false;
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  co_return std::ranges::any_of(rows, [this](const store::RunRow& row) {
    return row.state != store::RunStatus::finished && by_hand_.contains(row.run);
  });
}

Task<Result<Chat::Going>> Chat::send_kept_lines() {
  if (kept_lines_.empty()) co_return Going::on;
  CO_TRY(const bool by_hand, co_await works_by_hand());
  if (by_hand) co_return Going::on;
  for (TerminalEvent& typed : std::exchange(kept_lines_, {})) {
    print_dim("> " + channel::one_line(cut_with_mark(typed.line, kMaxKeptShown)));
    const Result<> sent = co_await send(std::move(typed));
    if (!sent) print_problem(sent.error());
  }
  co_return Going::on;
}

// The prompt stands right below the card, and only what is typed after that answers it.
Chat::HeldScreen::HeldScreen(Chat& chat, const std::string& card, const std::string& prompt,
                             std::span<const std::string_view> one_key_words)
    : chat_(chat) {
  ++chat_.prompt_;
  chat_.one_key_words_ = one_key_words;
  if (chat_.keys_) {
    chat_.keys_->discard();
  } else {
    chat_.lines_.discard();
  }
  chat_.screen_->hold(card, prompt);
}

Chat::HeldScreen::~HeldScreen() {
  chat_.one_key_words_ = {};
  chat_.one_key_pressed_ = false;
  chat_.one_key_timer_.cancel();
  chat_.screen_->release();
}

std::string Chat::approval_card(const Asked& asked, const channel::ShownApproval& approval, channel::Much much) const {
  std::string card = channel::approval_lines(approval, much, kind_.colours, channel::columns());
  if (much == channel::Much::folded) return card;
  return card + channel::grant_words(approval) +
         fmt::format("It is for run {} and expires at {}.\n", channel::short_id(asked.card.run),
                     interaction::time_in(asked.card.zone, approval.view.expires_at));
}

Task<Result<std::vector<std::string>>> Chat::covered_before(const channel::ShownApproval& approval) {
  std::vector<std::string> covered;
  const auto tool = process_.registry().find(approval.view.approval.tool);
  if (!tool || approval.pins.empty() || !approval.view.approval.may_grant) co_return covered;
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  for (const store::RunRow& row : rows) {
    const Result<gateway::RunView> read = co_await process_.requests().read(local_caller(), row.run);
    if (!read) continue;
    for (const auto& [id, call] : read->state.calls) {
      const bool was_approved = call.answered && call.answered->state == interaction::State::approved &&
                                call.request.tool == (*tool)->spec().name;
      if (!was_approved || toolkit::pins_of((*tool)->spec(), call.request.arguments) != approval.pins) continue;
      covered.push_back(gateway::call_line(call.request.tool, call.request.arguments, process_.registry()));
    }
  }
  co_return covered;
}

Task<Result<Chat::Going>> Chat::ask_approval(Asked asked) {
  auto approval = std::get<channel::ShownApproval>(asked.shown.what);
  CO_TRY(approval.covered, co_await covered_before(approval));
  if (!lines_.is_terminal()) {
    print(channel::approval_lines(approval, channel::Much::whole, kind_.colours, channel::kAnyWidth) +
          std::string(kPipesApproveNothing) + "\n" +
          how_to_answer(asked.shown, answering_command(context_, short_id_among(asked.shown.id, {asked.card}))));
    co_return Going::on;
  }
  channel::Much much = channel::Much::folded;
  for (;;) {
    std::optional<TerminalEvent> happened;
    {
      const HeldScreen held(
          *this, approval_card(asked, approval, std::exchange(much, channel::Much::folded)),
          channel::approval_prompt(approval, editor_ ? channel::columns() : channel::kAnyWidth),
          std::span(kDecisions).first(kDecisions.size() - (approval.view.approval.may_grant ? 0 : 1)));
      do {
        CO_TRY(happened, co_await next_while_open(asked.shown.id));
      } while (happened && (is_empty_line(*happened) || keeps(*happened)));
    }
    if (!happened) co_return Going::on;
    TerminalEvent event = *std::move(happened);
    const bool is_mine = event.kind == TerminalEvent::Kind::line && event.prompt == prompt_ && !is_slash(event.line);
    if (!is_mine) {
      const bool stops = event.kind != TerminalEvent::Kind::line;
      CO_TRY(const Going going, co_await act_on(std::move(event)));
      if (stops || going == Going::leaves) co_return going;
      continue;
    }
    interrupts_ = 0;
    if (!event.pasted.empty()) {
      print("Pasted text cannot answer an approval. Please type it.\n");
      continue;
    }
    if (interaction::is_stop(event.line)) co_return co_await stop_in_place_of(asked.card.run);
    if (channel::is_explain(event.line)) {
      much = channel::Much::whole;
      continue;
    }
    if (channel::is_bare_no(event.line)) co_return co_await ask_reason(std::move(asked));
    channel::ReadAnswer read = channel::read_answer(asked.card, asked.shown, {event.line});
    if (auto* press = std::get_if<channel::Press>(&read)) {
      CO_TRY(co_await press_answer(std::move(asked), std::move(*press)));
      co_return Going::on;
    }
    if (const auto* error = std::get_if<Error>(&read)) print_problem(*error);
  }
}

Task<Result<Chat::Going>> Chat::ask_reason(Asked asked) {
  set_prompt("reason, or Enter for none (Esc: back): ");
  if (!editor_) print("reason, or an empty line for none:\n");
  takes_escape_ = true;
  Result<std::optional<TerminalEvent>> awaited = co_await next_while_open(asked.shown.id);
  takes_escape_ = false;
  CO_TRY(std::optional<TerminalEvent> happened, std::move(awaited));
  if (!happened) co_return Going::on;
  TerminalEvent event = *std::move(happened);
  // Who leaves has not said no.
  if (event.kind == TerminalEvent::Kind::end || event.kind == TerminalEvent::Kind::leave) co_return Going::leaves;
  if (event.kind == TerminalEvent::Kind::key) {
    editor_->replace("");
    ask_again(asked.shown.id);
    co_return Going::on;
  }
  const bool is_mine = event.kind == TerminalEvent::Kind::line && event.prompt == prompt_ && !is_slash(event.line) &&
                       !interaction::is_stop(event.line);
  // The denial counts even without a reason.
  const std::string reason = is_mine ? std::string(trim(event.line)) : std::string();
  channel::ReadAnswer read = channel::read_answer(asked.card, asked.shown, {reason.empty() ? "no" : "no " + reason});
  CO_TRY(co_await press_answer(std::move(asked), std::move(std::get<channel::Press>(read))));
  if (is_mine) co_return Going::on;
  co_return co_await act_on(std::move(event));
}

Task<Result<Chat::Going>> Chat::ask_form(Asked asked) {
  const auto& questions = std::get<channel::ShownQuestions>(asked.shown.what);
  const interaction::Form& form = questions.form;
  if (!editor_) co_return co_await ask_form_by_lines(std::move(asked));
  if (keys_) keys_->discard();  // typed before the form is there
  const FormKeys keys(*this);
  FormView form_view = channel::view_of(form, questions.draft);
  for (;;) {
    view_->set_form(channel::lines_of(form_view, kind_.colours, channel::window_size()));
    CO_TRY(std::optional<TerminalEvent> happened, co_await next_while_open(asked.shown.id));
    if (!happened) co_return Going::on;
    TerminalEvent event = *std::move(happened);
    if (keeps(event)) continue;
    if (event.kind == TerminalEvent::Kind::line) asked_.erase(asked.shown.id);  // typed before the form was there
    if (event.kind != TerminalEvent::Kind::key) co_return co_await act_on(std::move(event));
    if (event.key.kind == KeyKind::end_of_input && form_view.own_words.empty()) co_return Going::leaves;
    if (event.prompt != prompt_) continue;  // pressed in an earlier form
    channel::Pressed pressed = channel::press(std::move(form_view), event.key);
    if (auto* view = std::get_if<FormView>(&pressed)) {
      form_view = std::move(*view);
      continue;
    }
    const auto* result = std::get_if<interaction::FormResult>(&pressed);
    print_wrapped(result == nullptr ? std::string("? skipped\n") : channel::answers_text(form, *result));
    channel::Press press = channel::press_of(asked.shown, result == nullptr ? interaction::FormResult{} : *result);
    CO_TRY(co_await press_answer(std::move(asked), std::move(press)));
    co_return Going::on;
  }
}

// Numbers and words, as interaction/typed.h reads them.
Task<Result<Chat::Going>> Chat::ask_form_by_lines(Asked asked) {
  std::vector<std::string> texts;
  interaction::Draft draft = channel::first_draft(asked.shown);
  print(channel::waiting_text(asked.card, asked.shown, draft));
  for (;;) {
    CO_TRY(std::optional<TerminalEvent> happened, co_await next_while_open(asked.shown.id));
    if (!happened) co_return Going::on;
    TerminalEvent event = *std::move(happened);
    if (event.kind != TerminalEvent::Kind::line) co_return co_await act_on(std::move(event));
    if (is_slash(event.line)) {
      CO_TRY(const Going going, co_await act_on(std::move(event)));
      if (going == Going::leaves) co_return going;
      print(channel::waiting_text(asked.card, asked.shown, draft));
      continue;
    }
    if (channel::stops_run(asked.card, std::get<channel::ShownQuestions>(asked.shown.what), draft, event.line))
      co_return co_await stop_in_place_of(asked.card.run);
    texts.push_back(event.line);
    channel::ReadAnswer read = channel::read_answer(asked.card, asked.shown, texts);
    if (auto* press = std::get_if<channel::Press>(&read)) {
      CO_TRY(co_await press_answer(std::move(asked), std::move(*press)));
      co_return Going::on;
    }
    if (auto* more = std::get_if<channel::More>(&read)) {
      draft = std::move(more->draft);
      print(channel::waiting_text(asked.card, asked.shown, draft));
    }
    if (const auto* error = std::get_if<Error>(&read)) {
      print_problem(*error);
      texts.pop_back();
    }
  }
}

Task<Result<>> Chat::press_answer(Asked asked, channel::Press press) {
  const Result<channel::Verdict> verdict =
      co_await channel_->presses(asked.card.conversation, std::move(press), process_.clock().now());
  const Result<> answered = verdict ? check_settled(*verdict) : std::unexpected(verdict.error());
  if (answered) co_return Result<>{};
  print_problem(answered.error());
  // It is asked again. In a chat /approvals does so.
  const bool was_settled = answered.error().kind == ErrorKind::conflict;
  if (answered.error().kind == ErrorKind::invalid_input || (is_for_one_request() && !was_settled))
    ask_again(asked.shown.id);
  co_return Result<>{};
}

// "stop" was typed instead of an answer. The run itself reports that it was stopped.
Task<Result<Chat::Going>> Chat::stop_in_place_of(RunId run) {
  CO_TRY(co_await stop_runs(run));
  print("Stopping.\n");
  co_return Going::on;
}

Task<Result<std::optional<TerminalEvent>>> Chat::next_while_open(InteractionId id) {
  for (;;) {
    TerminalEvent event = co_await next_event(Pull::yes);
    if (event.kind != TerminalEvent::Kind::look) co_return event;
    CO_TRY(const std::vector<store::InteractionRow> rows, co_await process_.store().interactions({.id = id}));
    if (!rows.empty()) continue;
    CO_TRY(co_await say_how_it_was_settled(id));
    co_return std::nullopt;
  }
}

Task<Result<>> Chat::say_how_it_was_settled(InteractionId id) {
  CO_TRY(const std::optional<channel::Card> card, co_await process_.requests().card(local_caller(), id));
  const std::string how = card ? channel::settled_line(*card, id) : std::string();
  print(fmt::format("Already settled: {}\n", how.empty() ? kNotKnownHow : how));
  co_return Result<>{};
}

}  // namespace deputy::app
