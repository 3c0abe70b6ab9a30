#include "interaction/markdown.h"

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "interaction/escape.h"

namespace deputy::interaction {
namespace {

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

bool is_word(char c) { return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

// snake_case needs no backslash, and is easier to read without.
bool is_formatting(std::string_view text, std::size_t at) {
  if (text[at] == '_') {
    return at == 0 || at + 1 == text.size() || !is_word(text[at - 1]) || !is_word(text[at + 1]);
  }
  return std::string_view("\\`*[]<>&~|$").contains(text[at]);
}

// What would begin a heading, a list or a rule at the front of a line.
bool opens_a_block(std::string_view line, std::size_t at) {
  if (at == 0) return std::string_view("#-+=").contains(line[0]);
  return (line[at] == '.' || line[at] == ')') && line.find_first_not_of("0123456789") == at;
}

}  // namespace

std::string code_span(std::string_view text) {
  const std::string inside = escape_with_spaces(text);
  if (inside.empty()) return "(empty)";
  const std::string ticks(longest_run_of_backticks(inside) + 1, '`');
  // A renderer takes one space away on both sides when there is one on both.
  const std::string_view room = inside.starts_with('`') || inside.ends_with('`') ? " " : "";
  return ticks + std::string(room) + inside + std::string(room) + ticks;
}

std::string fenced(std::string_view lines) {
  const std::string ticks(std::max<std::size_t>(3, longest_run_of_backticks(lines) + 1), '`');
  std::string out = ticks + "\n";
  out += lines;
  if (!lines.ends_with('\n')) out += '\n';
  return out + ticks + "\n";
}

std::string plain(std::string_view text) {
  const std::string line = escape(trim(text), Showing::as_prose);
  std::string out;
  out.reserve(line.size());
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_formatting(line, at) || opens_a_block(line, at)) out += '\\';
    out += line[at];
  }
  return out;
}

std::string plain_lines(std::string_view text) {
  std::string out;
  for (std::string_view line : split(trim(text), "\n")) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!out.empty()) out += '\n';
    out += plain(line);
  }
  return out;
}

}  // namespace deputy::interaction
