// Splits one line of Markdown prose into spans of text with the same style. Pure, linear time. It knows the markup that
// models use: bold, italics, code, links, escapes. A sign without a partner, or between two word characters
// (snake_case), is plain text.
//
// To add markup: a case in `step`, a field of Span, and its rendering in plain_text and ansi_text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/markdown.h"

namespace deputy::channel {

struct Span {
  std::string text;  // as written, not escaped
  bool bold = false;
  bool italic = false;
  bool code = false;
  std::string address = {};  // for a link; `text` is its label

  bool operator==(const Span&) const = default;
};

std::vector<Span> spans_of(std::string_view line);

/// Tells for each line in turn whether it is in a code block; channel/markdown.h recognises the fences.
class CodeBlocks {
 public:
  enum class Line { prose, code, fence };
  Line next(std::string_view line);

 private:
  std::optional<Fence> open_;
};

/// The depth and the text of a heading; depth 0 for any other line.
struct Heading {
  std::size_t depth = 0;
  std::string_view words;
};
Heading heading_of(std::string_view line);

}  // namespace deputy::channel
