// Long Markdown for places with a limit. Pure.
//
// A part ends at a paragraph's end where one lies in its second half, else at a line's end, else at a word's, and never
// inside a character. A code block that is cut is closed and opened again with its info string. White space at a cut
// outside code is dropped; nothing else is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::channel {

/// Smaller limits are raised to this one.
inline constexpr std::size_t kSmallestPart = 80;

/// Parts of at most `limit` bytes, each with its code blocks closed. None for a text of white space.
std::vector<std::string> split_markdown(std::string_view markdown, std::size_t limit);

inline constexpr std::size_t kMostParts = 3;
inline constexpr std::size_t kLongestCodeBlock = 60;    // lines shown in a conversation
inline constexpr std::size_t kCodeLinesInSummary = 20;  // of a block that is longer than that

enum class Files { can_be_sent, cannot };

struct Layout {
  std::vector<std::string> parts;
  bool whole_as_file = false;  // `parts` is the beginning and says so; the whole text goes as a file

  bool operator==(const Layout&) const = default;
};

/// How a text is shown: in parts or, when they are more than kMostParts or a code block is longer than
/// kLongestCodeBlock, by its beginning and a file. Where files cannot be sent, in as many parts as it takes.
Layout lay_out(std::string_view markdown, std::size_t limit, Files files);

}  // namespace deputy::channel
