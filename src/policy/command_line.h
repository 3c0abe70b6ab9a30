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

#include "base/characters.h"
#include "base/result.h"

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

}  // namespace deputy::policy
