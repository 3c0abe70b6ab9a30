// Markdown as plain text, for a pipe or a file: signs that only a renderer needs go, every word stays. Pure, linear
// time. Code stays as it is, without its fences; control
// and other hidden characters are shown, never obeyed.
#pragma once

#include <string>
#include <string_view>

namespace deputy::channel {

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

}  // namespace deputy::channel
