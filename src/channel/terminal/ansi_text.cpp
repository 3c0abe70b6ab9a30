#include "channel/terminal/ansi_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>

#include "channel/terminal/plain_text.h"

namespace deputy::channel {

namespace {

// What switches a style on, and off again.
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

// Where a list item's words begin, behind its bullet; 0 for any other line.
std::size_t bullet_end(std::string_view line) {
  const std::size_t sign = line.find_first_not_of(' ');
  if (sign == std::string_view::npos || sign + 1 >= line.size() || line[sign + 1] != ' ') return 0;
  return line[sign] == '-' || line[sign] == '*' || line[sign] == '+' ? sign + 2 : 0;
}

bool is_table(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin != std::string_view::npos && line[begin] == '|';
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

std::string diff_line(std::string_view line, Colours colours) {
  if (line.starts_with('+')) return styled(line, Style::green, colours);
  if (line.starts_with('-')) return styled(line, Style::red, colours);
  return line.starts_with('@') ? styled(line, Style::cyan, colours) : std::string(line);
}

}  // namespace deputy::channel
