#include "channel/terminal/live_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace deputy::channel {

namespace {

using State = ProgressLine::State;

constexpr auto kFrames = std::to_array<std::string_view>({"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"});
constexpr std::size_t kUnfinishedRows = 6;    // of an answer
constexpr std::size_t kMaxUnfinished = 4000;  // bytes of its last line
constexpr std::size_t kLeastOfALine = 10;     // columns
constexpr std::size_t kMaxDetail = 60;        // characters, of what is running

constexpr std::string_view kDone = "✓";
constexpr std::string_view kDenied = "⊘";
constexpr std::string_view kFailed = "✗";

Style style_of(std::string_view mark) {
  return mark == kDone ? Style::green : mark == kDenied ? Style::yellow : Style::red;
}

std::string detail_of(const ProgressLine& line) {
  const std::string detail = one_line(cut_characters(without_codes(line.detail), kMaxDetail));
  return detail.empty() ? std::string() : "  │ " + detail;
}

}  // namespace

std::string elapsed(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds < 10) return fmt::format("{:.1f} s", std::max<double>(static_cast<double>(time.count()), 0) / 1000);
  if (seconds < 60) return fmt::format("{} s", seconds);
  return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

std::string_view mark_of(const ProgressLine& ended) {
  if (ended.state == State::denied) return kDenied;
  return ended.state == State::done && ended.exit_code == 0 ? kDone : kFailed;
}

