// Text from outside, shown so that nothing in it hides: control, bidirectional, invisible and overlaying characters are
// written as `\u{202E}`, bytes that are not UTF-8 as `\x{FF}`. Two different texts never give the same one: a backslash
// that would begin such an escape is itself written `\u{5C}`.
//
// It is not about look-alikes (a Cyrillic а is a letter), and not about Markdown: that is markdown.h.
//
// To add a character: a row of kHidden in escape.cpp, which is sorted.
#pragma once

#include <string>
#include <string_view>

namespace deputy::interaction {

enum class Showing {
  exactly,   // what is bound by an approval: marks, joiners and every space but the common one are escaped too
  as_prose,  // sentences of any language: joiners, combining marks and emoji stay as they are
};

bool is_hidden(char32_t character, Showing showing);

/// One line: line ends are escaped like every other control character.
std::string escape(std::string_view text, Showing showing);

/// Like escape `exactly`, with spaces that nobody would see (at either end, after another space) written `\u{20}`.
std::string escape_with_spaces(std::string_view text);

/// The same for text whose leading and repeated spaces are seen, as in a code block: only those at its end are escaped.
std::string escape_line(std::string_view text);

// Text from outside as a part of our Markdown, which it can neither leave nor format: a code span, a fenced block, or
// plain words. A channel's renderer sees CommonMark.

/// `text` between backticks, more of them than any run inside. Everything hidden is escaped, so it is one line.
std::string code_span(std::string_view text);

/// Lines in a fence longer than any run of backticks inside. The text is taken as it is: escape it first.
std::string fenced(std::string_view lines);

/// Words as words, on one line: hidden characters escaped as in prose, Markdown's own signs with a backslash.
std::string plain(std::string_view text);

/// The same line by line, for a text of several paragraphs.
std::string plain_lines(std::string_view text);

}  // namespace deputy::interaction
