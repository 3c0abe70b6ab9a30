// Markdown functions that every channel needs: finding CommonMark's fenced code blocks line by line (not inside
// quotes), and splitting a long text into parts for platforms with a length limit. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::channel {

/// A line that may open a fence, or close one.
struct Fence {
  char mark = '`';
  std::size_t length = 3;
  std::size_t indent = 0;  // in columns
  std::string info;

  /// The lines that open and close it.
  std::string opening() const { return closing() + info; }
  std::string closing() const { return std::string(indent, ' ') + std::string(length, mark); }

  bool operator==(const Fence&) const = default;
};

/// Columns of white space at the start of a line; a tab goes to the next multiple of four.
std::size_t indent_of(std::string_view line);

/// The fence this line opens, however far it is indented. The caller decides how much indent is too much.
std::optional<Fence> opens_fence(std::string_view line);

bool closes_fence(std::string_view line, const Fence& open);

/// Outside a list, a fence indented this far or further is not a fence.
inline constexpr std::size_t kCodeIndent = 4;

// Splitting long texts.
//
// A part ends at the end of a paragraph if there is one in its second half, else at the end of a line, else at the end
// of a word, and never inside a character. A code block that is split is closed and opened again with its info string.
// Outside code, white space at a split is dropped; nothing else is.

/// Smaller limits are raised to this one.
inline constexpr std::size_t kSmallestPart = 80;

/// Parts of at most `limit` bytes, each with its code blocks closed. No parts for a text that is only white space.
std::vector<std::string> split_markdown(std::string_view markdown, std::size_t limit);

inline constexpr std::size_t kMaxParts = 3;
inline constexpr std::size_t kMaxCodeBlock = 60;        // lines shown in a conversation
inline constexpr std::size_t kCodeLinesInSummary = 20;  // of a block that is longer than that

enum class Files { can_be_sent, cannot };

struct Layout {
  std::vector<std::string> parts;
  bool whole_as_file = false;  // `parts` is only the beginning and says so; the full text is sent as a file

  bool operator==(const Layout&) const = default;
};

/// How a text is shown: in parts, or as its beginning and a file if that would be more than kMaxParts parts or a code
/// block is longer than kMaxCodeBlock. If files cannot be sent, in as many parts as needed.
Layout lay_out(std::string_view markdown, std::size_t limit, Files files);

}  // namespace deputy::channel
