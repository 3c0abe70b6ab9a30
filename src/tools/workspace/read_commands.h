// The commands that `shell` runs without asking, because they only read: `ls`, `cat`, `grep`, `git log` and the like,
// each with the options that are listed for it. A line counts only if it can be read as exactly such commands: no
// substitution, no redirection, no variable, no option that is not listed, nothing that runs other commands. Whatever
// cannot be told is a change, and asks.
//
// The list is a fence; the wall is the sandbox, in which such a line runs with the workspace read-only, without network
// and without what the rules of read_file forbid (hidden_paths.h). Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/command_line.h"
#include "base/fields.h"
#include "base/result.h"

namespace deputy::tools {

/// By command, with its subcommand if it has one ("git log"): its options. `-n=` takes a value, `--color?` may have one
/// (`--color=always`), `-#` is a number such as -5.
using ReadCommandSettings = std::map<std::string, std::vector<std::string>>;

/// Reports names and options that cannot be such, and those that run other commands.
void check_read_commands(const ReadCommandSettings& commands, FieldReader& reader);

class ReadCommands {
 public:
  /// The built-in list, and `more` commands and options.
  explicit ReadCommands(const ReadCommandSettings& more = {});

  /// An error says why the line may change something.
  Result<> only_reads(std::string_view line) const;

  /// True if git is one of its commands, so that it must see folders called .git.
  static bool runs_git(std::string_view line);

  /// True if the line may print what git keeps of files, and so of files that are hidden too: git or a program that it
  /// runs prints it, or another command beside git can open it.
  static bool prints_history(std::string_view line);

 private:
  struct Allowed {
    std::set<std::string, std::less<>> flags;
    std::set<std::string, std::less<>> with_value;
    std::set<std::string, std::less<>> may_have_value;
    bool numbers = false;    // -5
    bool anything = false;   // whatever its arguments are, it prints them
    bool clusters = true;    // -la is -l -a
    bool script = false;     // the first operand is a script of sed, which may print lines only
    int most_operands = -1;  // without limit
  };
  static void add(Allowed& allowed, std::string_view option);
  static bool takes_as_value(const std::vector<std::string>& words, std::size_t at);
  Result<> check(const Command& command) const;
  static Result<> check_words(const Allowed& allowed, const std::vector<std::string>& words, std::size_t first);
  static bool is_cluster(const Allowed& allowed, const std::vector<std::string>& words, std::size_t& at);

  std::map<std::string, Allowed, std::less<>> commands_;
};

}  // namespace deputy::tools
