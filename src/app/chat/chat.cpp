#include "app/chat/chat.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <csignal>
#include <ranges>

#include "app/chat/attachments.h"
#include "app/foreground.h"
#include "app/models.h"
#include "app/settings.h"
#include "base/log.h"
#include "base/process.h"
#include "base/text.h"
#include "channel/terminal/answer_text.h"
#include "channel/terminal/styled_text.h"
#include "gateway/inbound/routing_facts.h"
#include "gateway/requests.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::app {

namespace {

constexpr std::size_t kMaxLeftShown = 5;
constexpr std::size_t kMaxHeadline = 70;
constexpr std::chrono::milliseconds kFrame{100};
constexpr std::chrono::milliseconds kRestOfAWord{300};
constexpr int kMaxRuns = 200;
constexpr int kMaxOwing = 5;  // how many runs are checked for pending deliveries

bool is_unfinished(const store::RunRow& row) { return row.state != store::RunStatus::finished; }

bool is_over(const store::DeliveryRow& delivery) {
  return delivery.state == store::DeliveryState::sent || delivery.state == store::DeliveryState::dead;
}

constexpr std::size_t kMaxTried = 3;

constexpr auto kTries = std::to_array<Try>({
    {"get_recent_errors", "what is failing in prod?"},
    {"list_services", "which services are there?"},
    {"search_code", "where is \"timeout\" in the code?"},
    {"shell", "run `ls -l`"},
    {"list_files", "which files are there?"},
    {"search_history", "what was asked about timeouts before?"},
});

bool is_ready(const std::vector<toolkit::ToolListing>& tools, std::string_view name) {
  return std::ranges::any_of(
      tools, [&](const toolkit::ToolListing& tool) { return tool.name == name && tool.enabled && tool.configured; });
}

}  // namespace

Chat::Chat(const Context& context, Process& process, Session session, Begins begins, std::string only_request)
    : context_(context),
      process_(process),
      session_(std::move(session)),
      begins_(begins),
      only_request_(std::move(only_request)),
      user_(os_user()),
      kind_(terminal_of(context)),
      history_(process.data() / kChatHistory),
      lines_(context.outside.input),
      inbox_(process.executor()),
      signals_(process.executor()),
      frame_timer_(process.executor()),
      one_key_timer_(process.executor()),
      look_timer_(process.executor()) {}

Chat::~Chat() { close(); }

ExitCode Chat::carry() {
  if (const Result<> opened = open(); !opened) return print_failure(context_, opened.error());
  const Result<ExitCode> code = process_.wait(run(), Process::Signals::left_to_the_task);
  close();
  process_.stop();  // its channel prints through the chat
  if (code) return *code;
  goes_to_.reset();
  return print_failure(context_, code.error(), Stage::working);
}

Result<> Chat::open() {
  if (kind_.drawing == Drawing::keys) open_terminal();
  hear_signals();
  screen_ = std::make_unique<Screen>(context_.outside.out, editor_.get());
  view_ = std::make_unique<LiveView>(
      *screen_, process_.clock(), kind_.colours, [this] { animate(); }, [this] { inbox_.push({}); });
  if (process_.settings().models.is_offline()) view_->expect_quotes();
  if (is_for_one_request()) view_->name_runs();
  process_.set_session(Process::Yolo::off);
  channel_ = std::make_shared<channel::TerminalChannel>(user_, *view_);
  TRY(process_.compose({channel_}));
  changes_ = process_.requests().on_change([this] { inbox_.push({}); });
  return {};
}

