#include "clients/atlassian/adf_inline.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/text.h"

namespace deputy::clients::atlassian {

namespace {

constexpr std::size_t kMaxAddress = 2000;
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

struct Style {
  bool strong = false;
  bool em = false;
  bool strike = false;
  bool code = false;
  std::string href = {};

  bool operator==(const Style&) const = default;
};

json::array marks_of(const Style& style) {
  const auto mark = [](std::string_view type) { return json::object{{"type", std::string(type)}}; };
  json::array marks;
  // Code takes a link beside it and nothing else.
  if (style.code) marks.push_back(mark("code"));
  if (style.strong && !style.code) marks.push_back(mark("strong"));
  if (style.em && !style.code) marks.push_back(mark("em"));
  if (style.strike && !style.code) marks.push_back(mark("strike"));
  if (!style.href.empty())
    marks.push_back(json::object{{"type", "link"}, {"attrs", json::object{{"href", style.href}}}});
  return marks;
}

/// Collects text until its style changes.
class Nodes {
 public:
  void add(std::string_view text, const Style& style) {
    if (!(style == style_)) flush();
    style_ = style;
    text_ += text;
  }
  json::array take() && {
    flush();
    return std::move(nodes_);
  }

 private:
  void flush() {
    bool first = true;
    for (const std::string_view line : split(text_, "\n")) {
      if (!std::exchange(first, false)) nodes_.push_back(json::object{{"type", "hardBreak"}});
      if (line.empty()) continue;
      json::object node{{"type", "text"}, {"text", std::string(line)}};
      if (json::array marks = marks_of(style_); !marks.empty()) node["marks"] = std::move(marks);
      nodes_.push_back(std::move(node));
    }
    text_.clear();
  }

