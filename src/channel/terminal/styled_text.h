// Text for a terminal: styles, Markdown as plain text for a pipe or a file (markup is removed, every word stays), other
// text with hidden characters made visible, and results shortened to their first lines. answer_text.h renders Markdown
// with styles.
//
// Pure, linear time. Control sequences in a text are escaped: the only ones in the output are our own.
#pragma once

#include <string>
#include <string_view>

namespace deputy::channel {

enum class Colours { off, on };

/// To add a style: a row here and in kCodes in styled_text.cpp.
enum class Style { bold, italic, code, heading, dim, green, red, yellow, cyan };

/// `text` in a style. Text from outside must be escaped already.
std::string styled(std::string_view text, Style style, Colours colours);

inline constexpr std::size_t kShortId = 10;  // characters

/// For text that is not shown on a terminal: lines are not wrapped.
inline constexpr std::size_t kAnyWidth = 1'000'000'000;

std::string plain_text(std::string_view markdown);

/// One line with hidden characters made visible, so that a log line or a ticket cannot move the cursor or change
/// colours. Tabs stay.
std::string shown_line(std::string_view line);
/// Text that is not Markdown, with hidden characters made visible.
std::string shown_lines(std::string_view text);
/// The same on one line.
std::string one_line(std::string_view text);

/// A line with its tabs as spaces up to the next tab stop, for rows that are drawn again: nobody can tell how wide a
/// tab is drawn.
std::string with_spaces(std::string_view line);

/// The beginning of an id, for lists that people read: its time to the millisecond. Commands accept it for the whole.
template <class Id>
std::string short_id(const Id& id) {
  return id.text().substr(0, kShortId);
}

/// `text` with the short form of each id in it.
std::string with_short_ids(std::string_view text);

/// Each line indented by two columns.
std::string indented(std::string_view lines);

/// `text` without the sequences that would move the cursor or change colours, and without what a line has overwritten
/// with a carriage return: as a terminal shows it.
std::string without_codes(std::string_view text);

/// `text` on one row: what does not fit is replaced by "…". Our own colour sequences take no columns.
std::string cut_to_width(const std::string& text, std::size_t width);

inline constexpr std::size_t kFoldedLines = 3;
inline constexpr std::size_t kMaxFoldedLine = 400;  // characters

enum class Shown { beginning, end };
/// The first or the last kFoldedLines lines, escaped, each after `indent` and on one row; beside them "… N more lines"
/// and `how_to_see` if there are more or one was cut.
std::string folded(std::string_view text, std::string_view indent, std::size_t width, std::string_view how_to_see = {},
                   Shown part = Shown::beginning);

}  // namespace deputy::channel