void Chat::open_terminal() {
  raw_ = std::make_unique<RawMode>(context_.outside.input);
  keys_ = std::make_unique<TerminalInput>(process_.executor(), context_.outside.input,
                                          channel::TerminalEvents{[this](const Key& key) { on_key(key); },
                                                                  [this] { inbox_.push({TerminalEvent::Kind::end}); }});
  editor_ = std::make_unique<LineEditor>(
      history_.read(), [this](std::string_view typed) { return complete(typed, words_to_complete()); });
  // Print log lines through the screen, so that they do not damage the drawing. They may come from any thread.
  log::set_sink([this, loop = process_.executor()](std::string_view line) {
    asio::post(loop, [this, text = std::string(line)] {
      if (!closed_) print(styled(channel::one_line(text), channel::Style::dim, kind_.colours) + "\n");
    });
  });
}

void Chat::close() {
  if (closed_) return;
  closed_ = true;
  boost::system::error_code ignored;
  signals_.clear(ignored);  // from now on a signal ends the process
  frame_timer_.cancel();
  one_key_timer_.cancel();
  look_timer_.cancel();
  if (editor_) log::set_sink({});
  if (keys_) keys_->stop();
  if (screen_) screen_->close();
  editor_.reset();
  raw_.reset();
}

Task<Result<ExitCode>> Chat::run() {
  CO_TRY(co_await enter_session(process_, user_, session_));
  if (!is_for_one_request()) CO_TRY(co_await begin());
  if (begins_ == Begins::taken_up) co_await process_.services_known();  // its runs continue at once and may need them
  process_.start();
  if (keys_) keys_->start();
  Going going = Going::on;
  if (is_for_one_request()) {
    CO_TRY(going, co_await make_request());
  }
  while (going == Going::on) {
    CO_TRY(going, co_await follow());
  }
  Task<Result<ExitCode>> ending = is_for_one_request() ? end_request() : end();
  CO_TRY(const ExitCode code, co_await std::move(ending));
  co_return code;
}

Task<Result<>> Chat::begin() {
  const Settings& settings = process_.settings();
  print_wrapped(welcome(who_answers(settings.models), process_.registry().list(settings.tools.by_category())));
  for (const std::string& line : model_addresses(settings)) print_wrapped(line + "\n");
  if (begins_ == Begins::taken_up) CO_TRY(co_await show_where_it_stands());
  CO_TRY(co_await show_what_is_left());
  set_usual_prompt();
  co_return Result<>{};
}

// Shows the last request and its answer, and the progress of running calls.
Task<Result<>> Chat::show_where_it_stands() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  bool told = false;
  for (const store::RunRow& row : rows) {
    if (told && row.state == store::RunStatus::finished) continue;
    const Result<gateway::RunView> read = co_await process_.requests().read(local_caller(), row.run);
    if (!read) continue;
    const run::RunState* state = &read->state;
    process_.requests().show_progress(*read);
    if (told || row.parent) continue;
    told = true;
    print(fmt::format("Continuing {}. The last request was:\n", channel::with_short_ids(session_.conversation)));
    print(styled("> " + channel::one_line(cut_with_mark(state->request().text, 300)), channel::Style::dim,
                 kind_.colours) +
          "\n");
    if (const auto& replied = state->replied) print(channel::ansi_text(replied->text, kind_.colours, screen_->width()));
  }
  co_return Result<>{};
}

// Shown here because no other process works on this user's terminal conversations by itself.
Task<Result<>> Chat::show_what_is_left() {
  CO_TRY(const std::vector<UnfinishedRun> left, co_await left_elsewhere(process_, user_, session_));
  for (const UnfinishedRun& one : left | std::views::take(kMaxLeftShown)) {
    print_wrapped(fmt::format(
        "{}: {}. `deputy chat --resume {}` continues it.\n", one.waits ? "Waiting for your answer" : "Not finished",
        channel::one_line(cut_with_mark(one.run.headline, kMaxHeadline)), channel::short_id(one.run.run)));
  }
  if (left.size() > kMaxLeftShown) print("There are more unfinished runs: `deputy runs list` shows them.\n");
  co_return Result<>{};
}

