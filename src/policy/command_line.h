// A shell's command line, taken apart command by command, so that an allow pattern is held against each command in it.
//
// The reading is strict: whatever could make the shell do something else than the text says does not parse
// (substitution, variables, here-documents, control characters, line continuations, compound commands, unbalanced
// quotes, a pattern as the name of a command), and what does not parse matches no allow pattern. Deny patterns read
// otherwise: loose_readings.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace deputy::policy {

/// Longer lines do not parse and cannot be searched for denied commands in bounded time.
constexpr std::size_t kLongestCommandLine = 8192;

struct Command {
  std::string text;                // as written, with assignments before it; no operator, comment or space around it
  std::vector<std::string> words;  // as the shell would see them, quotes taken off
  bool redirects = false;          // reads or writes a file by `<` or `>`

  bool operator==(const Command&) const = default;
};

/// What the name of a variable consists of.
constexpr bool is_name_character(char c) { return is_letter_or_digit(c) || c == '_'; }

/// At least one command, in the order of the text, those of groups and subshells among the others. The error says what
/// could not be read.
Result<std::vector<Command>> parse_command_line(std::string_view line);

// Every text in which a denied command might stand in a command line, however it is quoted, nested or wrapped (`sudo`,
// `env X=1`, `sh -c '…'`, `$(…)`), also in a line that does not parse: a deny pattern must not be dodged by adding
// `$(`.
//
// Readings know no structure, so a denied command that is only quoted (`echo "rm -rf /"`) is found too: refused once
// too often rather than once too little. They know no values of variables and decode no escapes such as $'\x72'; lines
// with those do not parse, and rulings.cpp lets nothing that does not parse through unasked where there are deny
// patterns.
//
// Known limit: what another program makes of its arguments is not read (`python -c …`, `base64 -d | sh`, a glob that a
// wrapper is given as a command). A deny pattern is a fence, not a sandbox: under mode allow_all such a line runs.

/// Lines of possible commands. Quotes and backslashes are gone, operators are line ends, space is single. The further
/// ones also have braces replaced by space, and variables by space or by nothing. Linear in the line, at most six.
std::vector<std::string> loose_readings(std::string_view line);

/// Where in a reading a command might begin: at each word, and after each `/` or `=` in one.
std::vector<std::size_t> possible_starts(std::string_view reading);

}  // namespace deputy::policy
