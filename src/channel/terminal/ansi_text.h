// Markdown as a terminal shows it: bold, italics, code and headings by colours and weights where those are on, by
// nothing where they are not; lists with bullets, links as their words and where they lead, tables as they are. Pure,
// linear time. Nothing of the text is obeyed by the terminal: the only sequences in what comes out are our own.
#pragma once

#include <string>
#include <string_view>

#include "channel/terminal/markdown_line.h"

namespace deputy::channel {

enum class Colours { off, on };

/// To add a style: a row here and of kCodes in ansi_text.cpp.
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

}  // namespace deputy::channel
