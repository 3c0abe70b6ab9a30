#include "sim/slack/page/markup_inline.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"
#include "sim/slack/page/emoji.h"
#include "sim/slack/page/markup.h"

namespace deputy::sim::slack {
namespace {

// Deeper emphasis is text: nobody writes it, and a hostile line would nest without end.
constexpr int kMaxDepth = 6;
constexpr std::size_t kMaxEmojiName = 60;
constexpr std::size_t kMaxLabel = 1000;
constexpr std::size_t kMaxUrl = 3000;

constexpr Marker kMrkdwnMarkers[] = {{"*", "<b>", "</b>"}, {"_", "<i>", "</i>"}, {"~", "<s>", "</s>"}};
constexpr Marker kMarkdownMarkers[] = {{"***", "<b><i>", "</i></b>"}, {"**", "<b>", "</b>"}, {"__", "<b>", "</b>"},
                                       {"~~", "<s>", "</s>"},         {"*", "<i>", "</i>"},  {"_", "<i>", "</i>"}};

bool is_word(char c) { return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

std::string link(std::string_view url, std::string_view label_html) {
  return fmt::format(R"(<a href="{}" rel="noreferrer noopener">{}</a>)", escape_html(url), label_html);
}

/// Slack's <!date^seconds^format^link|fallback>.
std::string date_label(std::string_view token) {
  const auto parts = split(token, "^");
  const auto bar = token.rfind('|');
  const auto fallback = bar == std::string_view::npos ? token : token.substr(bar + 1);
  std::int64_t seconds = 0;
  if (parts.size() < 3) return std::string(fallback);
  const auto [end, error] = std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), seconds);
  if (error != std::errc() || end != parts[1].data() + parts[1].size()) return std::string(fallback);
  return format_date(seconds, parts[2].substr(0, parts[2].find('|')));
}

std::string token_html(std::string_view token) {
  const auto label = token_label(token);
  if (label.empty()) return {};
  const auto shown = escape_html(label);
  if (token[0] == '@' || token[0] == '#' || token.starts_with("!subteam"))
    return fmt::format(R"(<span class="mention">{}</span>)", shown);
  if (token.starts_with("!date")) return fmt::format("<time>{}</time>", shown);
  if (token[0] == '!') return fmt::format(R"(<span class="mention everyone">{}</span>)", shown);
  return link(unescape(token.substr(0, token.find('|'))), shown);
}

/// Reads one line and writes its HTML.
class Line {
 public:
  Line(std::string_view text, const Dialect& dialect, int depth) : text_(text), dialect_(dialect), depth_(depth) {}