Task<Result<ExitCode>> Chat::end() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  const bool unfinished = std::ranges::any_of(rows, is_unfinished);
  if (unfinished) print("Not everything is finished; `deputy chat --resume` continues it.\n");
  CO_TRY(co_await leave(rows));
  if (said_paused_ && unfinished && !lines_.is_terminal()) co_return ExitCode::refused;
  const bool leaves_some_waiting = unfinished && kind_.drawing == Drawing::lines;
  co_return leaves_some_waiting ? ExitCode::waiting : ExitCode::done;
}

Task<Result<>> Chat::leave(std::vector<store::RunRow> rows) {
  const bool works =
      std::ranges::any_of(rows, [](const store::RunRow& row) { return row.state == store::RunStatus::open; });
  if (works) print("Waiting for calls that must not be interrupted; Ctrl-C leaves at once.\n");
  co_return co_await leave_session(process_, user_, session_);
}

Task<Result<Chat::Going>> Chat::follow() {
  CO_TRY(Going going, co_await follow_request());
  if (going == Going::on) {
    CO_TRY(going, co_await ask_what_waits());
  }
  if (going == Going::leaves) co_return going;
  CO_TRY(co_await take_summary());
  Pull pull = Pull::no;
  bool resting = false;
  if (kind_.drawing == Drawing::lines) {
    CO_TRY(resting, co_await rests());
    if (resting) pull = Pull::yes;
  }
  if (!resting && !is_for_one_request()) {
    CO_TRY(going, co_await heed_pause());
    if (going == Going::leaves) co_return going;
  }
  TerminalEvent event = co_await next_event(pull);
  co_return co_await act_on(std::move(event));
}

Task<TerminalEvent> Chat::next_event(Pull pull) {
  if (kind_.drawing == Drawing::lines) co_return co_await next_of_pipe(pull);
  TerminalEvent event = co_await inbox_.next();
  if (event.kind != TerminalEvent::Kind::key || form_has_keys_ || takes_escape_) co_return event;
  on_key(event.key);  // pressed just as its form was closed
  co_return TerminalEvent{};
}

// The next line of a pipe is read only when everything before it is finished, so that lines are handled in order.
Task<TerminalEvent> Chat::next_of_pipe(Pull pull) {
  if (pull == Pull::yes) {
    Result<std::optional<std::string>> line = lines_.take();
    if (!line) {
      print_problem(line.error());
      co_return TerminalEvent{};
    }
    if (std::optional<std::string>& typed = *line; typed)
      co_return TerminalEvent{
          .kind = TerminalEvent::Kind::line, .line = *std::move(typed), .key = {}, .prompt = prompt_};
    if (lines_.ended()) co_return TerminalEvent{TerminalEvent::Kind::end};
    lines_.when_ready(process_.executor(), [this] { inbox_.push({}); });
  }
  co_return co_await inbox_.next();
}

// An error does not end the chat: the line can be typed again.
Task<Result<Chat::Going>> Chat::act_on(TerminalEvent event) {
  if (event.kind == TerminalEvent::Kind::end || event.kind == TerminalEvent::Kind::leave) co_return Going::leaves;
  Result<Going> going = Going::on;
  const TerminalEvent::Kind kind = event.kind;
  if (kind == TerminalEvent::Kind::line) going = co_await act_on_line(std::move(event));
  if (kind == TerminalEvent::Kind::interrupt) going = co_await interrupt();
  if (going) co_return going;
  print_problem(going.error());
  co_return Going::on;
}

Task<Result<Chat::Going>> Chat::act_on_line(TerminalEvent typed) {
  interrupts_ = 0;
  const std::string& line = typed.line;
  if (trim(line).empty()) co_return Going::on;
  history_.add(line);
  if (editor_ && is_kept(line)) editor_->remember(line);
  if (is_slash(line)) {
    CO_TRY(SlashCommand wish, read_slash(line));
    co_return co_await command(std::move(wish));
  }
  if (!lines_.is_terminal() && std::holds_alternative<interaction::TypedApprove>(interaction::read_decision(line))) {
    co_return fail(ErrorKind::permission, std::string(kPipesApproveNothing),
                   "`deputy interactions list` lists what waits, with the command that answers it");
  }
  if (is_for_one_request() && !interaction::is_stop(line))
    co_return fail(ErrorKind::conflict, "nothing asks for an answer now");
  if (editor_ && !interaction::is_stop(line)) {
    CO_TRY(const std::optional<Asked> waits, co_await next_to_ask());
    CO_TRY(const bool by_hand, co_await works_by_hand());
    if (waits || by_hand) {
      keep_line(std::move(typed));
      co_return Going::on;
    }
  }
  CO_TRY(co_await send(std::move(typed)));
  co_return Going::on;
}

