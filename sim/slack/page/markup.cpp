#include "sim/slack/page/markup.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "sim/slack/page/emoji.h"
#include "sim/slack/page/markup_inline.h"

namespace deputy::sim::slack {
namespace {

constexpr std::size_t kMaxListDepth = 8;

std::string code_block(std::string_view code) {
  if (code.starts_with('\n')) code.remove_prefix(1);
  if (code.ends_with('\n')) code.remove_suffix(1);
  return fmt::format("<pre>{}</pre>", escape_html(unescape(code)));
}

/// Lines with breaks between them, in one dialect.
std::string lines_html(std::span<const std::string_view> lines, const Dialect& dialect) {
  std::string html;
  for (std::size_t i = 0; i < lines.size(); ++i) html += (i == 0 ? "" : "<br>") + inline_html(lines[i], dialect);
  return html;
}

/// What a quote marker is followed by; nothing when the line has none.
std::optional<std::string_view> quoted(std::string_view line) {
  for (const std::string_view marker : {"&gt;", ">"}) {
    if (!line.starts_with(marker)) continue;
    line.remove_prefix(marker.size());
    return line.starts_with(' ') ? line.substr(1) : line;
  }
  return std::nullopt;
}

/// Mrkdwn without fences: lines, and runs of quoted lines.
std::string mrkdwn_lines(std::string_view text) {
  std::string html;
  std::vector<std::string_view> run;
  bool in_quote = false;
  const auto flush = [&] {
    if (run.empty()) return;
    const auto lines = lines_html(run, kMrkdwnDialect);
    html += in_quote ? fmt::format("<blockquote>{}</blockquote>", lines) : fmt::format("<p>{}</p>", lines);
    run.clear();
  };
  for (const auto line : split(text, "\n")) {
    const auto quote = quoted(line);
    if (quote.has_value() != in_quote) flush();
    in_quote = quote.has_value();
    run.push_back(quote.value_or(line));
  }
  flush();
  return html;
}

/// Standard Markdown, a block at a time.
class Markdown {
 public:
  explicit Markdown(std::string_view text) : lines_(split(text, "\n")) {}

  std::string html() && {
    while (at_ < lines_.size())
      if (!blank() && !fence() && !heading() && !rule() && !quote() && !list() && !table()) paragraph();
    return std::move(html_);
  }

 private:
  /// A list item's marker: how far in it stands, whether it is a number, and its text.
  struct Item {
    std::size_t indent = 0;
    bool ordered = false;
    std::string_view number;
    std::string_view text;
  };

  static std::size_t indent_of(std::string_view line) {
    const auto first = line.find_first_not_of(' ');
    return first == std::string_view::npos ? line.size() : first;
  }

  static std::optional<Item> item_of(std::string_view line) {
    const auto indent = indent_of(line);
    auto rest = line.substr(indent);
    if (rest.size() > 1 && std::string_view("-*+").contains(rest[0]) && rest[1] == ' ')
      return Item{indent, false, {}, trim(rest.substr(2))};
    std::size_t digits = 0;
    while (digits < rest.size() && digits < 9 && is_digit(rest[digits])) ++digits;
    if (digits == 0 || digits + 1 >= rest.size() || (rest[digits] != '.' && rest[digits] != ')') ||
        rest[digits + 1] != ' ')
      return std::nullopt;
    return Item{indent, true, rest.substr(0, digits), trim(rest.substr(digits + 2))};
  }

  static bool is_rule(std::string_view line) {
    line = trim(line);
    return line.size() >= 3 && std::string_view("-*_").contains(line[0]) &&
           line.find_first_not_of(line.substr(0, 1)) == std::string_view::npos;
  }

  static bool is_table_rule(std::string_view line) {
    return line.contains('|') && line.contains('-') && line.find_first_not_of("|-: ") == std::string_view::npos;
  }

  static std::vector<std::string_view> cells_of(std::string_view line) {
    line = trim(line);
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|')) line.remove_suffix(1);
    auto cells = split(line, "|");
    for (auto& cell : cells) cell = trim(cell);
    return cells;
  }

  static std::size_t heading_level(std::string_view line) {
    const auto level = line.find_first_not_of('#');
    return level != std::string_view::npos && level >= 1 && level <= 6 && line[level] == ' ' ? level : 0;
  }

