// Fenced code blocks of CommonMark, line by line: the one thing about Markdown that cutting a text and making it safe
// must both know. Fences inside quotes are not seen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

/// Columns of white space that a line begins with; a tab goes to the next multiple of four.
std::size_t indent_of(std::string_view line);

/// The fence this line opens, however far it is indented: whoever asks knows how far is too far.
std::optional<Fence> opens_fence(std::string_view line);

/// Whether the line closes `open`.
bool closes_fence(std::string_view line, const Fence& open);

/// From this column on, a fence at the root of a text is none.
inline constexpr std::size_t kCodeIndent = 4;

}  // namespace deputy::channel
