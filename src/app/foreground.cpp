#include "app/foreground.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "app/chat/session.h"
#include "app/commands/named.h"
#include "app/models.h"
#include "base/clock.h"
#include "base/text.h"
#include "channel/terminal/answer_text.h"
#include "channel/terminal/card_text.h"
#include "channel/terminal/live_view.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/typed_answer.h"
#include "channel/terminal/window.h"
#include "run/plan/plan_call.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::app {

namespace {

// A pipe that has said nothing for so long holds no context.
constexpr std::chrono::seconds kPipeWait{3};
constexpr std::size_t kMaxPiped = 1024UL * 1024;
constexpr std::chrono::seconds kBetweenLooks{1};

std::string why_not(const channel::Verdict& verdict) {
  if (const auto* refused = std::get_if<channel::Refused>(&verdict)) return refused->why;
  if (const auto* already = std::get_if<channel::AlreadyAnswered>(&verdict)) return already->words;
  const auto* invalid = std::get_if<channel::Invalid>(&verdict);
  std::vector<std::string> problems;
  if (invalid != nullptr) {
    for (const channel::InvalidAnswer& one : invalid->problems)
      problems.push_back(fmt::format("{}: {}", one.label, one.problem));
  }
  return problems.empty() ? "the answer was not accepted" : join(problems, "; ");
}

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_-./:=@%+,").contains(c);
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

Result<> check_settled(const channel::Verdict& verdict) {
  if (std::holds_alternative<channel::AnswerTaken>(verdict)) return {};
  const ErrorKind kind = std::holds_alternative<channel::Refused>(verdict)           ? ErrorKind::permission
                         : std::holds_alternative<channel::AlreadyAnswered>(verdict) ? ErrorKind::conflict
                                                                                     : ErrorKind::invalid_input;
  return fail(kind, why_not(verdict));
}

channel::TerminalKind terminal_of(const Context& context) {
  const auto variable = [&](std::string_view name) {
    const std::string* found = config::find_variable(context.outside.environment, name);
    return found == nullptr ? std::string() : *found;
  };
  // A job in the background that touched its terminal would be stopped.
  const bool has_keys = isatty(context.outside.input) == 1 && tcgetpgrp(context.outside.input) == getpgrp();
  return channel::terminal_kind(has_keys, context.outside.out_is_terminal, variable("TERM"), variable("NO_COLOR"));
}

std::size_t width_of(const Context& context) {
  return context.outside.out_is_terminal ? channel::columns() : channel::kAnyWidth;
}

std::string answering_command(const Context& context, std::string_view interaction) {
  std::string command = "deputy";
  if (context.places.config) command += " --config " + shell_word(*context.places.config);
  if (context.places.data) command += " --data " + shell_word(*context.places.data);
  for (const std::string& setting : context.settings) command += " --set " + shell_word(setting);
  return fmt::format("{} interactions answer --run {}", command, interaction);
}

std::string how_to_answer(const channel::ShownInteraction& shown, const std::string& command) {
  const auto* asked = std::get_if<channel::ShownQuestions>(&shown.what);
  if (asked == nullptr) return fmt::format("To answer:\n  {0} yes\n  {0} no 'your reason'\n", command);
  std::string example;
  for (const interaction::Question& question : asked->form.questions)
    example += " " + (question.options.empty() ? "'your words'" : shell_word(question.options.front().answer()));
  const bool several = asked->form.questions.size() > 1;
  return fmt::format("To answer{}, for example:\n  {}{}\n", several ? ", one word or quoted text per question" : "",
                     command, example);
}

json::object waiting_json(const channel::Card& card, const channel::ShownInteraction& shown,
                          const std::string& command) {
  const auto* asked = std::get_if<channel::ShownQuestions>(&shown.what);
  json::object waiting{{"interaction", shown.id.text()},
                       {"run", card.run.text()},
                       {"conversation", card.conversation},
                       {"kind", asked == nullptr ? "approval" : "questions"},
                       {"requester", card.requester},
                       {"expires_at", format_timestamp(channel::expires_at(shown))},
                       {"answer_with", command}};
  if (asked != nullptr) {
    waiting["questions"] = to_json(asked->form).at("questions");
    return waiting;
  }
  const interaction::Approval& approval = std::get<channel::ShownApproval>(shown.what).view.approval;
  waiting["code"] = std::get<channel::ShownApproval>(shown.what).view.code;
  waiting["tool"] = approval.tool;
  waiting["arguments"] = approval.arguments;
  waiting["preview"] = approval.preview;
  return waiting;
}

ExitCode exit_code_of(const gateway::NotAccepted& not_accepted) {
  return not_accepted.why == gateway::NotAccepted::Why::no_request ? ExitCode::failed : ExitCode::refused;
}

ExitCode exit_code_of(const gateway::Ended& ended) {
  if (ended.outcome != name(run::RunOutcome::answered)) return ExitCode::failed;
  bool denied = false;
  bool tried = false;
  for (const gateway::CallSummary& call : ended.calls) {
    const bool is_talk = call.tool == run::kAskUser || call.tool == run::kRespondDirectly;
    if (is_talk && !ended.is_one_call) continue;  // questions and answers to people do not count
    if (call.status == run::CallStatus::success) return ExitCode::done;
    denied = denied || call.denied;
    tried = true;
  }
  if (denied) return ExitCode::refused;
  return tried ? ExitCode::failed : ExitCode::done;
}

Foreground::Foreground(const Context& context, Process& process)
    : context_(context), process_(process), input_(context.outside.input) {}

Result<> Foreground::open() {
  TRY(open_answers());
  return process_.compose({std::make_shared<channel::TerminalChannel>(os_user(), view_)});
}

// A pipe is opened without waiting for its writer, who may first want to read the question.
Result<> Foreground::open_answers() {
  if (context_.answers.empty()) return {};
  answers_file_ = FileDescriptor(::open(context_.answers.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (answers_file_.number < 0) {
    return fail(ErrorKind::invalid_input,
                fmt::format("cannot read the answers in {}: {}", context_.answers, std::strerror(errno)));
  }
  answers_.emplace(answers_file_.number);
  return {};
}

Task<std::string> Foreground::read_piped() {
  if (input_.is_terminal()) co_return std::string();
  channel::PipedText piped = co_await input_.all(kPipeWait, kMaxPiped);
  std::ostream& errors = context_.outside.errors;
  if (piped.end == channel::PipedText::End::nothing_came)
    errors << fmt::format("notice: nothing was piped in within {} seconds, so the request has no context from there\n",
                          kPipeWait.count());
  if (piped.end == channel::PipedText::End::too_much)
    errors << "notice: only the first 1 MB of what was piped in is read\n";
  co_return std::move(piped.text);
}

void Foreground::View::message(const channel::Message& message) {
  const Outside& outside = foreground_.context_.outside;
  if (message.kind != channel::Message::Kind::answer) {
    return foreground_.say(outside.errors, channel::plain_text(message.markdown));
  }
  foreground_.answer_ += message.markdown;
  if (!foreground_.context_.json && !foreground_.prints_result_)
    foreground_.say(outside.out, foreground_.answer_text(message.markdown));
}

std::string Foreground::answer_text(std::string_view markdown) const {
  if (!context_.outside.out_is_terminal) return channel::plain_text(markdown);
  return channel::ansi_text(markdown, terminal_of(context_).colours, channel::columns() - 1);
}

// Somebody who waits at a terminal sees which calls have ended. A script gets the answer alone.
void Foreground::print_progress(const channel::ProgressLine& line) {
  using State = channel::ProgressLine::State;
  if (!context_.outside.out_is_terminal || context_.json || prints_result_) return;
  const bool has_ended = line.state == State::done || line.state == State::failed || line.state == State::denied;
  if (has_ended)
    say(context_.outside.errors, fmt::format("{} {}\n", channel::mark_of(line), channel::one_line(line.line)));
}

void Foreground::say(std::ostream& to, std::string text) {
  if (asking_) {
    held_.emplace_back(&to, std::move(text));
  } else {
    to << text << std::flush;
  }
}

void Foreground::set_asking(bool asking) {
  asking_ = asking;
  if (asking) return;
  for (const auto& [to, text] : std::exchange(held_, {})) *to << text << std::flush;
}

Task<Result<ExitCode>> Foreground::ask(std::string conversation, std::string text) {
  context_.outside.errors << "notice: answers come from " << who_answers(process_.settings().models) << "\n";
  for (const std::string& line : model_addresses(process_.settings()))
    context_.outside.errors << "notice: " << line << "\n";
  std::string piped = co_await read_piped();
  co_await process_.services_known();
  CO_TRY(gateway::Started started,
         co_await process_.requests().start(
             local_caller(),
             {.conversation = std::move(conversation), .text = std::move(text), .piped = std::move(piped)}));
  if (const auto* not_accepted = std::get_if<gateway::NotAccepted>(&started)) co_return exit_code_of(*not_accepted);
  co_return co_await follow_events(std::get<gateway::Accepted>(std::move(started)));
}

Task<Result<ExitCode>> Foreground::call(std::string conversation, std::string tool, json::object arguments) {
  print_result();
  CO_TRY(const auto found, process_.registry().find(tool));
  tool = found->spec().name;
  // Arguments are settled by the services that are known; a list that comes later would change what was judged.
  co_await process_.services_known();
  CO_TRY(gateway::Started started,
         co_await process_.requests().call(local_caller(),
                                           {std::move(conversation), std::move(tool), std::move(arguments)}));
  if (const auto* not_accepted = std::get_if<gateway::NotAccepted>(&started))
    co_return std::unexpected(error_of(*not_accepted));
  co_return co_await follow_events(std::get<gateway::Accepted>(std::move(started)));
}

Task<Result<ExitCode>> Foreground::follow(RunId run) {
  CO_TRY(co_await process_.requests().check_not_paused());
  CO_TRY(gateway::Accepted accepted, co_await process_.requests().watch(local_caller(), run));
  co_return co_await follow_events(std::move(accepted));
}

Task<Result<ExitCode>> Foreground::follow_events(gateway::Accepted accepted) {
  run_ = accepted.run;
  for (;;) {
    CO_TRY(gateway::Event event, co_await accepted.events.next());
    if (const auto* paused = std::get_if<gateway::PausedBy>(&event.what)) co_return std::unexpected(paused->why);
    if (const auto* progress = std::get_if<gateway::Progress>(&event.what)) print_progress(progress->line);
    if (const auto* background = std::get_if<gateway::InBackground>(&event.what)) print_background(*background);
    if (auto* ended = std::get_if<gateway::Ended>(&event.what))
      co_return co_await print_end(accepted.run, std::move(*ended));
    if (const auto* waiting = std::get_if<gateway::Waiting>(&event.what)) {
      const channel::Card& card = waiting->cards.front();
      const auto first = std::ranges::find_if_not(card.interactions, channel::is_settled);
      CO_TRY(const bool answered, co_await answer_here(card, *first));
      if (!answered) co_return print_waiting(accepted.run, *waiting);
    }
  }
}

// Background calls end with this process, so it waits for them.
void Foreground::print_background(const gateway::InBackground& background) {
  for (const RunId& run : background.runs) {
    context_.outside.errors << fmt::format("notice: task {} works in the background; waiting for it to end\n",
                                           channel::short_id(run))
                            << std::flush;
  }
}

Task<Result<bool>> Foreground::is_pending(InteractionId id) {
  CO_TRY(const std::vector<store::InteractionRow> rows, co_await process_.store().interactions({.id = id}));
  co_return !rows.empty();
}

Task<Result<std::optional<std::string>>> Foreground::next_answer(InteractionId id) {
  channel::InputLines& lines = answers_ ? *answers_ : input_;
  for (;;) {
    CO_TRY(std::optional<std::string> line, co_await lines.next(kBetweenLooks));
    if (line || lines.ended()) co_return line;
    CO_TRY(const bool pending, co_await is_pending(id));
    if (!pending) co_return std::nullopt;
  }
}

std::string Foreground::prompt_text(const channel::Card& card, const channel::ShownInteraction& shown,
                                    const interaction::Draft& draft) const {
  if (answers_) return channel::waiting_text(card, shown, draft) + channel::how_to_approve(shown) + "> ";
  const std::string text = channel::waiting_text(card, shown, draft, channel::columns());
  const auto* approval = std::get_if<channel::ShownApproval>(&shown.what);
  return text + (approval == nullptr ? "> " : channel::approval_prompt(*approval) + "(then Enter) ");
}

Task<Result<bool>> Foreground::answer_here(channel::Card card, channel::ShownInteraction shown) {
  const bool typed = !answers_ && input_.is_terminal();
  if (!typed && !answers_) co_return false;
  std::ostream& errors = context_.outside.errors;
  std::vector<std::string> texts;
  interaction::Draft draft = channel::first_draft(shown);
  for (;;) {
    if (typed) input_.discard();
    errors << prompt_text(card, shown, draft) << std::flush;
    set_asking(true);
    const Result<std::optional<std::string>> line = co_await next_answer(shown.id);
    set_asking(false);
    if (line && !*line) {
      errors << "\n";
      CO_TRY(const bool pending, co_await is_pending(shown.id));
      co_return !pending;
    }
    // The card is shown in full already.
    const auto* approval = std::get_if<channel::ShownApproval>(&shown.what);
    const std::string said = line ? line->value_or("") : std::string();
    if (typed && approval != nullptr && channel::is_explain(said)) {
      errors << channel::grant_words(*approval);
      continue;
    }
    channel::ReadAnswer read;
    if (line) {
      if (answers_) errors << channel::shown_line(said) << "\n" << std::flush;
      texts.push_back(said);
      read = answers_ ? channel::read_answer_of_script(card, shown, texts) : channel::read_answer(card, shown, texts);
    } else {
      read = line.error();
    }
    if (auto* press = std::get_if<channel::Press>(&read)) {
      CO_TRY(const gateway::AnswerReceipt receipt,
             co_await process_.requests().answer(local_caller(), shown.id, std::move(*press)));
      CO_TRY(check_settled(receipt.verdict));
      co_return true;
    }
    if (auto* more = std::get_if<channel::More>(&read)) draft = std::move(more->draft);
    if (const auto* error = std::get_if<Error>(&read)) {
      errors << channel::shown_lines(describe(*error));
      if (answers_) co_return false;
      if (line) texts.pop_back();
    }
  }
}

Task<Result<ExitCode>> Foreground::print_end(RunId run, gateway::Ended ended) {
  // Without an answer here, another process has already delivered it.
  std::string text = answer_.empty() || prints_result_ ? ended.answer : answer_;
  // A failed call may have stored the output of an earlier handler, which is not its result.
  if (prints_result_ && ended.is_one_call && !ended.calls.empty() &&
      ended.calls.front().status == run::CallStatus::success) {
    // The whole stored result: a model can read the rest with another call, a person cannot.
    Result<std::string> whole = co_await process_.store().result(run, ended.calls.front().id);
    if (whole) text = *std::move(whole);
  }
  if (context_.json) {
    const json::object end{{"run", run.text()}, {"outcome", ended.outcome}, {"answer", text}};
    context_.outside.out << json::serialize(end) << "\n";
  } else if (prints_result_) {
    const std::string shown = channel::shown_lines(text);
    context_.outside.out << shown << (shown.ends_with('\n') ? "" : "\n");
  } else if (answer_.empty()) {
    context_.outside.out << answer_text(text);
  }
  co_return exit_code_of(ended);
}

ExitCode Foreground::print_waiting(RunId run, const gateway::Waiting& waiting) {
  std::ostream& out = context_.outside.out;
  json::array list;
  for (const channel::Card& card : waiting.cards) {
    for (const channel::ShownInteraction& shown : card.interactions) {
      if (channel::is_settled(shown)) continue;
      if (context_.json) {
        list.push_back(waiting_json(card, shown, answering_command(context_, shown.id.text())));
      } else {
        out << channel::whole_text(card, shown, width_of(context_))
            << how_to_answer(shown, answering_command(context_, short_id_among(shown.id, waiting.cards)));
      }
    }
  }
  if (context_.json) {
    const json::object end{{"run", run.text()}, {"outcome", "waiting"}, {"waiting", std::move(list)}};
    out << json::serialize(end) << "\n";
  }
  return ExitCode::waiting;
}

namespace {

// Waits for the task and prints its error; after a signal, `deputy runs resume` can continue the run.
ExitCode finish(const Context& context, Process& process, Foreground& foreground, Task<Result<ExitCode>> task) {
  const Result<ExitCode> code = process.wait(std::move(task));
  process.stop();  // its channel prints through the foreground, which is destroyed after it
  if (code) return *code;
  const std::optional<RunId> run = foreground.run();
  if (code.error().kind == ErrorKind::cancelled && run) {
    context.outside.errors << fmt::format(
        "deputy: stopped; `deputy runs resume {0}` continues the run, `deputy runs cancel "
        "{0}` ends it\n",
        channel::short_id(*run));
    return ExitCode::failed;
  }
  return print_failure(context, code.error(), Stage::working);
}

// Prepares what an existing run needs before it continues.
void make_ready_for(RunId run, Process& process, Foreground& foreground) {
  process.wait_for_services();
  const Result<gateway::RunView> view = process.wait(process.requests().read(local_caller(), run));
  if (view && view->state.request().only_call) foreground.print_result();
}

ExitCode in_foreground(const Context& context, std::string conversation, std::optional<RunId> there,
                       std::string_view when_held, const BeginConversation& begin) {
  const auto process = Process::open(context, {conversation});
  if (!process) return print_failure(context, process.error());
  const Result<> held = (*process)->wait(hold_conversation(**process, conversation));
  if (!held && held.error().kind == ErrorKind::conflict && !when_held.empty()) {
    context.outside.errors << when_held << "\n";
    return ExitCode::done;
  }
  if (!held) return print_failure(context, held.error());
  Foreground foreground(context, **process);
  if (const Result<> opened = foreground.open(); !opened) return print_failure(context, opened.error());
  if (there) make_ready_for(*there, **process, foreground);
  (*process)->start();
  return finish(context, **process, foreground, begin(foreground, std::move(conversation)));
}

}  // namespace

void add_answers(CLI::App& command, Context& context) {
  command
      .add_option("--answers", context.answers,
                  "Answer its questions with the lines of this file; approvals with `approve CODE` alone")
      ->type_name("FILE");
}

ExitCode begin_in_foreground(const Context& context, const BeginConversation& begin) {
  return in_foreground(context, channel::terminal_conversation(os_user(), Ulid::make(SystemClock().now()).text()),
                       std::nullopt, {}, begin);
}

ExitCode follow_in_foreground(const Context& context, const store::RunRow& run, std::string_view when_held) {
  return in_foreground(context, run.conversation, run.run, when_held,
                       [&](Foreground& foreground, const std::string&) { return foreground.follow(run.run); });
}

}  // namespace deputy::app
