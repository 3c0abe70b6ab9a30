// Text from outside: valid UTF-8, cut without breaking a character, compared, split, searched; character classes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace deputy {

/// One decoded character: its code point and its length in bytes. Bytes that are not UTF-8 decode one at a time to
/// U+FFFD with `valid` false.
struct CodePoint {
  char32_t value = 0xFFFD;
  std::size_t bytes = 1;
  bool valid = false;
};
CodePoint decode_utf8(std::string_view text);  // text is not empty

/// Appends a code point as UTF-8; a surrogate or a number beyond U+10FFFF becomes U+FFFD.
void append_utf8(std::string& text, char32_t point);

bool is_valid_utf8(std::string_view text);

/// The same text with every byte that is not UTF-8 replaced by U+FFFD.
std::string to_valid_utf8(std::string text);

std::size_t count_characters(std::string_view text);

/// The longest prefix of at most `most` bytes (or characters) that ends between characters.
std::string_view cut_bytes(std::string_view text, std::size_t most);
std::string_view cut_characters(std::string_view text, std::size_t most);

/// `text` when it has at most `most` characters, else its beginning and a mark with the number of characters left out.
std::string cut_with_mark(std::string_view text, std::size_t most);

/// A code span or fence with one more cannot be ended by the text inside it.
std::size_t longest_run_of_backticks(std::string_view text);

/// "1 run", "2 runs": a count with its noun. The plural adds an s.
std::string count_of(std::int64_t count, std::string_view noun);

std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);                                             // ASCII only
std::vector<std::string_view> split(std::string_view text, std::string_view separator);  // separator is not empty
std::string join(std::span<const std::string> parts, std::string_view separator);

/// The number of insertions, deletions, replacements or swaps of neighbours that turn `a` into `b`. Takes time
/// proportional to the product of their sizes, so use it for words only.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate a person most likely meant: the nearest, else the only one that starts with `word`. Empty when there
/// is none.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

/// `a`, `b` and `c`: names in backquotes for an error message.
std::string list_names(std::span<const std::string> names);

// Character classes: ASCII only and the same in every locale. A byte of another alphabet is in none of them.

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

/// True when a range holds a value, as std::ranges::contains, which our standard library lacks:
/// `contains(kWords, word)`, or by a member: `contains(tools, name, &Tool::name)`.
template <std::ranges::input_range Range, class Value, class Projection = std::identity>
constexpr bool contains(const Range& range, const Value& value, Projection projection = {}) {
  return std::ranges::find(range, value, std::move(projection)) != std::ranges::end(range);
}

}  // namespace deputy
