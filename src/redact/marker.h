// Markers replace secrets: `[redacted:<kind>#<6 hex digits>]`. The digits come from the secret and a salt: one secret
// has the same marker everywhere under one salt, and without the salt the marker reveals nothing.
//
// No kind may contain a word that the redactor itself looks for (a test checks this): a marker must never make its
// surroundings suspect.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::redact {

/// A part of a text, by offsets.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin >= end; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  bool operator==(const Range&) const = default;
};

/// A secret's place and kind: `aws`, `named`, `url` … The kind is a literal and lives as long as the program.
struct Finding : Range {
  std::string_view kind;

  bool operator==(const Finding&) const = default;
};

/// The marker for `secret`. `kind` is the kind of a finding: lower-case letters, digits and `-`.
std::string make_marker(std::string_view kind, std::string_view secret, std::string_view salt);

/// The first marker at or after `from`, no matter who made it.
std::optional<Range> next_marker(std::string_view text, std::size_t from = 0);

/// True for a text that was redacted. A write whose arguments hold a marker must be refused: the marker would be
/// written in place of the secret.
bool holds_marker(std::string_view text);

/// `ranges` (sorted, without overlaps) minus the parts inside markers: a marker is never redacted again.
std::vector<Finding> outside_markers(std::string_view text, const std::vector<Finding>& ranges);

}  // namespace deputy::redact
