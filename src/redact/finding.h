// A part of a text by offsets, and what was found there.
#pragma once

#include <cstddef>
#include <string_view>

namespace deputy::redact {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin >= end; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  bool operator==(const Range&) const = default;
};

/// Where a secret is and of which kind: `aws`, `named`, `url` … The kind is a literal and lives as long as the program.
struct Finding : Range {
  std::string_view kind;

  bool operator==(const Finding&) const = default;
};

}  // namespace deputy::redact
