// Renders text for a terminal:
// - Markdown with styles: bold, italics, code and headings with colours if these are on, lists with bullets, links as
//   their label and address, tables unchanged.
// - Markdown as plain text, for a pipe or a file: markup is removed, every word stays.
// - Other text with hidden characters made visible, and results shortened to their first lines.
//
// Pure, linear time. Control sequences in a text are escaped: the only ones in the output are our own.
#pragma once

#include <string>
#include <string_view>

#include "channel/markdown_line.h"

namespace deputy::channel {

enum class Colours { off, on };

/// To add a style: a row here and in kCodes in styled_text.cpp.
enum class Style { bold, italic, code, heading, dim, green, red, yellow, cyan };

/// `text` in a style. Text from outside must be escaped already.
std::string styled(std::string_view text, Style style, Colours colours);

/// Renders Markdown line by line as it arrives; remembers whether it is in a code block.
class AnsiMarkdown {
 public:
  explicit AnsiMarkdown(Colours colours) : colours_(colours) {}

  /// Takes a line without its line break and returns it rendered, with its line break; nothing for a code fence.
  std::string line(std::string_view markdown);

 private:
  std::string prose(std::string_view line) const;

  Colours colours_;
  CodeBlocks blocks_;
};

/// A whole text with styles.
std::string ansi_text(std::string_view markdown, Colours colours);

std::string plain_text(std::string_view markdown);

/// One line with hidden characters made visible, so that a log line or a ticket cannot move the cursor or change
/// colours. Tabs stay.
std::string shown_line(std::string_view line);
/// Text that is not Markdown, with hidden characters made visible.
std::string shown_lines(std::string_view text);
/// The same on one line.
std::string one_line(std::string_view text);

/// Each line indented by two columns.
std::string indented(std::string_view lines);

inline constexpr std::size_t kFoldedLines = 10;
inline constexpr std::size_t kMaxFoldedLine = 400;  // characters

/// The first kFoldedLines lines, escaped, each after `indent`; then "… N more lines" if there are more.
std::string folded(std::string_view text, std::string_view indent);

}  // namespace deputy::channel
