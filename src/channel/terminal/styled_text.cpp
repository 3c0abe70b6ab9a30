#include "channel/terminal/styled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/text.h"
#include "channel/markdown_line.h"
#include "interaction/escape.h"

namespace deputy::channel {

namespace {

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

std::string set_span(const Span& span, Colours colours) {
  std::string text = shown_line(span.text);
  if (span.code) text = styled(text, Style::code, colours);
  if (!span.address.empty() && span.address != span.text)
    text += styled(fmt::format(" ({})", shown_line(span.address)), Style::dim, colours);
  if (span.italic) text = styled(text, Style::italic, colours);
  if (span.bold) text = styled(text, Style::bold, colours);
  return text;
}

// The position after a list item's bullet; 0 for any other line.
std::size_t bullet_end(std::string_view line) {
  const std::size_t sign = line.find_first_not_of(' ');
  if (sign == std::string_view::npos || sign + 1 >= line.size() || line[sign + 1] != ' ') return 0;
  return line[sign] == '-' || line[sign] == '*' || line[sign] == '+' ? sign + 2 : 0;
}

bool is_table(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin != std::string_view::npos && line[begin] == '|';
}

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

std::string AnsiMarkdown::line(std::string_view markdown) {
  switch (blocks_.next(markdown)) {
    case CodeBlocks::Line::fence:
      return {};
    case CodeBlocks::Line::code:
      return "  " + styled(shown_line(markdown), Style::code, colours_) + "\n";
    case CodeBlocks::Line::prose:
      return prose(markdown) + "\n";
  }
  return {};
}

std::string AnsiMarkdown::prose(std::string_view line) const {
  if (is_table(line)) return shown_line(line);
  const Heading heading = heading_of(line);
  std::string text;
  std::string_view words = heading.words;
  if (const std::size_t begin = bullet_end(words); begin != 0) {
    text = std::string(begin - 2, ' ') + "• ";
    words.remove_prefix(begin);
  }
  for (const Span& span : spans_of(words)) text += set_span(span, colours_);
  return heading.depth == 0 ? text : styled(text, Style::heading, colours_);
}

std::string ansi_text(std::string_view markdown, Colours colours) {
  AnsiMarkdown lines(colours);
  std::string text;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    text += lines.line(markdown.substr(0, end));
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
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

std::string indented(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    text += fmt::format("  {}\n", lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return text;
}

std::string folded(std::string_view text, std::string_view indent) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string shown;
  std::size_t lines = 0;
  while (!text.empty() && lines < kFoldedLines) {
    const std::size_t end = text.find('\n');
    shown += fmt::format("{}{}\n", indent, shown_line(cut_with_mark(text.substr(0, end), kMaxFoldedLine)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++lines;
  }
  if (text.empty()) return shown;
  const auto more = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  return shown + fmt::format("{}… {} more line{}\n", indent, more, more == 1 ? "" : "s");
}

}  // namespace deputy::channel
