// Text from outside as a part of our Markdown, which it can neither leave nor format: a code span, a fenced block, or
// plain words. A channel's renderer sees CommonMark.
#pragma once

#include <string>
#include <string_view>

namespace deputy::interaction {

/// `text` between backticks, more of them than any run inside. Everything hidden is escaped, so it is one line.
std::string code_span(std::string_view text);

/// Lines in a fence longer than any run of backticks inside. The text is taken as it is: escape it first.
std::string fenced(std::string_view lines);

/// Words as words, on one line: hidden characters escaped as in prose, Markdown's own signs with a backslash.
std::string plain(std::string_view text);

/// The same line by line, for a text of several paragraphs.
std::string plain_lines(std::string_view text);

}  // namespace deputy::interaction
