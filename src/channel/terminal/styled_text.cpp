#include "channel/terminal/styled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "base/ids.h"
#include "base/text.h"
#include "channel/markdown_line.h"
#include "channel/terminal/window.h"
#include "interaction/escape.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kTabStop = 8;

// The codes that switch a style on and off.
constexpr auto kCodes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"1", "22"},       // bold
    {"3", "23"},       // italic
    {"36", "39"},      // code
    {"1;4", "22;24"},  // heading
    {"2", "22"},       // dim
    {"32", "39"},      // green
    {"31", "39"},      // red
    {"33", "39"},      // yellow
    {"36", "39"},      // cyan
});

// Links stay as written: the address is part of the content.
std::string words_of(std::string_view line) {
  std::string words;
  for (const Span& span : spans_of(line))
    words += span.address.empty() ? span.text : fmt::format("[{}]({})", span.text, span.address);
  return words;
}

}  // namespace

std::string styled(std::string_view text, Style style, Colours colours) {
  if (colours == Colours::off || text.empty()) return std::string(text);
  const auto& [on, off] = kCodes[static_cast<std::size_t>(style)];
  return fmt::format("\x1b[{}m{}\x1b[{}m", on, text, off);
}

std::string shown_line(std::string_view line) {
  std::string text;
  for (;;) {
    const std::size_t tab = line.find('\t');
    text += interaction::escape(line.substr(0, tab), interaction::Showing::as_prose);
    if (tab == std::string_view::npos) return text;
    text += '\t';
    line.remove_prefix(tab + 1);
  }
}

std::string shown_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines += shown_line(text.substr(0, end)) + "\n";
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  return shown_line(line);
}

std::string plain_text(std::string_view markdown) {
  std::string text;
  CodeBlocks blocks;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
    const CodeBlocks::Line kind = blocks.next(line);
    if (kind == CodeBlocks::Line::fence) continue;
    text += shown_line(kind == CodeBlocks::Line::code ? std::string(line) : words_of(heading_of(line).words));
    text += '\n';
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string with_spaces(std::string_view line) {
  std::string text;
  for (;;) {
    const std::size_t tab = line.find('\t');
    text += line.substr(0, tab);
    if (tab == std::string_view::npos) return text;
    text.append(kTabStop - width_of(text) % kTabStop, ' ');
    line.remove_prefix(tab + 1);
  }
}

std::string with_short_ids(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && is_letter_or_digit(text[end])) ++end;
    const std::string_view word = text.substr(0, std::max<std::size_t>(end, 1));
    const bool is_id = word.size() == Ulid::kLength && word.starts_with('0') && Ulid::parse(word);
    shown += is_id ? word.substr(0, kShortId) : word;
    text.remove_prefix(word.size());
  }
  return shown;
}

std::string indented(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    text += fmt::format("  {}\n", lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return text;
}

std::string without_codes(std::string_view text) {
  std::string kept;
  std::size_t line = 0;  // where the current one begins in `kept`
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (c == '\r' && rest.size() > 1 && rest[1] != '\n' && rest[1] != '\r') {
      kept.resize(line);
    } else if (rest.starts_with("\x1b[")) {
      for (i += 2; i < text.size() && (text[i] < 0x40 || text[i] > 0x7e);) ++i;
    } else if (rest.starts_with("\x1b]") || rest.starts_with("\x1bP")) {
      for (i += 2; i < text.size() && text[i] != '\a' && text[i] != '\n' && !text.substr(i).starts_with("\x1b\\");) ++i;
      if (i < text.size() && text[i] == '\x1b') ++i;
      if (i < text.size() && text[i] == '\n') --i;
    } else if (c == '\x1b') {
      ++i;
    } else if (c != '\r') {
      kept += c;
      if (c == '\n') line = kept.size();
    }
  }
  return kept;
}

std::string cut_to_width(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::string_view rest = text;
  std::string row;
  std::size_t used = 0;
  bool inside = false;
  while (!rest.empty()) {
    const std::size_t bytes = decode_utf8(rest).bytes;
    const std::string_view character = rest.substr(0, bytes);
    if (character == "\x1b") inside = true;
    const std::size_t wide = inside ? 0 : width_of(character);
    if (used + wide + 1 <= width) {
      row += character;
      used += wide;
    } else if (inside) {
      row += character;
    } else if (!row.ends_with("…")) {
      row += "…";
      used = width;
    }
    if (inside && character == "m") inside = false;
    rest.remove_prefix(bytes);
  }
  return row;
}

std::string folded(std::string_view text, std::string_view indent, std::size_t width, std::string_view how_to_see,
                   Shown part) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  if (text.empty()) return {};
  std::vector<std::string_view> lines = split(text, "\n");
  // One line more takes no more room than to say that there is one.
  const std::size_t hidden = lines.size() > kFoldedLines + 1 ? lines.size() - kFoldedLines : 0;
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(part == Shown::end ? hidden : 0);
  const std::size_t room = std::max<std::size_t>(width, indent.size() + 10) - indent.size();
  std::string shown;
  bool is_cut = false;
  for (const std::string_view one : std::span(first, lines.size() - hidden)) {
    const std::string line = with_spaces(shown_line(cut_with_mark(one, kMaxFoldedLine)));
    const std::string row = cut_to_width(line, room);
    is_cut = is_cut || row != line;
    shown += fmt::format("{}{}\n", indent, row);
  }
  std::string more;
  if (hidden > 0) more = "… " + count_of(static_cast<std::ptrdiff_t>(hidden), "more line");
  if (!how_to_see.empty() && (is_cut || !more.empty())) more += (more.empty() ? "" : " · ") + std::string(how_to_see);
  if (!more.empty()) more = fmt::format("{}{}\n", indent, more);
  return part == Shown::end ? more + shown : shown + more;
}

}  // namespace deputy::channel
