#include "channel/markdown_line.h"

#include <algorithm>
#include <cctype>

namespace deputy::channel {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80) != 0;
}

class Line {
 public:
  explicit Line(std::string_view line) : line_(line) {}

  std::vector<Span> take() {
    while (at_ < line_.size()) step();
    end_span();
    return std::move(spans_);
  }

 private:
  void step() {
    const char c = line_[at_];
    if (c == '\\' && at_ + 1 < line_.size() && std::ispunct(static_cast<unsigned char>(line_[at_ + 1])) != 0) {
      current_.text += line_[at_ + 1];
      at_ += 2;
    } else if (c == '`') {
      code();
    } else if (c == '*' || c == '_') {
      emphasis(c);
    } else if (c == '[' && link()) {
      return;
    } else {
      current_.text += c;
      ++at_;
    }
  }

  void end_span() {
    if (!current_.text.empty()) spans_.push_back(current_);
    current_.text.clear();
  }

  void add(Span span) {
    end_span();
    if (!span.text.empty()) spans_.push_back(std::move(span));
  }

  // `code` or ``co`de``. Backticks without a partner stay. A search that failed once is not repeated, so that the whole
  // line takes linear time.
  void code() {
    const std::size_t end = line_.find_first_not_of('`', at_);
    const std::size_t length = (end == std::string_view::npos ? line_.size() : end) - at_;
    const std::string sign(length, '`');
    const std::size_t closing =
        end == std::string_view::npos || length >= no_partner_of_ ? std::string_view::npos : line_.find(sign, end);
    if (closing == std::string_view::npos) {
      no_partner_of_ = std::min(no_partner_of_, length);
      current_.text += sign;
      at_ += length;
      return;
    }
    std::string_view inside = line_.substr(end, closing - end);
    if (length > 1 && inside.size() > 2 && inside.front() == ' ' && inside.back() == ' ')
      inside = inside.substr(1, inside.size() - 2);
    add({.text = std::string(inside), .bold = current_.bold, .italic = current_.italic, .code = true});
    at_ = closing + length;
  }

  // One sign is italics, two are bold, three are both. A sign opens a style that is off and closes one that is on.
  void emphasis(char sign) {
    const std::size_t end = std::min(line_.find_first_not_of(sign, at_), line_.size());
    const bool after_word = at_ > 0 && is_word(line_[at_ - 1]);
    const bool before_word = end < line_.size() && is_word(line_[end]);
    const bool after_space = at_ == 0 || line_[at_ - 1] == ' ';
    const bool before_space = end == line_.size() || line_[end] == ' ';
    const std::size_t length = end - at_;
    if ((after_word && before_word) || (after_space && before_space)) {
      current_.text += line_.substr(at_, length);
    } else {
      end_span();
      if (length != 2) current_.italic = !current_.italic;
      if (length >= 2) current_.bold = !current_.bold;
    }
    at_ = end;
  }

  // [words](address), without brackets in the words or parentheses in the address.
  bool link() {
    if (at_ < no_link_before_) return false;
    const std::size_t words_end = line_.find_first_of("[]", at_ + 1);
    const bool opens = words_end != std::string_view::npos && line_[words_end] == ']' && words_end + 1 < line_.size() &&
                       line_[words_end + 1] == '(';
    const std::size_t address_end = opens ? line_.find_first_of("() ", words_end + 2) : std::string_view::npos;
    if (address_end == std::string_view::npos || line_[address_end] != ')') {
      no_link_before_ = std::min(opens ? address_end : words_end, line_.size());
      return false;
    }
    add({.text = std::string(line_.substr(at_ + 1, words_end - at_ - 1)),
         .bold = current_.bold,
         .italic = current_.italic,
         .address = std::string(line_.substr(words_end + 2, address_end - words_end - 2))});
    at_ = address_end + 1;
    return true;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t no_partner_of_ = std::string_view::npos;
  std::size_t no_link_before_ = 0;  // no link starts before this position
  Span current_;
  std::vector<Span> spans_;
};

}  // namespace

std::vector<Span> spans_of(std::string_view line) { return Line(line).take(); }

CodeBlocks::Line CodeBlocks::next(std::string_view line) {
  if (open_) {
    if (!closes_fence(line, *open_)) return Line::code;
    open_.reset();
    return Line::fence;
  }
  std::optional<Fence> fence = opens_fence(line);
  if (!fence || fence->indent >= kCodeIndent) return Line::prose;
  open_ = std::move(fence);
  return Line::fence;
}

Heading heading_of(std::string_view line) {
  const std::size_t text = line.find_first_not_of('#');
  if (text == 0 || text == std::string_view::npos || text > 6 || line[text] != ' ') return {0, line};
  return {text, line.substr(text + 1)};
}

}  // namespace deputy::channel
