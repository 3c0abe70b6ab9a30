// A shell's command line, read strictly, command by command. The parser refuses everything that could make the shell do
// something other than the text says: substitution, variables, here-documents, control characters, line continuations,
// compound commands, unbalanced quotes, a pattern as the name of a command.
//
// A command that runs another one which cannot be read (a shell, `eval`, `xargs`, `find -exec`, `git -c`, an unquoted
// glob) hides it, and says so.
//
// Known limit: what a program does by itself is not read (`make`, a script, `sed`'s `e`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace deputy {

/// Longer lines do not parse.
constexpr std::size_t kMaxCommandLine = 8192;

/// Unquoted file patterns among the words of a command. What they stand for may look like an option only if the pattern
/// begins its word: `*` may stand for a file called `-rf`.
enum class FilePatterns { none, in_words, begin_words };

/// Why a command with a file pattern hides what it does, if nothing else in it does.
constexpr std::string_view kPatternHides = "it cannot be read what a file pattern in it stands for";

struct Command {
  std::string text;  // as written, with leading assignments; without operators, comments or surrounding space
  std::vector<std::string> words;  // as the shell sees them, without quotes
  bool redirects = false;          // reads or writes a file through `<` or `>`
  std::string hides = {};          // why it cannot be read what it runs; empty: it can
  FilePatterns patterns = FilePatterns::none;

  bool operator==(const Command&) const = default;
};

/// True for a program that runs what it is given, or what a file says: a shell, a wrapper such as sudo, an interpreter.
bool runs_others(std::string_view program);

/// Characters of a variable's name.
constexpr bool is_name_character(char c) { return is_letter_or_digit(c) || c == '_'; }

/// True for `NAME=value`, which sets a variable where it stands before a command.
bool is_assignment(std::string_view word);

/// Returns at least one command, in text order, including those in groups and subshells. The error says what could not
/// be parsed.
Result<std::vector<Command>> parse_command_line(std::string_view line);

}  // namespace deputy
