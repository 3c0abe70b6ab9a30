// All that is known about secrets, applied to one piece of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "redact/marker.h"
#include "redact/names.h"

namespace deputy::redact {

// What stands before a piece of text that is judged by itself.

/// A name that ended its line before its value came.
struct Asked {
  enum class For {
    nothing,
    value,       // `password:`, `password: |`: the next line is the value
    value_line,  // `name: DB_PASSWORD`: the next line is `value: …`
  };
  For what = For::nothing;
  NameKind name = NameKind::ordinary;
  bool first = false;  // nothing but indentation stood before the name: a setting, not the end of a sentence

  explicit operator bool() const { return what != For::nothing; }
};

struct Context {
  bool starts_line = true;    // only indentation on its line
  bool in_list = false;       // a comma or an opening bracket
  bool after_key = false;     // a colon or an equals sign
  bool after_bar = false;     // the bar before a cell of a table
  bool after_owner = false;   // a word that makes `key` a secret: `API key`
  bool in_key_block = false;  // the beginning of a private key block
  Asked asked;                // the line before waits for the one that the piece begins with
};

/// What may stand before the first name of a line: blanks, quotes, the marks of lists, quotations, comments and diffs.
inline constexpr std::string_view kIndentation = " \t\"'-+#>*~_";

constexpr bool opens_or_continues_list(char c) { return c == ',' || c == '{' || c == '[' || c == '('; }
constexpr bool ends_key(char c) { return c == ':' || c == '='; }
inline bool ends_in_bar(std::string_view text) { return text.ends_with('|') || text.ends_with("│"); }
/// The characters of names that `text` ends in.
std::string_view last_name(std::string_view text);

/// What stands before the name at `at` of a piece: nothing but indentation on its line; a quote, a comma or an opening
/// bracket (`{password: "…"`); a key (`name: DB_PASSWORD`); the bar before a cell (`| password |`); a word that makes a
/// key a secret (`API key`).
bool is_first(std::string_view piece, std::size_t at, const Context& context);
bool is_in_structure(std::string_view piece, std::size_t at, const Context& context);
bool is_after_key(std::string_view piece, std::size_t at, const Context& context);
bool is_in_cell(std::string_view piece, std::size_t at, const Context& context);
bool is_after_owner(std::string_view piece, std::size_t at, const Context& context);

/// The secrets of a piece, in order and apart; nothing of a marker is among them.
std::vector<Finding> find_in(std::string_view piece, const Context& context);

/// A piece with its secrets replaced; what would come out longer than `longest` is replaced as a whole.
struct Cleaned {
  std::string text;
  std::size_t replaced = 0;
};
Cleaned clean(std::string_view piece, const Context& context, std::string_view salt, std::size_t longest);

/// What stands for a piece that is too long or too tangled to judge.
inline constexpr std::string_view kOversized = "oversized";

}  // namespace deputy::redact
