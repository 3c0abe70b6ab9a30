// /clear, /compact and /resume: which conversation a chat is in; /cost and /model: what answers in it and at what
// price.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "app/chat/chat.h"
#include "app/models.h"
#include "app/settings.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "policy/persons.h"
#include "run/plan/budget.h"
#include "run/plan/rules.h"
#include "store/store.h"

namespace deputy::app {

namespace {

constexpr std::size_t kMaxOffered = 9;
constexpr std::size_t kMaxHeadline = 60;
constexpr int kRunsLookedAt = 500;
constexpr std::string_view kSummaryRequest =
    "Sum up this conversation so that it can go on from your summary alone: what was asked, what was found with its "
    "evidence, what was changed, what is open. Call no tools.";

std::string dollars(std::int64_t millionths) {
  const double value = static_cast<double>(millionths) / 1e6;
  return value > 0 && value < 0.01 ? fmt::format("${:.4f}", value) : fmt::format("${:.2f}", value);
}

// "14 min ago", "3 h ago", "2026-11-16".
std::string age(Timestamp at, Timestamp now) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(now - at).count();
  if (minutes < 1) return "now";
  if (minutes < 60) return fmt::format("{} min ago", minutes);
  if (minutes < 24 * 60) return fmt::format("{} h ago", minutes / 60);
  return format_timestamp(at).substr(0, 10);
}

}  // namespace

// Unfinished runs could not be answered from another conversation, and their result would not be shown there. Grants of
// the old conversation would not apply to the new one.
Task<Result<>> Chat::check_all_is_finished() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  const auto is_open = [](const store::RunRow& row) { return row.state != store::RunStatus::finished; };
  if (std::ranges::none_of(rows, is_open)) co_return Result<>{};
  co_return fail(ErrorKind::conflict, "something is not finished here",
                 "answer it, wait for it, or stop it with Ctrl-C; /tasks lists background calls");
}

Task<Result<>> Chat::begin_anew() {
  CO_TRY(co_await check_all_is_finished());
  CO_TRY(const int ended, co_await end_grants(process_, user_, session_));
  session_ = cleared(std::move(session_));
  print(ended == 0 ? "A new conversation.\n" : "A new conversation. What was granted with `a` has ended.\n");
  co_return Result<>{};
}

Task<Result<>> Chat::clear() {
  CO_TRY(co_await begin_anew());
  summary_.clear();
  co_return Result<>{};
}

// An ordinary request, so that it is paid for, shown and journalled as any other.
Task<Result<>> Chat::compact() {
  if (process_.settings().models.is_offline())
    co_return fail(ErrorKind::not_configured, "the offline planner cannot sum up a conversation",
                   "/clear starts a new one");
  CO_TRY(co_await check_all_is_finished());
  CO_TRY(const gateway::Started started,
         co_await process_.requests().start(
             local_caller(), {.conversation = session_.conversation, .text = std::string(kSummaryRequest)}));
  if (const auto* not_accepted = std::get_if<gateway::NotAccepted>(&started))
    co_return std::unexpected(gateway::error_of(*not_accepted));
  summing_up_ = std::get<gateway::Accepted>(started).run;
  co_return Result<>{};
}

// The summary goes with the next message as data, so the memory of the new conversation starts with it.
Task<Result<>> Chat::take_summary() {
  if (!summing_up_) co_return Result<>{};
  CO_TRY(const gateway::RunView read, co_await process_.requests().read(local_caller(), *summing_up_));
  if (read.row.state != store::RunStatus::finished) co_return Result<>{};
  summing_up_.reset();
  if (!read.state.replied || read.row.outcome != name(run::RunOutcome::answered)) co_return Result<>{};
  CO_TRY(co_await begin_anew());
  summary_ = fmt::format("Summary of the conversation so far:\n{}\n", read.state.replied->text);
  print("Your next message takes the summary along.\n");
  co_return Result<>{};
}

Task<Chat::Chosen> Chat::choose(std::string question, std::vector<std::string> options) {
  interaction::Question asked{.label = "choice", .question = std::move(question)};
  asked.allow_custom = false;
  for (std::size_t i = 0; i < options.size(); ++i)
    asked.options.push_back({.value = std::to_string(i), .label = std::move(options[i]), .selected = i == 0});
  const interaction::Form form{.questions = {std::move(asked)}};
  if (keys_) keys_->discard();
  const FormKeys keys(*this);
  FormView form_view = channel::view_of(form, interaction::begin(form));
  for (;;) {
    view_->set_form(channel::lines_of(form_view, kind_.colours, channel::window_size()));
    TerminalEvent event = co_await next_event(Pull::no);
    if (event.kind == TerminalEvent::Kind::look) continue;
    if (event.kind != TerminalEvent::Kind::key) co_return Chosen{{}, std::move(event)};
    channel::Pressed pressed = channel::press(std::move(form_view), event.key);
    if (std::holds_alternative<channel::Skipped>(pressed)) co_return Chosen{};
    if (const auto* result = std::get_if<interaction::FormResult>(&pressed))
      co_return Chosen{static_cast<std::size_t>(std::stoul(result->answers.front().answer)), {}};
    form_view = std::get<FormView>(std::move(pressed));
  }
}