  bool starts_block(std::size_t at) const {
    const auto line = lines_[at];
    return trim(line).empty() || trim(line).starts_with("```") || heading_level(line) > 0 || is_rule(line) ||
           quoted(line).has_value() || item_of(line).has_value() || is_table(at);
  }

  bool is_table(std::size_t at) const {
    return at + 1 < lines_.size() && lines_[at].contains('|') && is_table_rule(lines_[at + 1]);
  }

  bool blank() {
    if (!trim(lines_[at_]).empty()) return false;
    ++at_;
    return true;
  }

  bool fence() {
    if (!trim(lines_[at_]).starts_with("```")) return false;
    std::string code;
    for (++at_; at_ < lines_.size() && !trim(lines_[at_]).starts_with("```"); ++at_) {
      if (!code.empty()) code += '\n';
      code += lines_[at_];
    }
    ++at_;
    html_ += code_block(code);
    return true;
  }

  bool heading() {
    const auto level = heading_level(lines_[at_]);
    if (level == 0) return false;
    html_ += fmt::format("<h4>{}</h4>", inline_html(trim(lines_[at_].substr(level)), kMarkdownDialect));
    ++at_;
    return true;
  }

  bool rule() {
    if (!is_rule(lines_[at_])) return false;
    html_ += "<hr>";
    ++at_;
    return true;
  }

  bool quote() {
    std::vector<std::string_view> run;
    for (; at_ < lines_.size(); ++at_) {
      const auto said = quoted(lines_[at_]);
      if (!said) break;
      run.push_back(*said);
    }
    if (run.empty()) return false;
    html_ += fmt::format("<blockquote>{}</blockquote>", lines_html(run, kMarkdownDialect));
    return true;
  }

  bool list() {
    if (!item_of(lines_[at_])) return false;
    struct Open {
      std::size_t indent;
      std::string_view tag;
    };
    std::vector<Open> open;
    const auto close = [&] {
      html_ += fmt::format("</li></{}>", open.back().tag);
      open.pop_back();
    };
    for (; at_ < lines_.size() && !trim(lines_[at_]).empty(); ++at_) {
      const auto item = item_of(lines_[at_]);
      if (!item) {
        if (indent_of(lines_[at_]) == 0) break;
        html_ += "<br>" + inline_html(trim(lines_[at_]), kMarkdownDialect);
        continue;
      }
      const std::string_view tag = item->ordered ? "ol" : "ul";
      while (!open.empty() &&
             (item->indent < open.back().indent || (item->indent == open.back().indent && open.back().tag != tag)))
        close();
      if (open.empty() || (item->indent > open.back().indent + 1 && open.size() < kMaxListDepth)) {
        html_ += item->ordered ? fmt::format(R"(<ol start="{}">)", item->number) : "<ul>";
        open.push_back({item->indent, tag});
      } else {
        html_ += "</li>";
      }
      html_ += item_html(item->text);
    }
    while (!open.empty()) close();
    return true;
  }

  /// An item, left open: a list within it may follow.
  static std::string item_html(std::string_view text) {
    const bool done = text.starts_with("[x] ") || text.starts_with("[X] ");
    if (!done && !text.starts_with("[ ] ")) return "<li>" + inline_html(text, kMarkdownDialect);
    return fmt::format(R"(<li class="task-item">{} {})", done ? "☑" : "☐",
                       inline_html(text.substr(4), kMarkdownDialect));
  }

  /// The alignment that a cell of the line below a table's head asks for, as an attribute.
  static std::string_view alignment(std::string_view rule) {
    const bool left = rule.starts_with(':'), right = rule.ends_with(':');
    return left && right ? R"( class="center")" : right ? R"( class="right")" : "";
  }

  bool table() {
    if (!is_table(at_)) return false;
    const auto rules = cells_of(lines_[at_ + 1]);
    const auto row = [&](std::string_view line, std::string_view tag) {
      html_ += "<tr>";
      const auto cells = cells_of(line);
      for (std::size_t i = 0; i < cells.size(); ++i)
        html_ += fmt::format("<{0}{1}>{2}</{0}>", tag, i < rules.size() ? alignment(rules[i]) : "",
                             inline_html(cells[i], kMarkdownDialect));
      html_ += "</tr>";
    };
    html_ += "<table>";
    row(lines_[at_], "th");
    for (at_ += 2; at_ < lines_.size() && lines_[at_].contains('|'); ++at_) row(lines_[at_], "td");
    html_ += "</table>";
    return true;
  }