Task<Result<>> Chat::send(TerminalEvent typed) {
  Attachments files = attached_to(typed.line, typed.pasted, context_.outside.working_dir);
  if (!files.problems.empty()) co_return fail(ErrorKind::invalid_input, join(files.problems, "; "));
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  const bool is_note = std::ranges::any_of(
      rows, [](const store::RunRow& row) { return row.state == store::RunStatus::open && !row.parent; });
  if (is_note && !files.text.empty())
    co_return fail(ErrorKind::conflict, "a note to a running request takes no files", "wait for its answer");
  if (!files.names.empty()) print_dim("with " + join(files.names, ", "));
  if (count_characters(typed.line) > gateway::kMaxRequest)
    print_dim(fmt::format("Only the first {} characters are sent. A file that a tool can read may be longer.",
                          gateway::kMaxRequest));
  co_await process_.services_known();
  std::string with = is_note ? std::string() : std::exchange(summary_, {}) + files.text;
  CO_TRY(
      co_await channel_->says(session_.conversation, std::move(typed.line), process_.clock().now(), std::move(with)));
  if (is_note) print_dim("Noted: it is read before the next step.");
  co_return Result<>{};
}

Task<Result<Chat::Going>> Chat::interrupt() {
  if (++interrupts_ > 1) co_return Going::leaves;
  if (editor_) screen_->redraw_after([this] { editor_->replace(""); });
  CO_TRY(const bool stopped, co_await stop_runs());
  print(stopped ? "Stopping. Ctrl-C again leaves.\n" : "Ctrl-C again leaves.\n");
  if (!std::exchange(kept_lines_, {}).empty()) print("Your line was not sent; the Up key brings it back.\n");
  co_return Going::on;
}

Task<Result<bool>> Chat::stop_runs(std::optional<RunId> also) {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  bool stopped = false;
  // What one request left in the background is all that it still does.
  const bool is_answered =
      std::ranges::all_of(rows, [](const store::RunRow& row) { return row.parent || !is_unfinished(row); });
  const bool with_children = is_for_one_request() && is_answered;
  for (const store::RunRow& row : rows) {
    if ((row.parent && row.run != also && !with_children) || !is_unfinished(row)) continue;
    const auto told = co_await process_.requests().stop(local_caller(), row.run);
    if (!told && told.error().kind != ErrorKind::conflict) print_problem(told.error());
    stopped = true;
  }
  co_return stopped;
}

// While everything is paused, a person at a terminal is told once. A pipe ends, because it would wait for ever.
Task<Result<Chat::Going>> Chat::heed_pause() {
  const Result<> paused = co_await process_.requests().check_not_paused();
  if (!paused && paused.error().kind != ErrorKind::permission) co_return std::unexpected(paused.error());
  if (paused) {
    said_paused_ = false;
    co_return Going::on;
  }
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  if (std::ranges::none_of(rows, is_unfinished)) co_return Going::on;
  if (!said_paused_) print_problem(paused.error());
  said_paused_ = true;
  co_return lines_.is_terminal() ? Going::on : Going::leaves;
}