  std::string html() && {
    while (at_ < text_.size())
      if (!markup() && !emoji_name()) plain();
    return std::move(html_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char before() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }

  bool markup() {
    return !dialect_.is_plain && (escaped() || code() || token() || named_link() || address() || emphasis());
  }

  void plain() {
    // Entities count as the one character they stand for.
    for (const std::string_view entity : {"&amp;", "&lt;", "&gt;"}) {
      if (!rest().starts_with(entity)) continue;
      html_ += entity;
      at_ += entity.size();
      return;
    }
    html_ += escape_html(text_.substr(at_++, 1));
  }

  bool escaped() {
    constexpr std::string_view kEscapable = "\\`*_{}[]()#+-.!&~|>";
    if (!dialect_.is_markdown || text_[at_] != '\\' || at_ + 1 >= text_.size()) return false;
    if (!kEscapable.contains(text_[at_ + 1])) return false;
    html_ += escape_html(text_.substr(at_ + 1, 1));
    at_ += 2;
    return true;
  }

  bool code() {
    if (text_[at_] != '`') return false;
    std::size_t ticks = 1;
    while (dialect_.is_markdown && at_ + ticks < text_.size() && text_[at_ + ticks] == '`') ++ticks;
    const auto fence = text_.substr(at_, ticks);
    const auto end = find_from(fence, at_ + ticks);
    if (end == std::string_view::npos || end == at_ + ticks) {
      html_ += fence;
      at_ += ticks;
      return true;
    }
    html_ += fmt::format("<code>{}</code>", escape_html(unescape(text_.substr(at_ + ticks, end - at_ - ticks))));
    at_ = end + ticks;
    return true;
  }

  bool token() {
    if (text_[at_] != '<') return false;
    const auto end = text_.find_first_of("<>", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '<') return false;
    const auto html = token_html(text_.substr(at_ + 1, end - at_ - 1));
    if (html.empty()) return false;
    html_ += html;
    at_ = end + 1;
    return true;
  }

  /// [label](url), and ![label](url): Slack shows an image as a link to it.
  bool named_link() {
    if (!dialect_.is_markdown) return false;
    const std::size_t open = at_ + (text_[at_] == '!' ? 1 : 0);
    if (open >= text_.size() || text_[open] != '[') return false;
    if (depth_ >= kMaxDepth) return false;
    const auto label_size = text_.substr(open + 1, kMaxLabel).find("](");
    if (label_size == std::string_view::npos) return false;
    const auto label = text_.substr(open + 1, label_size);
    const auto target = text_.substr(open + 1 + label_size + 2);
    const auto url_size = target.substr(0, kMaxUrl).find(')');
    if (url_size == std::string_view::npos || !is_linkable(trim(target.substr(0, url_size)))) return false;
    const auto url = trim(target.substr(0, url_size));
    html_ += link(unescape(url), Line(label.empty() ? url : label, dialect_, depth_ + 1).html());
    at_ = open + 1 + label_size + 2 + url_size + 1;
    return true;
  }

  /// An address that stands in the text as it is.
  bool address() {
    if (is_word(before()) || !(rest().starts_with("https://") || rest().starts_with("http://"))) return false;
    std::size_t size = 0;
    while (at_ + size < text_.size() && !is_blank(text_[at_ + size]) &&
           !std::string_view("<>\"'`|*").contains(text_[at_ + size]))
      ++size;
    while (size > 0 && std::string_view(".,;:!?)_~").contains(text_[at_ + size - 1])) --size;
    const auto url = text_.substr(at_, size);
    if (!is_linkable(url)) return false;
    html_ += link(unescape(url), escape_html(unescape(url)));
    at_ += size;
    return true;
  }

  bool emphasis() {
    if (depth_ >= kMaxDepth) return false;
    for (const auto& marker : dialect_.markers) {
      const auto size = marker.characters.size();
      if (!rest().starts_with(marker.characters)) continue;
      const auto first = at_ + size;
      if (first >= text_.size() || is_blank(text_[first])) return false;
      // In mrkdwn a doubled marker is text: **this** is not bold.
      const char sign = marker.characters[0];
      if (!dialect_.is_markdown && (text_[first] == sign || before() == sign)) return false;
      // Markdown lets asterisks stand within a word; nothing else may.
      if (is_word(before()) && !(dialect_.is_markdown && marker.characters[0] == '*')) return false;
      const auto end = closing(marker, first);
      if (end == std::string_view::npos) continue;
      html_ += marker.open;
      html_ += Line(text_.substr(first, end - first), dialect_, depth_ + 1).html();
      html_ += marker.close;
      at_ = end + size;
      return true;
    }
    return false;
  }

  /// Where the marker that closes one before `first` stands. A marker for which there was none is not looked for again:
  /// a line of a thousand openings takes no longer than another.
  std::size_t closing(const Marker& marker, std::size_t first) {
    const auto index = static_cast<std::size_t>(&marker - dialect_.markers.data());
    if ((hopeless_ & (1U << index)) != 0) return std::string_view::npos;
    const auto size = marker.characters.size();
    const char sign = marker.characters[0];
    const bool within_words = dialect_.is_markdown && sign == '*';
    for (auto end = text_.find(marker.characters, first + 1); end != std::string_view::npos;) {
      auto run_end = end + size;
      while (run_end < text_.size() && text_[run_end] == sign) ++run_end;
      // A longer run closes the longer marker: "**" ends no "*", and "***" ends "**" with its last two.
      const bool exact = run_end == end + size;
      const bool closes = exact || (dialect_.is_markdown && size == 2);
      const bool free_after = within_words || run_end >= text_.size() || !is_word(text_[run_end]);
      if (closes && free_after && !is_blank(text_[end - 1])) return run_end - size;
      end = text_.find(marker.characters, run_end);
    }
    hopeless_ |= 1U << index;
    return std::string_view::npos;
  }

  bool emoji_name() {
    if (text_[at_] != ':') return false;
    std::size_t size = 0;
    while (at_ + 1 + size < text_.size() && size <= kMaxEmojiName) {
      const char c = text_[at_ + 1 + size];
      if (!is_lower(c) && !is_digit(c) && c != '_' && c != '-' && c != '+') break;
      ++size;
    }
    if (size == 0 || at_ + 1 + size >= text_.size() || text_[at_ + 1 + size] != ':') return false;
    const auto name = text_.substr(at_ + 1, size);
    const auto characters = emoji(name);
    if (characters.empty()) return false;
    html_ += fmt::format(R"(<span class="emoji" title=":{}:">{}</span>)", name, characters);
    at_ += size + 2;
    return true;
  }

  /// As text_.find(what, from), in time proportional to the line over all calls that find nothing.
  std::size_t find_from(std::string_view what, std::size_t from) {
    if (contains(absent_, what)) return std::string_view::npos;
    const auto found = text_.find(what, from);
    if (found == std::string_view::npos) absent_.push_back(what);
    return found;
  }

  std::string_view text_;
  const Dialect& dialect_;
  int depth_;
  std::size_t at_ = 0;
  unsigned hopeless_ = 0;                 // markers that are not closed in the rest of the line
  std::vector<std::string_view> absent_;  // what is not in the rest of the line
  std::string html_;
};

}  // namespace

const Dialect kMrkdwnDialect{kMrkdwnMarkers, false};
const Dialect kMarkdownDialect{kMarkdownMarkers, true};
const Dialect kPlain{{}, false, true};

std::string inline_html(std::string_view line, const Dialect& dialect) { return Line(line, dialect, 0).html(); }

std::string unescape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    bool was_entity = false;
    for (const auto& [entity, character] :
         {std::pair<std::string_view, char>{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}}) {
      if (!text.starts_with(entity)) continue;
      result += character;
      text.remove_prefix(entity.size());
      was_entity = true;
      break;
    }
    if (was_entity) continue;
    result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

std::string token_label(std::string_view token) {
  if (token.empty()) return {};
  const auto bar = token.find('|');
  const auto target = token.substr(0, bar);
  const auto label = bar == std::string_view::npos ? std::string_view() : token.substr(bar + 1);
  const auto named = [&](std::string_view sign, std::string_view otherwise) {
    const auto name = label.empty() ? otherwise : label;
    return unescape(name.starts_with(sign) ? std::string(name) : fmt::format("{}{}", sign, name));
  };
  if (target[0] == '@') return named("@", target.substr(1));
  if (target[0] == '#') return named("#", target.substr(1));
  if (target.starts_with("!subteam^")) return named("@", target.substr(9));
  if (target.starts_with("!date^")) return unescape(date_label(token));
  if (target == "!here" || target == "!channel" || target == "!everyone") return fmt::format("@{}", target.substr(1));
  if (!is_linkable(target)) return {};
  return unescape(!label.empty() ? label : target.starts_with("mailto:") ? target.substr(7) : target);
}

}  // namespace deputy::sim::slack