std::vector<std::string> last_rows(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> rows;
  std::size_t used = 0;
  bool inside = false;  // a colour sequence of our own
  while (!text.empty()) {
    const std::size_t bytes = decode_utf8(text).bytes;
    if (text.front() == '\x1b') inside = true;
    const std::size_t wide = inside ? 0 : width_of(text.substr(0, bytes));
    if (inside && text.front() == 'm') inside = false;
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

// ---- AnswerStream.

std::string AnswerStream::feed(std::string_view part) {
  const std::size_t before = said_.size();
  said_ += part;
  std::string text;
  for (std::size_t end = said_.find('\n', before); end != std::string::npos; end = said_.find('\n', shown_)) {
    text += lines_.line(std::string_view(said_).substr(shown_, end - shown_));
    shown_ = end + 1;
  }
  return text;
}

std::vector<std::string> AnswerStream::unfinished(std::size_t most) const {
  AnsiMarkdown lines = lines_;
  std::string_view rest = std::string_view(said_).substr(shown_);
  if (rest.size() > kMaxUnfinished) {
    rest.remove_prefix(rest.size() - kMaxUnfinished);
    while ((static_cast<unsigned char>(rest.front()) & 0xC0) == 0x80) rest.remove_prefix(1);
  }
  std::string text = rest.empty() ? std::string() : lines.line(rest);
  text += lines.end();
  if (text.empty()) return {};
  text.pop_back();
  const std::vector<std::string_view> rows = split(text, "\n");
  return {rows.end() - static_cast<std::ptrdiff_t>(std::min(rows.size(), most)), rows.end()};
}

std::string AnswerStream::end() {
  const std::string_view rest = std::string_view(said_).substr(shown_);
  shown_ = said_.size();
  return (rest.empty() ? std::string() : lines_.line(rest)) + lines_.end();
}

// ---- LiveView.

LiveView::LiveView(Screen& screen, const Clock& clock, Colours colours, std::function<void()> changed,
                   std::function<void()> asks)
    : screen_(screen), clock_(clock), colours_(colours), changed_(std::move(changed)), asks_(std::move(asks)) {}

void LiveView::message(const Message& message) {
  switch (message.kind) {
    case Message::Kind::progress:
      if (message.run) show_progress(*message.run, message.progress.value_or(ProgressLine{}));
      break;
    case Message::Kind::notice:
      if (message.was_shown) break;
      after_call_ = false;
      screen_.print(ansi_text(with_short_ids(message.markdown), colours_, screen_.width()));
      break;
    case Message::Kind::answer: {
      std::string text = message.was_shown
                             ? std::string()
                             : parted_from_calls() + ansi_text(message.markdown, colours_, screen_.width());
      after_call_ = false;
      if (!message.footer.empty()) {
        const std::string footer = "— " + with_short_ids(one_line(message.footer));
        text += styled(wrapped_text(footer, screen_.width()), Style::dim, colours_) + "\n";
      }
      screen_.print(text);
      break;
    }
  }
  changed_();
}

void LiveView::stream(const MessageRef& ref, std::string_view part) {
  const auto [stream, begins] = streams_.try_emplace(ref, colours_, screen_.width());
  const std::string above = begins ? parted_from_calls() : std::string();
  show(above + stream->second.feed(part));
  changed_();
}

// Streamed text stays; only the part of the whole message that was not streamed is added.
void LiveView::end_stream(const MessageRef& ref, const Message& whole) {
  const auto stream = streams_.find(ref);
  AnswerStream lines = stream == streams_.end() ? AnswerStream(colours_, screen_.width()) : std::move(stream->second);
  streams_.erase(ref);
  const std::string_view text = whole.markdown;
  const bool goes_on = text.starts_with(lines.said());
  std::string rest = goes_on ? lines.feed(text.substr(lines.said().size())) : std::string();
  rest += lines.end();
  if (!goes_on) rest += ansi_text(text, colours_, screen_.width());
  show((rest.empty() ? std::string() : parted_from_calls()) + rest);
  changed_();
}

void LiveView::show_progress(RunId run, const ProgressLine& line) {
  const std::pair key(run, line.call);
  const Timestamp now = clock_.now();
  std::optional<Timestamp> since;
  if (const auto before = running_.find(key); before != running_.end()) since = before->second.since;
  switch (line.state) {
    case State::thinking:
      thinking_.try_emplace(run, Running{{}, now}).first->second.line = line;
      with_model_.insert(run);
      break;
    case State::running:
      running_.try_emplace(key, Running{{}, now}).first->second.line = line;
      break;
    case State::handed_over:
      running_.erase(key);
      after_call_ = true;
      show(fmt::format("{} [bg] {}  {}\n", styled("⚙", Style::cyan, colours_), one_line(line.line),
                       styled("task " + line.detail.substr(0, kShortId), Style::dim, colours_)));
      return;
    case State::done:
    case State::failed:
    case State::denied:
      running_.erase(key);
      print_ended(run, line, since);
      return;
    case State::gone:
      running_.erase(key);
      if (line.call.empty()) {
        thinking_.erase(run);
      }
      break;
    case State::ended:
      thinking_.erase(run);
      with_model_.erase(run);
      std::erase_if(running_, [&](const auto& one) { return one.first.first == run; });
      break;
  }
  show({});
}

void LiveView::print_ended(RunId run, const ProgressLine& line, std::optional<Timestamp> since) {
  const std::string_view mark = mark_of(line);
  const std::string before = line.is_child && !line.in_background ? "  " : "";
  const std::string background = line.in_background ? "[bg] " : "";
  const std::string code = line.exit_code == 0 ? std::string() : fmt::format("  exit code {}", line.exit_code);
  const std::string time = code + (since ? "  " + elapsed(clock_.now() - *since) : std::string());
  const std::string how_to_see =
      names_runs_ ? "deputy runs show " + short_id(run) : fmt::format("/result {}", results_.size() + 1);
  // What a command says last tells why it failed.
  std::string result = folded(without_codes(line.detail), "    ", screen_.width(), how_to_see,
                              line.exit_code == 0 ? Shown::beginning : Shown::end);
  if (!result.empty()) results_.push_back({run, line.call, line.line, line.detail});
  std::string more;
  // An answer that quotes may leave lines out, and does not say what a call did before it failed or was stopped.
  if (answers_quote_ && line.state == State::done && with_model_.contains(run) && !result.empty()) {
    more = " · " + how_to_see;
    result.clear();
  }
  const std::size_t others = width_of(before + background + time + more) + width_of(mark) + 2;
  const std::size_t room = std::max(screen_.width(), others + kLeastOfALine) - others;
  std::string text = before + styled(mark, style_of(mark), colours_) + " " + background +
                     cut_to_width(one_line(line.line), room) + styled(time + more, Style::dim, colours_);
  after_call_ = true;
  show(text + "\n" + styled(result, Style::dim, colours_));
}

std::string LiveView::status() const {
  const auto oldest = std::ranges::min_element(running_, {}, [](const auto& one) { return one.second.since; });
  if (oldest != running_.end()) {
    const auto& [line, since] = oldest->second;
    const std::string more = running_.size() > 1 ? fmt::format("  (and {} more)", running_.size() - 1) : std::string();
    // The time and the end of its output matter more than the end of a long command.
    const std::string name = cut_to_width(one_line(line.line), std::max(screen_.width() / 2, kLeastOfALine));
    return fmt::format("⚙ {}{} · {}{}{}", line.in_background ? "[bg] " : "", name, elapsed(clock_.now() - since), more,
                       detail_of(line));
  }
  if (thinking_.empty()) return {};
  const auto& [line, since] = thinking_.begin()->second;
  return fmt::format("thinking · {}{}", elapsed(clock_.now() - since), detail_of(line));
}

std::vector<std::string> LiveView::rows() const {
  std::vector<std::string> rows;
  for (const auto& [ref, stream] : streams_) {
    for (std::string& row : stream.unfinished(kUnfinishedRows)) rows.push_back(std::move(row));
  }
  const std::string now = status();
  if (!now.empty())
    rows.push_back(styled(fmt::format("{} {}", kFrames[frame_ % kFrames.size()], now), Style::dim, colours_));
  return rows;
}

void LiveView::draw(std::size_t frame) {
  frame_ = frame;
  show({});
}

void LiveView::show(std::string_view lines) {
  if (has_form_) return screen_.print(lines);
  screen_.print(lines, rows());
}

void LiveView::set_form(std::vector<std::string> rows) {
  has_form_ = true;
  screen_.set_typing(Screen::Typing::hidden);
  screen_.print({}, std::move(rows));
}

void LiveView::end_form() {
  has_form_ = false;
  screen_.print({}, {});
  screen_.set_typing(Screen::Typing::shown);
}

}  // namespace deputy::channel
