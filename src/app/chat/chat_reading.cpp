// /result and /diff: reading what a chat shows only in part.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>

#include "app/chat/chat.h"
#include "base/text.h"
#include "channel/terminal/answer_text.h"
#include "channel/terminal/pager.h"
#include "store/store.h"
#include "toolkit/cut.h"

namespace deputy::app {

namespace {

class OwnPage {
 public:
  explicit OwnPage(channel::Screen& screen) : screen_(screen) {}
  ~OwnPage() { screen_.end_page(); }
  OwnPage(const OwnPage&) = delete;
  OwnPage& operator=(const OwnPage&) = delete;

 private:
  channel::Screen& screen_;
};

constexpr std::string_view kPreview = "preview";  // the handler whose output is the change as a diff

// Changes of files only: other previews are not diffs.
std::string change_in(const run::CallState& call) {
  const run::StepState* preview = call.find_step(kPreview);
  const bool is_done = call.finished && call.finished->status == run::CallStatus::success;
  if (!is_done || preview == nullptr || !preview->done || !preview->done->output) return {};
  const std::string& text = *preview->done->output;
  return text.contains("\n+++ ") ? text : std::string();
}

}  // namespace

Task<Result<Chat::Going>> Chat::show_long(std::string title, std::string lines) {
  channel::Pager pager = channel::pager_of(std::move(title), lines, screen_->width());
  if (!editor_ || channel::fits(pager, channel::window_size())) {
    print(lines);
    co_return Going::on;
  }
  const FormKeys keys(*this);
  const OwnPage page(*screen_);
  for (;;) {
    screen_->show_page(channel::rows_of(pager, channel::window_size(), kind_.colours));
    TerminalEvent event = co_await next_event(Pull::no);
    if (event.kind == TerminalEvent::Kind::look) continue;
    if (event.kind == TerminalEvent::Kind::interrupt) co_return Going::on;
    if (event.kind != TerminalEvent::Kind::key) co_return co_await act_on(std::move(event));
    std::optional<channel::Pager> turned = channel::turn_page(std::move(pager), event.key, channel::window_size());
    if (!turned) co_return Going::on;
    pager = *std::move(turned);
  }
}

Task<Result<Chat::Going>> Chat::show_result(std::string which) {
  const std::vector<LiveView::ShownResult>& results = view_->results();
  std::size_t number = results.size();
  if (!which.empty()) {
    const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), number);
    if (error != std::errc() || end != which.data() + which.size()) number = 0;
  }
  if (number == 0 || number > results.size())
    co_return fail(ErrorKind::not_found, results.empty() ? "no result was shown yet" : "no result of that number",
                   results.empty() ? "" : fmt::format("there are 1 to {}", results.size()));
  const LiveView::ShownResult result = results[number - 1];
  // Errors are not stored as results, and stored results end.
  const Result<std::string> stored = co_await process_.store().result(result.run, result.call);
  const std::string text = stored ? toolkit::for_people(*stored) : result.text;
  co_return co_await show_long(result.line, channel::shown_lines(channel::without_codes(text)));
}

Task<Result<Chat::Going>> Chat::show_changes() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  std::string lines;
  for (const store::RunRow& row : rows | std::views::reverse) {
    const Result<gateway::RunView> read = co_await process_.requests().read(local_caller(), row.run);
    if (!read) continue;
    for (const auto& [id, call] : read->state.calls) {
      const std::string change = change_in(call);
      if (change.empty()) continue;
      for (const std::string_view line : split(trim(change), "\n"))
        lines += channel::highlighted(line, "diff", kind_.colours) + "\n";
    }
  }
  if (lines.empty()) lines = "No file was changed in this conversation.\n";
  co_return co_await show_long("changes", std::move(lines));
}

}  // namespace deputy::app
