// A shell's command line, read in two ways: strictly, command by command, for allow patterns, and loosely for deny
// patterns.
//
// The strict parser refuses everything that could make the shell do something other than the text says: substitution,
// variables, here-documents, control characters, line continuations, compound commands, unbalanced quotes, a pattern as
// the name of a command. A line that does not parse matches no allow pattern.
//
// The loose readings are every text in which a denied command might stand, however it is quoted, nested or wrapped
// (`sudo`, `env X=1`, `sh -c '…'`, `$(…)`), even in a line that does not parse: adding `$(` must not evade a deny
// pattern. They ignore structure, so a denied command that is only quoted (`echo "rm -rf /"`) is found too: better
// refused once too often. They do not know the values of variables and decode no escapes such as $'\x72'. Lines with
// those do not parse, and rulings.cpp lets no such line run without asking if the tool has deny patterns.
//
// A command that runs another one which cannot be read (a shell, `eval`, `xargs`, `find -exec`, `git -c`, an unquoted
// glob) hides it: it matches no allow pattern, and rulings.cpp asks as for a line that does not parse.
//
// Known limit: what a program does by itself is not read (`make`, a script, `sed`'s `e`). A deny pattern is a fence,
// not a sandbox: under mode allow_all such a line runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace deputy::policy {

/// Longer lines do not parse and cannot be searched for denied commands in bounded time.
constexpr std::size_t kMaxCommandLine = 8192;

struct Command {
  std::string text;  // as written, with leading assignments; without operators, comments or surrounding space
  std::vector<std::string> words;  // as the shell sees them, without quotes
  bool redirects = false;          // reads or writes a file through `<` or `>`
  std::string hides = {};          // why it cannot be read what it runs; empty: it can

  bool operator==(const Command&) const = default;
};

/// Characters of a variable's name.
constexpr bool is_name_character(char c) { return is_letter_or_digit(c) || c == '_'; }

/// Returns at least one command, in text order, including those in groups and subshells. The error says what could not
/// be parsed.
Result<std::vector<Command>> parse_command_line(std::string_view line);

/// Lines of possible commands: quotes and backslashes are removed, operators end a line, spaces are single. Further
/// readings replace braces by spaces, and variables by a space or nothing. Linear in the line; at most six readings.
std::vector<std::string> loose_readings(std::string_view line);

/// Positions in a reading where a command might start: at each word, and after each `/` or `=` in one.
std::vector<std::size_t> possible_starts(std::string_view reading);

}  // namespace deputy::policy
