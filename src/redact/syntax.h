// Reads how names and values are written: where a name ends, what separates it from its value, where the value ends. It
// decides nothing. Every step moves forward, and the part that may be read again for the next name is bounded.
#pragma once

#include <optional>
#include <string_view>

#include "redact/marker.h"
#include "redact/names.h"
#include "redact/values.h"

namespace deputy::redact {

/// The same bytes may be read again for the next name, so a value is read only this far until it is known to count.
inline constexpr std::size_t kMaxOrdinary = 1024;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }
constexpr bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool ended() const { return at_ >= text_.size(); }
  bool at_line_end() const { return ended() || is_line_end(text_[at_]); }
  bool sees(std::string_view next) const { return text_.substr(at_).starts_with(next); }

  bool take(std::string_view next);
  std::size_t skip(std::string_view characters);
  /// Skips blanks, and a line end after a backslash.
  std::size_t skip_blanks();
  /// Skips the stars of *bold* and similar next to a name or its colon, not those that belong to a value.
  void skip_emphasis();
  /// Takes a quote with the backslashes that escape it (JSON inside JSON), or nothing.
  std::string_view take_quote();
  /// Skips a remark after a name, including its end: `[None]`, `(prod)`. Takes nothing when no `:` or `=` follows, or
  /// when it is a marker.
  void skip_remark();
  /// Takes the quote that opens a string, with a language's prefix: b"…", f'…'.
  std::string_view take_string_opening();
  std::string_view take_name();
  /// Takes a name with or without quotes and the `:` or `=` after it; takes nothing and returns empty when there is
  /// none.
  std::string_view take_key();

 private:
  std::string_view text_;
  std::size_t at_;
};

struct Separator {
  NamedValue::Form form = NamedValue::Form::equals;
  enum class Style {
    plain,
    element,   // <name>value</name>
    argument,  // ("NAME", "value")
    cell,      // | name | value |
  };
  Style style = Style::plain;
};

/// Reads the separator between a name and its value; nothing when no value follows. `before` is the character before
/// the name.
std::optional<Separator> read_separator(Reader& reader, char before);

/// A value, possibly cut at the number of bytes asked for.
struct Value {
  Range range;
  std::string_view quote = {};

  bool quoted() const { return !quote.empty(); }
  std::size_t after_quote() const { return range.end + quote.size(); }
  Value at_most(std::string_view text, std::size_t most) const;
};

/// The value at the reader's position, up to kMaxOrdinary bytes.
Value read_value(std::string_view text, Reader& reader);

bool only_comment_follows(std::string_view text, std::size_t at);

struct Name {
  Range range;
  NameKind kind = NameKind::ordinary;
};

/// The whole name around a hit of kNameHints.
Name name_around(std::string_view text, Range hint, std::size_t from);

}  // namespace deputy::redact
