// Renders Markdown for a terminal: wrapped at words, with lists, quotes, aligned tables and highlighted code. Pure,
// linear time. All text is escaped: the only control sequences in the output are our own.
//
// To add markup of a line: a case in `prose`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/markdown_line.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

/// Renders line by line as the text arrives. A table is held back until it is whole.
class AnsiMarkdown {
 public:
  AnsiMarkdown(Colours colours, std::size_t width);

  /// Takes a line without its line break and returns what can be shown now, with line breaks.
  std::string line(std::string_view markdown);
  /// What was held back.
  std::string end();

 private:
  std::string prose(std::string_view line) const;
  std::string code(std::string_view line) const;

  Colours colours_;
  std::size_t width_;
  CodeBlocks blocks_;
  bool in_code_ = false;
  std::string language_;            // of the open code block
  std::vector<std::string> table_;  // its lines so far
};

/// A whole text.
std::string ansi_text(std::string_view markdown, Colours colours, std::size_t width);

/// Lines without styles, escaped already, wrapped at words. A row that goes on begins below the last column of its line
/// (two spaces or more begin one), or a little further in than the line where that is too far right.
std::string wrapped_text(std::string_view lines, std::size_t width);

/// One such line: the first row after `mark`, the others below its text.
std::string wrapped_after(std::string_view mark, std::string_view text, std::size_t width);

/// A part of a line of code, escaped, and its style if it has one.
struct CodePart {
  std::string text;
  std::optional<Style> style;
};

/// The parts of a line of code: strings, numbers, comments and keywords, or a line of a diff. `language` is the word
/// after the fence; it may be empty.
std::vector<CodePart> code_parts(std::string_view code, std::string_view language);

/// The same line with its colours.
std::string highlighted(std::string_view code, std::string_view language, Colours colours);

}  // namespace deputy::channel