  void paragraph() {
    const auto first = at_++;
    while (at_ < lines_.size() && !starts_block(at_)) ++at_;
    html_ += fmt::format("<p>{}</p>", lines_html(std::span(lines_).subspan(first, at_ - first), kMarkdownDialect));
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string html_;
};

std::string without_returns(std::string_view text) {
  std::string lines(text);
  std::erase(lines, '\r');
  return lines;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

bool is_linkable(std::string_view url) {
  const bool known = url.starts_with("https://") || url.starts_with("http://") || url.starts_with("mailto:") ||
                     url.starts_with("tel:");
  return known && url.size() > 8 &&
         std::ranges::none_of(url, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '<' || c == '>'; });
}

std::string mrkdwn_html(std::string_view given) {
  const auto text = without_returns(given);
  std::string html;
  std::string_view rest = text;
  for (;;) {
    const auto open = rest.find("```");
    const auto close = open == std::string_view::npos ? open : rest.find("```", open + 3);
    if (close == std::string_view::npos) break;
    auto before = rest.substr(0, open);
    if (before.ends_with('\n')) before.remove_suffix(1);
    if (!before.empty()) html += mrkdwn_lines(before);
    html += code_block(rest.substr(open + 3, close - open - 3));
    rest = rest.substr(close + 3);
    if (rest.starts_with('\n')) rest.remove_prefix(1);
  }
  if (!rest.empty()) html += mrkdwn_lines(rest);
  return html;
}

std::string markdown_html(std::string_view given) {
  const auto text = without_returns(given);
  return Markdown(text).html();
}

std::string plain_html(std::string_view text) {
  const auto lines = without_returns(text);
  return lines_html(split(lines, "\n"), kPlain);
}

std::string mrkdwn_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto open = text.find('<');
    result += unescape(text.substr(0, open));
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    const auto end = text.find_first_of("<>", 1);
    const auto label =
        end == std::string_view::npos || text[end] == '<' ? std::string() : token_label(text.substr(1, end - 1));
    result += label.empty() ? "<" : label;
    text.remove_prefix(label.empty() ? 1 : end + 1);
  }
  return result;
}

std::string format_date(std::int64_t seconds, std::string_view format) {
  // Four digits of a year; beyond it nothing can be shown.
  if (seconds < 0 || seconds > 253'402'300'799) return std::string(format);
  const auto time = fmt::gmtime(static_cast<std::time_t>(seconds));
  constexpr std::pair<std::string_view, const char*> kTokens[] = {{"{date_num}", "%Y-%m-%d"},
                                                                  {"{date_slash}", "%d/%m/%Y"},
                                                                  {"{date_long_full}", "%B %d, %Y"},
                                                                  {"{date_long_pretty}", "%A, %B %d, %Y"},
                                                                  {"{date_long}", "%A, %B %d, %Y"},
                                                                  {"{date_short_pretty}", "%b %d, %Y"},
                                                                  {"{date_short}", "%b %d, %Y"},
                                                                  {"{date_pretty}", "%B %d"},
                                                                  {"{date}", "%B %d"},
                                                                  {"{time_secs}", "%H:%M:%S"},
                                                                  {"{time}", "%H:%M"},
                                                                  {"{ago}", "at %H:%M"},
                                                                  {"{day_divider_pretty}", "%A, %B %d"}};
  std::string result;
  for (std::size_t at = 0; at < format.size();) {
    const auto* const token =
        std::ranges::find_if(kTokens, [&](const auto& known) { return format.substr(at).starts_with(known.first); });
    if (token == std::end(kTokens)) {
      result += format[at++];
      continue;
    }
    result += fmt::format(fmt::runtime(fmt::format("{{:{}}}", token->second)), time);
    at += token->first.size();
  }
  return result;
}

}  // namespace deputy::sim::slack
