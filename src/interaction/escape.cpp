#include "interaction/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"

namespace deputy::interaction {
namespace {

enum class Hides { always, when_exact };

struct HiddenRange {
  char32_t first, last;
  Hides hides;
};

constexpr auto kHidden = std::to_array<HiddenRange>({
    {0x0000, 0x001F, Hides::always},         // C0 controls
    {0x007F, 0x009F, Hides::always},         // delete, C1 controls
    {0x00A0, 0x00A0, Hides::when_exact},     // no-break space
    {0x00AD, 0x00AD, Hides::always},         // soft hyphen
    {0x0300, 0x034E, Hides::when_exact},     // marks drawn over their neighbours
    {0x034F, 0x034F, Hides::always},         // grapheme joiner
    {0x0350, 0x036F, Hides::when_exact},     // marks
    {0x0483, 0x0489, Hides::when_exact},     // marks
    {0x061C, 0x061C, Hides::always},         // Arabic letter mark
    {0x115F, 0x1160, Hides::always},         // Hangul fillers
    {0x1680, 0x1680, Hides::when_exact},     // space
    {0x17B4, 0x17B5, Hides::always},         // invisible Khmer vowels
    {0x180B, 0x180F, Hides::always},         // Mongolian selectors and separator
    {0x1AB0, 0x1AFF, Hides::when_exact},     // marks
    {0x1DC0, 0x1DFF, Hides::when_exact},     // marks
    {0x2000, 0x200A, Hides::when_exact},     // spaces
    {0x200B, 0x200B, Hides::always},         // zero-width space
    {0x200C, 0x200D, Hides::when_exact},     // joiners: Persian and emoji need them
    {0x200E, 0x200F, Hides::always},         // direction marks
    {0x2028, 0x202E, Hides::always},         // line and paragraph separators, direction overrides
    {0x202F, 0x202F, Hides::when_exact},     // space
    {0x205F, 0x205F, Hides::when_exact},     // space
    {0x2060, 0x206F, Hides::always},         // word joiner, invisible operators, isolates
    {0x20D0, 0x20FF, Hides::when_exact},     // marks
    {0x2800, 0x2800, Hides::when_exact},     // blank braille pattern
    {0x3000, 0x3000, Hides::when_exact},     // space
    {0x302A, 0x302F, Hides::when_exact},     // marks
    {0x3099, 0x309A, Hides::when_exact},     // marks
    {0x3164, 0x3164, Hides::always},         // Hangul filler
    {0xE000, 0xF8FF, Hides::when_exact},     // private use: one box looks like another
    {0xFE00, 0xFE0E, Hides::always},         // variation selectors
    {0xFE0F, 0xFE0F, Hides::when_exact},     // the one emoji need
    {0xFE20, 0xFE2F, Hides::when_exact},     // marks
    {0xFEFF, 0xFEFF, Hides::always},         // byte order mark
    {0xFFA0, 0xFFA0, Hides::always},         // Hangul filler
    {0xFFF0, 0xFFFB, Hides::always},         // interlinear annotation
    {0xFFFE, 0xFFFF, Hides::always},         // not characters
    {0x13430, 0x13440, Hides::always},       // hieroglyph format controls
    {0x1BCA0, 0x1BCA3, Hides::always},       // shorthand format controls
    {0x1D159, 0x1D159, Hides::always},       // invisible notehead
    {0x1D165, 0x1D169, Hides::when_exact},   // marks
    {0x1D16D, 0x1D172, Hides::when_exact},   // marks
    {0x1D173, 0x1D17A, Hides::always},       // music format controls
    {0xE0000, 0xE0FFF, Hides::always},       // tags, variation selectors
    {0xF0000, 0x10FFFF, Hides::when_exact},  // private use
});

void append_code(std::string& out, char32_t character) {
  fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}", static_cast<std::uint32_t>(character));
}

bool begins_an_escape(std::string_view text) { return text.starts_with("\\u{") || text.starts_with("\\x{"); }

enum class Spaces { kept, end_escaped, unseen_escaped };

// A longer run of spaces could push the rest of a line out of sight, or to where something else should stand.
constexpr std::size_t kMaxIndent = 40;
constexpr std::size_t kMaxGap = 16;

// How many spaces begin at `at` if they are too many to be shown one by one; else 0.
std::size_t long_run_of_spaces(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of(' ', at), text.size());
  return end - at > (at == 0 ? kMaxIndent : kMaxGap) ? end - at : 0;
}

std::string escape_as(std::string_view text, Showing showing, Spaces spaces) {
  const std::size_t last_seen = text.find_last_not_of(' ');
  const std::size_t end_begins = last_seen == std::string_view::npos ? 0 : last_seen + 1;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (spaces != Spaces::kept && text[at] == ' ' && (at == 0 || text[at - 1] != ' ')) {
      if (const std::size_t run = long_run_of_spaces(text, at); run != 0) {
        fmt::format_to(std::back_inserter(out), "\\u{{20*{}}}", run);
        at += run;
        continue;
      }
    }
    const CodePoint next = decode_utf8(text.substr(at));
    const bool unseen_space =
        next.value == U' ' && ((spaces != Spaces::kept && at >= end_begins) ||
                               (spaces == Spaces::unseen_escaped && (at == 0 || text[at - 1] == ' ')));
    if (!next.valid) {
      fmt::format_to(std::back_inserter(out), "\\x{{{:02X}}}", static_cast<unsigned char>(text[at]));
    } else if (unseen_space || is_hidden(next.value, showing) || begins_an_escape(text.substr(at))) {
      append_code(out, next.value);
    } else {
      out += text.substr(at, next.bytes);
    }
    at += next.bytes;
  }
  return out;
}

bool is_word(char c) { return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

// snake_case needs no backslash and is easier to read without.
bool is_formatting(std::string_view text, std::size_t at) {
  if (text[at] == '_') {
    return at == 0 || at + 1 == text.size() || !is_word(text[at - 1]) || !is_word(text[at + 1]);
  }
  return std::string_view("\\`*[]<>&~|$").contains(text[at]);
}

// Text that would start a heading, a list or a rule at the start of a line.
bool opens_a_block(std::string_view line, std::size_t at) {
  if (at == 0) return std::string_view("#-+=").contains(line[0]);
  return (line[at] == '.' || line[at] == ')') && line.find_first_not_of("0123456789") == at;
}

}  // namespace

bool is_hidden(char32_t character, Showing showing) {
  const auto* const after = std::ranges::upper_bound(kHidden, character, {}, &HiddenRange::first);
  if (after == kHidden.begin()) return false;
  const HiddenRange& range = *std::prev(after);
  return character <= range.last && (range.hides == Hides::always || showing == Showing::exactly);
}

std::string escape(std::string_view text, Showing showing) { return escape_as(text, showing, Spaces::kept); }

std::string escape_with_spaces(std::string_view text) {
  return escape_as(text, Showing::exactly, Spaces::unseen_escaped);
}

std::string escape_line(std::string_view text) { return escape_as(text, Showing::exactly, Spaces::end_escaped); }

std::string code_span(std::string_view text) {
  const std::string inside = escape_with_spaces(text);
  if (inside.empty()) return "(empty)";
  const std::string ticks(longest_run_of_backticks(inside) + 1, '`');
  // A renderer removes one space on each side if both sides have one.
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
