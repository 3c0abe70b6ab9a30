// Markup within a line: emphasis, code, links, Slack's tokens and emoji. Both dialects are markers in a table.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace deputy::sim::slack {

/// Characters around emphasised text, and the tags they become.
struct Marker {
  std::string_view characters;
  std::string_view open, close;
};

struct Dialect {
  std::span<const Marker> markers;  // the longest first
  bool is_markdown = false;         // backslash escapes, [links](…), code between several backticks
  bool is_plain = false;            // nothing but emoji
};

extern const Dialect kMrkdwnDialect;
extern const Dialect kMarkdownDialect;
extern const Dialect kPlain;

/// One line as HTML. Takes time proportional to its length.
std::string inline_html(std::string_view line, const Dialect& dialect);

/// &amp; &lt; &gt; as the characters they stand for: all that Slack escapes.
std::string unescape(std::string_view text);

/// The label of what stands between "<" and ">": "@ann" for "@U1|ann". Empty when it is no token.
std::string token_label(std::string_view token);

}  // namespace deputy::sim::slack
