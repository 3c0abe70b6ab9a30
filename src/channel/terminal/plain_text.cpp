#include "channel/terminal/plain_text.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "interaction/escape.h"

namespace deputy::channel {

namespace {

// Three or more backticks or tildes at the start of a line: how many; 0 for any other line.
std::size_t fence_of(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos || begin > 3 || (line[begin] != '`' && line[begin] != '~')) return 0;
  const std::size_t end = line.find_first_not_of(line[begin], begin);
  const std::size_t length = (end == std::string_view::npos ? line.size() : end) - begin;
  return length >= 3 ? length : 0;
}

std::string_view without_heading(std::string_view line) {
  const std::size_t text = line.find_first_not_of('#');
  if (text == 0 || text == std::string_view::npos || text > 6 || line[text] != ' ') return line;
  return line.substr(text + 1);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// One line of prose. A sign between two word characters is part of a word: snake_case stays.
class Line {
 public:
  explicit Line(std::string_view line) : line_(line) {}

  std::string take() {
    while (at_ < line_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = line_[at_];
    if (c == '\\' && at_ + 1 < line_.size() && std::ispunct(static_cast<unsigned char>(line_[at_ + 1])) != 0) {
      out_ += line_[at_ + 1];
      at_ += 2;
    } else if (c == '`') {
      code();
    } else if (c == '*' || c == '_') {
      emphasis(c);
    } else {
      out_ += c;
      ++at_;
    }
  }

  // `code` or ``co`de``, as it is; signs without a partner stay. What was looked for once in vain is not looked for
  // again, so that many of them cost no more than one.
  void code() {
    const std::size_t end = line_.find_first_not_of('`', at_);
    const std::size_t length = (end == std::string_view::npos ? line_.size() : end) - at_;
    const std::string sign(length, '`');
    const std::size_t closing =
        end == std::string_view::npos || length >= no_partner_of_ ? std::string_view::npos : line_.find(sign, end);
    if (closing == std::string_view::npos) {
      no_partner_of_ = std::min(no_partner_of_, length);
      out_ += sign;
      at_ += length;
      return;
    }
    std::string_view inside = line_.substr(end, closing - end);
    if (length > 1 && inside.size() > 2 && inside.front() == ' ' && inside.back() == ' ')
      inside = inside.substr(1, inside.size() - 2);
    out_ += inside;
    at_ = closing + length;
  }

  void emphasis(char sign) {
    const std::size_t end = std::min(line_.find_first_not_of(sign, at_), line_.size());
    const bool after_word = at_ > 0 && is_word(line_[at_ - 1]);
    const bool before_word = end < line_.size() && is_word(line_[end]);
    const bool after_space = at_ == 0 || line_[at_ - 1] == ' ';
    const bool before_space = end == line_.size() || line_[end] == ' ';
    const bool stays = (after_word && before_word) || (after_space && before_space);
    if (stays) out_ += line_.substr(at_, end - at_);
    at_ = end;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t no_partner_of_ = std::string_view::npos;
  std::string out_;
};

// What a log line or a ticket holds must not move the cursor or change the colours of whoever reads it. Tabs stay.
std::string shown(std::string_view line) {
  std::string text;
  for (;;) {
    const std::size_t tab = line.find('\t');
    text += interaction::escape(line.substr(0, tab), interaction::Showing::as_prose);
    if (tab == std::string_view::npos) return text;
    text += '\t';
    line.remove_prefix(tab + 1);
  }
}

}  // namespace

std::string shown_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines += shown(text.substr(0, end)) + "\n";
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  return shown(line);
}

std::string plain_text(std::string_view markdown) {
  std::string text;
  std::size_t open = 0;  // the fence of the code block we are in
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
    const std::size_t fence = fence_of(line);
    if (open == 0 && fence != 0) {
      open = fence;
    } else if (open != 0 && fence >= open) {
      open = 0;
    } else {
      text += shown(open != 0 ? std::string(line) : Line(without_heading(line)).take());
      text += '\n';
    }
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace deputy::channel