// True if no run works and every delivery is shown. A parked run without a pending question is about to continue.
Task<Result<bool>> Chat::rests() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  CO_TRY(const store::ConversationRow here, co_await process_.store().conversation(session_.conversation));
  int looked_at = 0;
  for (const store::RunRow& row : rows) {  // newest first
    if (row.state == store::RunStatus::open && !row.parent) co_return false;
    if (row.state == store::RunStatus::parked && !row.parent && here.pending.empty()) co_return false;
    if (++looked_at > kMaxOwing) continue;
    CO_TRY(const std::vector<store::DeliveryRow> owed, co_await process_.store().deliveries({.run = row.run}));
    if (!std::ranges::all_of(owed, is_over)) co_return false;
  }
  co_return true;
}

Task<Result<std::vector<store::RunRow>>> Chat::runs_here() {
  store::RunFilter filter;
  filter.conversation = session_.conversation;
  filter.most = kMaxRuns;
  co_return co_await process_.store().runs(filter);
}

void Chat::on_key(const Key& key) {
  if (key.kind == KeyKind::interrupt) {
    one_key_pressed_ = false;
    return inbox_.push({TerminalEvent::Kind::interrupt});
  }
  interrupts_ = 0;
  if (form_has_keys_ || (takes_escape_ && key.kind == KeyKind::escape))
    return inbox_.push({.kind = TerminalEvent::Kind::key, .line = {}, .key = key, .prompt = prompt_});
  if (!screen_->shows_typing()) {
    if (key.kind == KeyKind::character && !std::exchange(said_it_reads_nothing_, true))
      print_dim("What is typed now is not read. Ctrl-C stops the request; `deputy chat` takes notes to it.");
    return;
  }
  if (answers_at_once(key)) return;
  if (key.kind == KeyKind::end_of_input && editor_->empty()) return inbox_.push({TerminalEvent::Kind::end});
  if (key.kind == KeyKind::clear_screen) return screen_->clear();
  LineEditor::Fed fed = LineEditor::Fed::edited;
  screen_->redraw_after([&] { fed = editor_->feed(key); });
  if (fed == LineEditor::Fed::sends) return send_line();
  if (editor_->is_idle()) inbox_.push({});  // what waits can be asked now
}

// A letter answers an approval without Enter, unless it begins something else that is being typed: "any news?". Who
// types the rest of the word or Enter means the same answer.
bool Chat::answers_at_once(const Key& key) {
  if (std::chrono::steady_clock::now() < rest_until_) {
    const bool goes_on = key.kind == KeyKind::character && rest_of_word_.starts_with(key.bytes);
    if (goes_on) rest_of_word_.remove_prefix(key.bytes.size());
    if (!goes_on) rest_until_ = {};
    if (goes_on || key.kind == KeyKind::enter) return true;
  }
  if (std::exchange(one_key_pressed_, false)) {
    one_key_timer_.cancel();
    const bool goes_on = key.kind == KeyKind::character && rest_of_word_.starts_with(key.bytes);
    if (!goes_on) return false;
    rest_of_word_.remove_prefix(key.bytes.size());
    answer_at_once();
    return true;
  }
  if (one_key_words_.empty() || !editor_->is_idle()) return false;
  // An old line in front of the choices would take the next letter for its own.
  if (key.kind == KeyKind::up || key.kind == KeyKind::down) return true;
  if (key.kind != KeyKind::character) return false;
  const auto word =
      std::ranges::find_if(one_key_words_, [&](std::string_view one) { return one.starts_with(to_lower(key.bytes)); });
  if (word == one_key_words_.end()) return false;
  screen_->redraw_after([&] { editor_->feed(key); });
  rest_of_word_ = word->substr(1);
  one_key_pressed_ = true;
  one_key_timer_.expires_after(kRestOfAWord);
  one_key_timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error && !closed_ && std::exchange(one_key_pressed_, false)) answer_at_once();
  });
  return true;
}

void Chat::answer_at_once() {
  send_line();
  one_key_words_ = {};  // a second key answers nothing: the prompt is gone
  rest_until_ = std::chrono::steady_clock::now() + kRestOfAWord;
}

