#include "channel/terminal/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "channel/terminal/styled_text.h"

namespace deputy::channel {

namespace {

// Most terminals have a second page without history: what was on the first one comes back as it was.
constexpr std::string_view kOtherPage = "\x1b[?1049h";
constexpr std::string_view kUsualPage = "\x1b[?1049l";
constexpr std::string_view kClear = "\x1b[H\x1b[2J";
constexpr std::size_t kMaxHeld = 256UL * 1024;
constexpr std::size_t kMaxRowsKept = 200;  // of a line that was sent

}  // namespace

void Screen::print(std::string_view lines) {
  if (lines.empty()) return;
  if (holds_) return keep_for_later(lines);
  erase();
  out_ << lines;
  draw();
}

void Screen::print(std::string_view lines, std::vector<std::string> below) {
  if (editor_ == nullptr) return print(lines);
  if (holds_) {
    held_below_ = std::move(below);
    return keep_for_later(lines);
  }
  if (lines.empty() && below == below_ && drawn_) return;
  erase();
  out_ << lines;
  below_ = std::move(below);
  draw();
}

void Screen::hold(std::string_view card, const std::string& prompt) {
  release();
  erase();
  holds_ = true;
  typing_ = Typing::shown;
  held_below_ = std::exchange(below_, {});
  out_ << card;
  if (editor_ == nullptr) {
    out_ << prompt << "\n";
  } else {
    editor_->replace("");  // typed before the prompt is there
    editor_->set_prompt(prompt);
  }
  draw();
}

void Screen::release() {
  if (!holds_) return;
  holds_ = false;
  std::string lines = std::exchange(held_, {});
  if (std::exchange(lost_some_, false)) lines = "… (some output was not shown)\n" + lines;
  print(lines, std::exchange(held_below_, {}));
}

void Screen::keep_for_later(std::string_view lines) {
  held_ += lines;
  if (held_.size() <= kMaxHeld) return;
  held_.erase(0, held_.find('\n', held_.size() - kMaxHeld) + 1);
  lost_some_ = true;
}

void Screen::set_typing(Typing typing) {
  if (editor_ == nullptr || typing == typing_) return;
  erase();
  typing_ = typing;
  draw();
}

TypedLine Screen::end_line() {
  erase();
  for (const std::string& row : editor_->rows(columns(), kMaxRowsKept).rows) out_ << row << "\r\n";
  TypedLine line = editor_->take();
  draw();
  return line;
}

void Screen::show_page(const std::vector<std::string>& rows) {
  if (!shows_page_) {
    release();
    erase();
    out_ << kOtherPage;
    held_below_ = std::exchange(below_, {});
    holds_ = shows_page_ = true;
  }
  out_ << kClear;
  const std::size_t width = columns() - 1;
  for (std::size_t i = 0; i < rows.size(); ++i)
    out_ << cut_to_width(with_spaces(rows[i]), width) << (i + 1 < rows.size() ? "\r\n" : "");
  out_.flush();
}

void Screen::end_page() {
  if (!shows_page_) return;
  shows_page_ = false;
  out_ << kUsualPage;
  release();
}

void Screen::clear() {
  if (editor_ == nullptr || shows_page_) return;
  out_ << kClear;
  drawn_ = false;
  draw();
}

void Screen::close() {
  end_page();
  release();
  erase();
  editor_ = nullptr;
  out_.flush();
}

// Most terminals wrap rows again when the window becomes narrower; then they take more rows than were drawn.
void Screen::erase() {
  if (editor_ == nullptr || !drawn_) return;
  const std::size_t width = columns();
  std::size_t up = 0;
  for (const std::size_t wide : widths_above_) up += wide <= width ? 1 : (wide + width - 1) / width;
  out_ << "\r";
  if (up > 0) out_ << fmt::format("\x1b[{}A", up);
  out_ << "\x1b[J";
  drawn_ = false;
}

void Screen::draw() {
  if (shows_page_) return;
  if (editor_ != nullptr) {
    const WindowSize window = window_size();
    widths_above_.clear();
    for (const std::string& row : below_) {
      // A row that is too wide would wrap, and then we could not tell how many rows to erase.
      const std::string shown = cut_to_width(with_spaces(row), window.columns - 1);
      out_ << shown << "\r\n";
      widths_above_.push_back(width_of(shown));
    }
    if (typing_ == Typing::shown) draw_typed(window);
    drawn_ = true;
  }
  out_.flush();
}

void Screen::draw_typed(WindowSize window) {
  const std::size_t others = below_.size() + 1;
  const TypedRows typed = editor_->rows(window.columns, window.rows - std::min(window.rows, others));
  for (std::size_t i = 0; i < typed.rows.size(); ++i) {
    out_ << typed.rows[i] << (i + 1 < typed.rows.size() ? "\r\n" : "");
    if (i < typed.cursor_row) widths_above_.push_back(width_of(typed.rows[i]));
  }
  const std::size_t up = typed.rows.size() - 1 - typed.cursor_row;
  if (up > 0) out_ << fmt::format("\x1b[{}A", up);
  out_ << "\r";
  if (typed.cursor_column > 0) out_ << fmt::format("\x1b[{}C", typed.cursor_column);
}

TerminalKind terminal_kind(bool in, bool out, std::string_view term, std::string_view no_color) {
  const bool is_dumb = term.empty() || term == "dumb";
  if (!out || is_dumb) return {};
  return {in ? Drawing::keys : Drawing::lines, no_color.empty() ? Colours::on : Colours::off};
}

}  // namespace deputy::channel
