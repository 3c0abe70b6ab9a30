// Text as a terminal shows it. Markdown in styles: bold, italics, code and headings by colours and weights where those
// are on, lists with bullets, links as their words and where they lead, tables as they are. Markdown as plain text, for
// a pipe or a file: signs that only a renderer needs go, every word stays. Text that is no Markdown, with what hides in
// it shown, and results folded to their first lines.
//
// Pure, linear time. Nothing of a text is obeyed by the terminal: the only sequences in what comes out are our own.
#pragma once

#include <string>
#include <string_view>

#include "channel/terminal/markdown_line.h"

namespace deputy::channel {

enum class Colours { off, on };

/// To add a style: a row here and of kCodes in styled_text.cpp.
enum class Style { bold, italic, code, heading, dim, green, red, yellow, cyan };

/// `text`, which holds nothing from outside that was not escaped, set in a style.
std::string styled(std::string_view text, Style style, Colours colours);

/// Line by line, as a text arrives: knows whether it is in a code block.
class AnsiMarkdown {
 public:
  explicit AnsiMarkdown(Colours colours) : colours_(colours) {}

  /// One line without its end, set, with its end; nothing for the fence of a code block.
  std::string line(std::string_view markdown);

 private:
  std::string prose(std::string_view line) const;

  Colours colours_;
  CodeBlocks blocks_;
};

/// A whole text.
std::string ansi_text(std::string_view markdown, Colours colours);

/// A line of a unified diff, escaped already, in its colour.
std::string diff_line(std::string_view line, Colours colours);

std::string plain_text(std::string_view markdown);

/// What a log line or a ticket holds must not move the cursor or change the colours of whoever reads it: one line with
/// what hides shown. Tabs stay.
std::string shown_line(std::string_view line);
/// Text that is no Markdown: as it is, with what hides shown.
std::string shown_lines(std::string_view text);
/// The same on one line.
std::string one_line(std::string_view text);

/// Each line two columns further in.
std::string indented(std::string_view lines);

inline constexpr std::size_t kFoldedLines = 10;
inline constexpr std::size_t kLongestFoldedLine = 400;  // characters

/// Escaped, each line behind `indent`; "… N more lines" at its end where there are more.
std::string folded(std::string_view text, std::string_view indent);

}  // namespace deputy::channel
