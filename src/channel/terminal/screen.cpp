#include "channel/terminal/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kMaxHeld = 256UL * 1024;

// A row that is too wide would wrap, and then we could not tell how many rows to erase.
std::string one_row(const std::string& text, std::size_t width) {
  if (width_of(text) < width) return text;
  std::string_view rest = text;
  std::string row;
  std::size_t used = 0;
  bool inside = false;
  while (!rest.empty()) {
    const std::size_t bytes = decode_utf8(rest).bytes;
    const std::string_view character = rest.substr(0, bytes);
    if (character == "\x1b") inside = true;
    const std::size_t wide = inside ? 0 : width_of(character);
    if (used + wide + 2 <= width) {
      row += character;
      used += wide;
    } else if (inside) {
      row += character;
    } else if (!row.ends_with("…")) {
      row += "…";
    }
    if (inside && character == "m") inside = false;
    rest.remove_prefix(bytes);
  }
  return row;
}

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

std::string Screen::end_line() {
  erase();
  const std::string prompt = editor_->prompt();
  std::string line = editor_->end_line();
  out_ << prompt << shown_line(line) << "\n";
  draw();
  return line;
}

void Screen::close() {
  release();
  erase();
  editor_ = nullptr;
  out_.flush();
}

void Screen::erase() {
  if (editor_ == nullptr || !drawn_) return;
  const std::size_t up = rows_below_ + (typing_ == Typing::shown ? editor_->rows_above_cursor() : 0);
  out_ << "\r";
  if (up > 0) out_ << fmt::format("\x1b[{}A", up);
  out_ << "\x1b[J";
  drawn_ = false;
}

void Screen::draw() {
  if (editor_ != nullptr) {
    const std::size_t width = columns();
    for (const std::string& row : below_) out_ << one_row(row, width) << "\r\n";
    rows_below_ = below_.size();
    drawn_ = true;
  }
  out_.flush();
  if (editor_ != nullptr && typing_ == Typing::shown) editor_->redraw();
}

TerminalKind terminal_kind(bool in, bool out, std::string_view term, std::string_view no_color) {
  const bool is_dumb = term.empty() || term == "dumb";
  if (!out || is_dumb) return {};
  return {in ? Drawing::keys : Drawing::lines, no_color.empty() ? Colours::on : Colours::off};
}

}  // namespace deputy::channel
