// Runs every detector over one chunk of text. A chunk is searched by itself, so its Context says what precedes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "redact/marker.h"
#include "redact/names.h"

namespace deputy::redact {

/// A name whose line ended before its value.
struct AwaitedValue {
  enum class For {
    nothing,
    value,       // `password:`, `password: |`: the next line is the value
    value_line,  // `name: DB_PASSWORD`: the next line is `value: …`
  };
  For what = For::nothing;
  NameKind name = NameKind::ordinary;
  bool first = false;  // only indentation before the name: a setting, not the end of a sentence

  explicit operator bool() const { return what != For::nothing; }
};

/// The text before a chunk, as far as it matters.
struct Context {
  bool starts_line = true;    // only indentation so far on its line
  bool in_list = false;       // after a comma or an opening bracket
  bool after_key = false;     // after a colon or an equals sign
  bool after_bar = false;     // after the bar before a table cell
  bool after_owner = false;   // after a word that makes `key` a secret: `API key`
  bool in_key_block = false;  // inside a private key block
  AwaitedValue asked;         // the previous line expects its value at the start of the chunk
};

/// Characters allowed before the first name of a line: blanks, quotes, marks of lists, quotations, comments and diffs.
inline constexpr std::string_view kIndentation = " \t\"'-+#>*~_";

constexpr bool opens_or_continues_list(char c) { return c == ',' || c == '{' || c == '[' || c == '('; }
constexpr bool ends_key(char c) { return c == ':' || c == '='; }
inline bool ends_in_bar(std::string_view text) { return text.ends_with('|') || text.ends_with("│"); }
/// The name characters at the end of `text`.
std::string_view last_name(std::string_view text);

/// These look at the text before the name at `at`: only indentation on its line; a quote, a comma or an opening bracket
/// (`{password: "…"`); a key (`name: DB_PASSWORD`); the bar of a table cell (`| password |`); a word that makes a key a
/// secret (`API key`).
bool is_first(std::string_view piece, std::size_t at, const Context& context);
bool is_in_structure(std::string_view piece, std::size_t at, const Context& context);
bool is_after_key(std::string_view piece, std::size_t at, const Context& context);
bool is_in_cell(std::string_view piece, std::size_t at, const Context& context);
bool is_after_owner(std::string_view piece, std::size_t at, const Context& context);

/// The secrets of a chunk in order, without overlaps and outside markers.
std::vector<Finding> find_in(std::string_view piece, const Context& context);

/// Sorts by position and joins overlapping findings; the kind is that of the first and most specific one.
void merge(std::vector<Finding>& found);

/// How a secret of several lines is replaced.
enum class Lines {
  joined,  // by one marker
  kept,    // by its marker on each line, so that line numbers hold
  picked,  // the same for lines picked from a larger text: one line of a key is enough, its neighbours may be missing
};
std::string replacement(std::string_view kind, std::string_view secret, std::string_view salt, Lines lines);

/// A chunk with its secrets replaced. A result longer than `longest` is replaced as a whole.
struct Cleaned {
  std::string text;
  std::size_t replaced = 0;
};
Cleaned clean(std::string_view piece, const Context& context, std::string_view salt, std::size_t longest,
              Lines lines = Lines::joined);

/// The kind of the marker for a chunk that is too long or too complex to search.
inline constexpr std::string_view kOversized = "oversized";

}  // namespace deputy::redact
