// One line of Markdown's prose as pieces: what stands there, and how it is to be set. Pure, linear time. It knows the
// signs that models use: bold, italics, code, links, escapes. A sign without a partner, or between two word characters
// (snake_case), is text.
//
// To add a sign: its case in `step`, a field or kind of Span, and what plain_text and ansi_text make of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/fence.h"

namespace deputy::channel {

struct Span {
  std::string text;  // as it was written: not escaped
  bool bold = false;
  bool italic = false;
  bool code = false;
  std::string address = {};  // of a link, whose words are `text`

  bool operator==(const Span&) const = default;
};

std::vector<Span> spans_of(std::string_view line);

/// Which lines are in code blocks, line by line; what a fence is, channel/fence.h says.
class CodeBlocks {
 public:
  enum class Line { prose, code, fence };
  Line next(std::string_view line);

 private:
  std::optional<Fence> open_;
};

/// How deep a heading the line is, and where its words begin; depth 0 for any other line.
struct Heading {
  std::size_t depth = 0;
  std::string_view words;
};
Heading heading_of(std::string_view line);

}  // namespace deputy::channel