  json::array nodes_;
  std::string text_;
  Style style_;
};

bool is_web_address(std::string_view text) { return text.starts_with("https://") || text.starts_with("http://"); }

bool may_link_to(std::string_view address) {
  if (!is_web_address(address) && !address.starts_with("mailto:")) return false;
  if (address.size() > kMaxAddress || address.ends_with("://") || address.ends_with(':')) return false;
  return std::ranges::none_of(address, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

/// A pair of signs around emphasised text.
struct Emphasis {
  std::string_view sign;
  bool Style::* mark;
};
constexpr auto kEmphases = std::to_array<Emphasis>(
    {{"**", &Style::strong}, {"__", &Style::strong}, {"~~", &Style::strike}, {"*", &Style::em}, {"_", &Style::em}});

class Scan {
 public:
  Scan(std::string_view text, Style style, Nodes& nodes) : text_(text), style_(std::move(style)), nodes_(nodes) {}

  void run() {
    while (at_ < text_.size()) {
      if (escape() || code() || link() || address() || emphasis()) continue;
      nodes_.add(text_.substr(at_, 1), style_);
      ++at_;
    }
  }

 private:
  char at(std::size_t position) const { return position < text_.size() ? text_[position] : ' '; }
  char before() const { return at_ > 0 ? text_[at_ - 1] : ' '; }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

  bool escape() {
    if (text_[at_] != '\\' || at_ + 1 >= text_.size() || !kPunctuation.contains(text_[at_ + 1])) return false;
    nodes_.add(text_.substr(at_ + 1, 1), style_);
    at_ += 2;
    return true;
  }

  bool code() {
    if (text_[at_] != '`') return false;
    const std::size_t length = run_of_backticks(at_);
    std::size_t end = at_ + length;
    while (!no_code_end_.contains(length) && end < text_.size()) {
      end = std::min(text_.find('`', end), text_.size());
      const std::size_t closing = run_of_backticks(end);
      if (closing == length) break;
      end += closing;
    }
    if (no_code_end_.contains(length) || end >= text_.size()) {
      no_code_end_.insert(length);
      nodes_.add(text_.substr(at_, length), style_);
      at_ += length;
      return true;
    }
    std::string inside(text_.substr(at_ + length, end - at_ - length));
    std::ranges::replace(inside, '\n', ' ');
    if (inside.size() > 2 && inside.starts_with(' ') && inside.ends_with(' ') && !trim(inside).empty())
      inside = inside.substr(1, inside.size() - 2);
    Style style = style_;
    style.code = true;
    nodes_.add(inside, style);
    at_ = end + length;
    return true;
  }

  std::size_t run_of_backticks(std::size_t from) const {
    return std::min(text_.find_first_not_of('`', from), text_.size()) - from;
  }

  bool link() {
    const std::size_t open = text_[at_] == '!' ? at_ + 1 : at_;  // a picture becomes a link to it
    if (at(open) != '[' || no_link_end_ || !style_.href.empty()) return false;
    const std::size_t middle = text_.find("](", open);
    const std::size_t close = middle == std::string_view::npos ? middle : text_.find(')', middle);
    if (close == std::string_view::npos) {
      no_link_end_ = true;
      return false;
    }
    const std::string_view label = text_.substr(open + 1, middle - open - 1);
    const std::string_view target = trim(text_.substr(middle + 2, close - middle - 2));
    if (may_link_to(target)) {
      Style style = style_;
      style.href = target;
      Scan(trim(label).empty() ? target : label, style, nodes_).run();
    } else {
      nodes_.add(text_.substr(at_, close + 1 - at_), style_);
    }
    at_ = close + 1;
    return true;
  }

  bool address() {
    const bool bracketed = text_[at_] == '<';
    const std::size_t begin = bracketed ? at_ + 1 : at_;
    if (!style_.href.empty() || is_letter_or_digit(before()) || !is_web_address(text_.substr(begin))) return false;
    std::size_t end = begin;
    while (end < text_.size() && !is_space(text_[end]) && !std::string_view("<>\"`").contains(text_[end])) ++end;
    const std::size_t stopped = end;
    while (!bracketed && std::string_view(".,;:!?)'*_~]").contains(text_[end - 1])) --end;
    const std::string_view target = text_.substr(begin, end - begin);
    Style style = style_;
    if (may_link_to(target)) style.href = target;
    nodes_.add(target, style);
    at_ = bracketed && at(stopped) == '>' ? stopped + 1 : end;
    return true;
  }

  bool emphasis() {
    for (std::size_t i = 0; i < kEmphases.size(); ++i) {
      const Emphasis& emphasis = kEmphases[i];
      if (!text_.substr(at_).starts_with(emphasis.sign)) continue;
      if (style_.*emphasis.mark || no_end_[i] || !may_open(emphasis.sign)) continue;
      const std::size_t end = end_of(emphasis.sign);
      if (end == std::string_view::npos) {
        no_end_[i] = true;
        continue;
      }
      Style style = style_;
      style.*emphasis.mark = true;
      const std::size_t begin = at_ + emphasis.sign.size();
      Scan(text_.substr(begin, end - begin), style, nodes_).run();
      at_ = end + emphasis.sign.size();
      return true;
    }
    return false;
  }

  // An underscore within a word is part of a name.
  bool may_open(std::string_view sign) const {
    if (sign.front() == '_' && is_letter_or_digit(before())) return false;
    return !is_space(at(at_ + sign.size()));
  }

  std::size_t end_of(std::string_view sign) const {
    const char c = sign.front();
    for (std::size_t end = text_.find(sign, at_ + sign.size() + 1); end != std::string_view::npos;
         end = text_.find(sign, end + 1)) {
      while (sign.size() == 2 && at(end + 2) == c) ++end;  // ***both***
      if (is_space(text_[end - 1])) continue;
      if (c == '_' && is_letter_or_digit(at(end + sign.size()))) continue;
      if (sign.size() == 1 && (at(end + 1) == c || text_[end - 1] == c)) continue;
      return end;
    }
    return std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Style style_;
  Nodes& nodes_;
  // What was looked for in vain is not looked for again: many signs without partners would take quadratic time.
  std::set<std::size_t> no_code_end_;
  std::array<bool, kEmphases.size()> no_end_{};
  bool no_link_end_ = false;
};

}  // namespace

json::array inline_nodes(std::string_view text, bool strong) {
  Nodes nodes;
  Scan(trim(text), Style{.strong = strong}, nodes).run();
  return std::move(nodes).take();
}

}  // namespace deputy::clients::atlassian