CompletionWords Chat::words_to_complete() {
  CompletionWords words{.tools = {}, .services = {}, .models = {}, .folder = context_.outside.working_dir};
  for (const toolkit::ToolListing& tool : process_.registry().list(process_.settings().tools.by_category())) {
    if (tool.enabled && tool.configured) words.tools.push_back(tool.name);
  }
  for (const intent::KnownService& service : process_.rules().services) words.services.push_back(service.key);
  return words;
}

void Chat::send_line() {
  channel::TypedLine typed = screen_->end_line();
  inbox_.push({.kind = TerminalEvent::Kind::line,
               .line = std::move(typed.text),
               .key = {},
               .prompt = prompt_,
               .pasted = std::move(typed.pasted)});
}

void Chat::hear_signals() {
  std::vector<int> heard{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  if (editor_) heard.insert(heard.end(), {SIGWINCH, SIGCONT});
  for (const int signal : heard) {
    signals_.add(signal);
    restart_interrupted_calls(signal);
  }
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error || closed_) return;
    if (signal == SIGINT) {
      if (keys_) keys_->forget();  // the terminal drops unread input too
      inbox_.push({TerminalEvent::Kind::interrupt});
    }
    if (signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) inbox_.push({TerminalEvent::Kind::leave});
    if (signal == SIGWINCH) {
      screen_->redraw_after([] {});
      inbox_.push({});
      // A form and a page are drawn again after any key.
      if (form_has_keys_) inbox_.push({.kind = TerminalEvent::Kind::key, .key = {KeyKind::other}, .prompt = prompt_});
    }
    if (signal == SIGCONT) screen_->redraw_after([this] { raw_->take(); });
    hear_signals();
  });
}

// Redraws at a fixed rate while something is animated.
void Chat::animate() {
  if (closed_ || !editor_) return;
  view_->draw(frame_);
  if (animated_ || !view_->is_moving()) return;
  animated_ = true;
  frame_timer_.expires_after(kFrame);
  frame_timer_.async_wait([this](const boost::system::error_code& error) {
    animated_ = false;
    if (error || closed_) return;
    ++frame_;
    animate();
  });
}

void Chat::set_prompt(std::string prompt) {
  ++prompt_;
  if (editor_) screen_->redraw_after([&] { editor_->set_prompt(std::move(prompt)); });
}

void Chat::set_usual_prompt() {
  if (is_for_one_request()) return hide_typing();
  set_prompt(
      (asks_ ? styled(">", channel::Style::bold, kind_.colours) : styled("yolo>", channel::Style::red, kind_.colours)) +
      " ");
}

void Chat::hide_typing() {
  ++prompt_;
  if (!editor_) return;
  editor_->replace("");
  screen_->set_typing(Screen::Typing::hidden);
}

void Chat::print_wrapped(std::string_view lines) { print(channel::wrapped_text(lines, screen_->width())); }

void Chat::print_dim(std::string_view line) { print_styled(line, channel::Style::dim); }

void Chat::print_problem(const Error& error) {
  print_styled(channel::with_short_ids(describe(error)), channel::Style::red);
}

void Chat::print_styled(std::string_view line, channel::Style style) {
  const std::string rows = channel::wrapped_text(channel::one_line(line), screen_->width());
  for (const std::string_view row : split(trim(rows), "\n")) print(styled(row, style, kind_.colours) + "\n");
}

std::span<const Try> tries() { return kTries; }

std::string welcome(std::string_view answering, const std::vector<toolkit::ToolListing>& tools) {
  std::vector<std::string> shown;
  for (const Try& one : kTries) {
    if (shown.size() < kMaxTried && is_ready(tools, one.tool)) shown.emplace_back(one.words);
  }
  std::string text = fmt::format("Deputy. Your requests are answered by {}. /help lists the commands.\n", answering);
  if (!shown.empty()) text += "Try: " + join(shown, " · ") + "\n";
  return text;
}

}  // namespace deputy::app
