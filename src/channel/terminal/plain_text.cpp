#include "channel/terminal/plain_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "channel/terminal/markdown_line.h"
#include "interaction/escape.h"

namespace deputy::channel {

namespace {

// Links stay as they are written: where they lead is part of what is said.
std::string words_of(std::string_view line) {
  std::string words;
  for (const Span& span : spans_of(line))
    words += span.address.empty() ? span.text : fmt::format("[{}]({})", span.text, span.address);
  return words;
}

}  // namespace

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

}  // namespace deputy::channel