// Leaves this conversation only if nobody else is in the other one.
Task<Result<Chat::Going>> Chat::leave_for(std::string conversation) {
  CO_TRY(co_await hold_conversation(process_, conversation));
  goes_to_ = session_of(conversation);
  co_return Going::leaves;
}

// The program opens the other session in place of this one: a process works on the conversations of one session only.
Task<Result<Chat::Going>> Chat::go_to_conversation(std::string named) {
  if (!named.empty()) {
    CO_TRY(std::string conversation, co_await conversation_to_resume(process_.store(), user_, named));
    co_return co_await leave_for(std::move(conversation));
  }
  store::RunFilter filter;
  filter.most = kRunsLookedAt;
  CO_TRY(const std::vector<store::RunRow> rows, co_await process_.store().runs(filter));
  struct Offered {
    store::RunRow newest;
    std::string title;  // of its oldest run
  };
  std::vector<Offered> offered;
  for (const store::RunRow& row : rows) {  // newest first
    const bool is_mine = row.conversation.starts_with(channel::terminal_conversation(user_, ""));
    if (!is_mine || row.parent || row.forgotten || row.conversation == session_.conversation) continue;
    const auto known = std::ranges::find(
        offered, row.conversation, [](const Offered& one) -> const std::string& { return one.newest.conversation; });
    if (known != offered.end()) {
      known->title = row.headline;
    } else if (offered.size() < kMaxOffered) {
      offered.push_back({row, row.headline});
    }
  }
  if (offered.empty()) co_return fail(ErrorKind::not_found, "there is no other conversation to resume");
  std::vector<std::string> options;
  options.reserve(offered.size());
  for (const Offered& one : offered)
    options.push_back(fmt::format("{} · {}", channel::one_line(cut_with_mark(one.title, kMaxHeadline)),
                                  age(one.newest.created_at, process_.clock().now())));
  if (!editor_) {
    for (std::size_t i = 0; i < offered.size(); ++i)
      print(fmt::format("  {}  {}\n", channel::short_id(offered[i].newest.run), options[i]));
    print("/resume RUN continues one of them.\n");
    co_return Going::on;
  }
  Chosen chosen = co_await choose("Which conversation?", std::move(options));
  if (chosen.other) co_return co_await act_on(*std::move(chosen.other));
  if (!chosen.option) co_return Going::on;
  co_return co_await leave_for(offered[*chosen.option].newest.conversation);
}

Task<Result<>> Chat::show_cost() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
  for (const store::RunRow& row : rows) {
    const Result<gateway::RunView> read = co_await process_.requests().read(local_caller(), row.run);
    if (!read) continue;
    cost += run::cost_so_far(read->state);
    tokens += read->state.tokens;
  }
  const std::string today = run::day_of(process_.clock().now());
  const std::string person =
      run::person_scope(policy::person_of(channel::local_user(user_), process_.settings().for_policy()).id);
  CO_TRY(const std::vector<store::SpendRow> spent, co_await process_.store().spent_on(today, {person}));
  const std::int64_t own = spent.empty() ? 0 : spent.front().millionths;
  const double budget = process_.settings().models.budgets.person_day_usd;
  print_wrapped(fmt::format("This conversation: {} for {} in {}. Today: {}{}.\n", dollars(cost),
                            count_of(tokens, "token"), count_of(std::ssize(rows), "run"), dollars(own),
                            budget > 0 ? fmt::format(" of ${:.2f}", budget) : std::string()));
  co_return Result<>{};
}

// For the rest of this session; settings stay as they are.
Task<Result<>> Chat::set_model(std::string name) {
  if (!name.empty()) {
    auto settings = std::make_shared<Settings>(process_.settings());
    model::ModelSettings& main = settings->models.main;
    main = settings->models.chosen();
    const std::size_t slash = name.find('/');
    main.model = slash != std::string::npos && name.substr(0, slash) == who_answers(settings->models).substr(0, slash)
                     ? name.substr(slash + 1)
                     : name;
    if (main.provider.value_or(model::ProviderKind::offline) == model::ProviderKind::offline)
      co_return fail(ErrorKind::not_configured, "there is only the offline planner",
                     "set a model key, such as ANTHROPIC_API_KEY, and start again");
    co_await process_.take(std::move(settings), {"models.default.model"});
    process_.set_session(asks_ ? Process::Yolo::off : Process::Yolo::on);
    const std::string who = who_answers(process_.settings().models);
    print_wrapped(fmt::format("From now on {} answers.\n", who.substr(0, who.rfind(" ("))));
    co_return Result<>{};
  }
  print_wrapped(who_answers(process_.settings().models) + "\n");
  co_return Result<>{};
}

}  // namespace deputy::app
