// A command line read loosely, for deny patterns: every text in which a denied command might stand, however it is
// quoted, nested or wrapped (`sudo`, `env X=1`, `sh -c '…'`, `$(…)`), even in a line that does not parse: adding `$(`
// must not evade a deny pattern. Allow patterns look at the strict reading (base/command_line.h).
//
// The readings ignore structure, so a denied command that is only quoted (`echo "rm -rf /"`) is found too: better
// refused once too often. They do not know the values of variables and decode no escapes such as $'\x72'. Lines with
// those do not parse, and rulings.cpp lets no such line run without asking if the tool has deny patterns; the same goes
// for a command that hides what it runs. A deny pattern is a fence, not a sandbox: what a program does by itself is not
// read, so under mode allow_all such a line runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deputy::policy {

/// Lines of possible commands: quotes and backslashes are removed, operators end a line, spaces are single. Further
/// readings replace braces by spaces, and variables by a space or nothing. Linear in the line; at most six readings.
std::vector<std::string> loose_readings(std::string_view line);

/// Positions in a reading where a command might start: at each word, and after each `/` or `=` in one.
std::vector<std::size_t> possible_starts(std::string_view reading);

}  // namespace deputy::policy
