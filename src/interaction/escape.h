// Makes text from outside safe to show: nothing in it hides, and nothing in it formats.
//
// Escapes control, bidirectional, invisible and overlaying characters as `\u{202E}`, and invalid UTF-8 as `\x{FF}`. Two
// different texts never give the same result: a backslash that would start such an escape is itself written `\u{5C}`.
// Look-alikes are not covered: a Cyrillic а is a letter.
//
// Quotes text in our Markdown as a code span, a fenced block or plain words, so that it can neither leave its place nor
// format anything. Renderers of channels read CommonMark.
//
// To add a hidden character: a row of kHidden in escape.cpp, which is sorted.
#pragma once

#include <string>
#include <string_view>

namespace deputy::interaction {

enum class Showing {
  exactly,   // for text bound by an approval: marks, joiners and unusual spaces are escaped too
  as_prose,  // for sentences in any language: joiners, combining marks and emoji stay
};

bool is_hidden(char32_t character, Showing showing);

/// Returns one line: line ends are escaped like other control characters.
std::string escape(std::string_view text, Showing showing);

/// Like escape `exactly`, and writes invisible spaces (at either end, after another space) as `\u{20}`.
std::string escape_with_spaces(std::string_view text);

/// The same for text whose leading and repeated spaces are visible, as in a code block: only trailing spaces are
/// escaped. A long run of spaces is folded, as `\u{20*120}`.
std::string escape_line(std::string_view text);

/// `text` between more backticks than any run inside it. Everything hidden is escaped, so it is one line.
std::string code_span(std::string_view text);

/// Lines in a fence longer than any run of backticks inside. Escape the text first.
std::string fenced(std::string_view lines);

/// Plain words on one line: hidden characters are escaped as in prose, Markdown's characters get a backslash.
std::string plain(std::string_view text);

/// The same line by line, for several paragraphs.
std::string plain_lines(std::string_view text);

}  // namespace deputy::interaction
