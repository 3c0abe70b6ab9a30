// What a search looks for, from the text of its `query`:
//
//   connection timeout          entries that hold both words, in any order and any case
//   "connection timeout"        these words one after the other
//   /timeout after \d+ ms/i     a regular expression (RE2), with `i` whatever the case; within one line
//   *                           everything
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deputy::tools {

struct TextQuery {
  std::vector<std::string> words;  // in small letters; all of them must occur
  std::string regex;               // empty: none

  bool operator==(const TextQuery&) const = default;
};

inline constexpr std::size_t kMostWords = 10;

/// The error says what a query looks like, or where its expression breaks.
Result<TextQuery> parse_query(std::string_view text);

}  // namespace deputy::tools
