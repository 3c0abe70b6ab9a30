#include "app/chat/chat_view.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "channel/terminal/plain_text.h"

namespace deputy::app {

namespace {

using channel::Style;

constexpr auto kFrames = std::to_array<std::string_view>({"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"});
constexpr std::size_t kRowsOfAnUnfinishedLine = 6;

// A footer ends with its run.
std::optional<RunId> run_of(std::string_view footer) {
  if (footer.size() < Ulid::kLength) return std::nullopt;
  const Result<RunId> run = RunId::parse(footer.substr(footer.size() - Ulid::kLength));
  return run ? std::optional(*run) : std::nullopt;
}

}  // namespace

std::vector<std::string> last_rows(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> rows;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t bytes = decode_utf8(text).bytes;
    const std::size_t wide = width_of(text.substr(0, bytes));
    if (rows.empty() || used + wide > width) {
      rows.emplace_back();
      used = 0;
    }
    rows.back() += text.substr(0, bytes);
    used += wide;
    text.remove_prefix(bytes);
  }
  if (rows.size() > most) rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(most));
  return rows;
}

ChatView::ChatView(Screen& screen, const toolkit::Registry& registry, const Clock& clock, channel::Colours colours,
                   std::function<void()> changed)
    : screen_(screen), clock_(clock), colours_(colours), changed_(std::move(changed)), progress_(registry, colours) {}

void ChatView::on_text(RunId run, std::string_view, std::string_view part) {
  if (progress_.is_child(run)) return;
  AnswerStream& stream = streams_.try_emplace(run, colours_).first->second;
  show(stream.feed(part));
  changed_();
}

void ChatView::on_thinking(RunId run, std::string_view, std::string_view part) {
  if (!progress_.is_child(run)) progress_.on_thinking(run, part);
}

// The status is drawn again by itself while something runs.
void ChatView::on_delta(RunId run, std::string_view, std::string_view call, std::string_view part) {
  progress_.on_delta(run, call, part);
}

void ChatView::on_entry(RunId run, std::string_view, const run::EntryBody& body) {
  const auto stream = streams_.find(run);
  std::string lines;
  // An answer that was cut goes on in the same line.
  const auto* turn = std::get_if<run::ModelReplied>(&body);
  const bool ends_turn =
      std::holds_alternative<run::Replied>(body) || (turn != nullptr && turn->stop != run::ReplyStop::max_tokens);
  if (stream != streams_.end() && ends_turn) screen_.print(stream->second.end());
  const auto by_hand = by_hand_.find(run);
  const auto* finished = std::get_if<run::CallFinished>(&body);
  if (finished != nullptr && by_hand != by_hand_.end()) by_hand->second = finished->text;
  if (const auto* replied = std::get_if<run::Replied>(&body)) {
    const bool streamed = stream != streams_.end() && trim(stream->second.said()) == trim(replied->text);
    const bool is_result = by_hand != by_hand_.end() && trim(by_hand->second) == trim(replied->text);
    if (streamed || is_result) shown_.insert(run);
    if (stream != streams_.end()) streams_.erase(stream);
    by_hand_.erase(run);
  }
  lines += progress_.on_entry(run, body, clock_.now());
  show(lines);
  changed_();
}

void ChatView::know_by_hand(RunId run, const run::CallRequested& call) {
  if (has_line(call.tool)) by_hand_.emplace(run, std::string());
  progress_.know_call(run, call);
}

void ChatView::answer(const channel::Message& message) {
  const std::optional<RunId> run = run_of(message.footer);
  const bool was_shown = run && shown_.erase(*run) > 0;
  std::string text = was_shown ? std::string() : channel::ansi_text(message.markdown, colours_);
  if (!message.footer.empty()) text += styled("— " + channel::one_line(message.footer), Style::dim, colours_) + "\n";
  screen_.print(text);
  changed_();
}

void ChatView::notice(const channel::Message& message) {
  screen_.print(channel::ansi_text(message.markdown, colours_));
}

bool ChatView::is_moving() const { return !has_form_ && !progress_.status(clock_.now()).empty(); }

void ChatView::draw(std::size_t frame) {
  frame_ = frame;
  show({});
}

void ChatView::show(std::string_view lines) {
  if (has_form_) return screen_.print(lines);
  std::vector<std::string> rows;
  for (const auto& [run, stream] : streams_) {
    for (std::string& row : last_rows(stream.tail(), columns() - 1, kRowsOfAnUnfinishedLine))
      rows.push_back(std::move(row));
  }
  const std::string status = progress_.status(clock_.now());
  if (!status.empty())
    rows.push_back(styled(fmt::format("{} {}", kFrames[frame_ % kFrames.size()], status), Style::dim, colours_));
  screen_.print(lines, std::move(rows));
}

void ChatView::set_form(std::vector<std::string> rows) {
  has_form_ = true;
  screen_.set_typing(Screen::Typing::hidden);
  screen_.print({}, std::move(rows));
}

void ChatView::end_form() {
  has_form_ = false;
  screen_.print({}, {});
  screen_.set_typing(Screen::Typing::shown);
}

}  // namespace deputy::app
