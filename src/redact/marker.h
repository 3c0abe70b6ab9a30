// What stands where a secret stood: `[redacted:<kind>#<6 hex digits>]`. The digits come from the secret and a salt, so
// that one secret has one marker wherever it shows up under that salt, and nothing can be learnt from it without the
// salt.
//
// No kind may contain a word that the redactor itself looks for (a test holds this): a marker must never make its
// surroundings suspect.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::redact {

// A part of a text by offsets, and what was found there.

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

/// The marker of `secret`. `kind` is one of the kinds that findings have: lower-case letters, digits and `-`.
std::string make_marker(std::string_view kind, std::string_view secret, std::string_view salt);

/// The first marker at or after `from`, whoever made it.
std::optional<Range> next_marker(std::string_view text, std::size_t from = 0);

/// True for a text that was redacted. A write whose arguments hold a marker must be refused: the marker would end up as
/// the secret.
bool holds_marker(std::string_view text);

/// `ranges` (sorted, apart) without what lies in markers: a marker is never redacted again.
std::vector<Finding> outside_markers(std::string_view text, const std::vector<Finding>& ranges);

}  // namespace deputy::redact
