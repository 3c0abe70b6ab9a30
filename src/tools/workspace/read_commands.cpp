#include "tools/workspace/read_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace deputy::tools {

namespace {

using Words = std::vector<std::string>;

struct Listed {
  std::string_view name;
  std::string_view options;  // as in settings, separated by spaces; `*`: whatever its arguments are, it prints them
  int most_operands = -1;    // -1: any number
};

// To extend the list: a command belongs here only if none of its listed options, and none of its operands, makes it
// write, run something, or take arguments from a file. Rows in tests/tools/workspace/read_commands_test.cpp.
constexpr auto kListed = std::to_array<Listed>({
    {"basename", "-a -s="},
    {"cat", "-A -b -e -E -n -s -t -T -v --number --show-all --squeeze-blank --"},
    {"cd", "", 1},
    {"cmp", "-b -l -s"},
    {"column", "-t -s= -n"},
    {"comm", "-1 -2 -3"},
    {"cut", "-b= -c= -d= -f= -s --bytes= --characters= --complement --delimiter= --fields= --output-delimiter="},
    {"diff", "-b -B -i -N -q -r -s -u -U= -w -y --brief --color? --exclude= --recursive --side-by-side --unified?"},
    {"dirname", ""},
    {"du", "-a -b -c -d= -h -k -m -s --all --apparent-size --human-readable --max-depth= --summarize --total"},
    {"echo", "*"},
    {"egrep", ""},  // the options of grep
    {"false", "*"},
    {"fgrep", ""},
    {"file", "-b -i -L --brief --dereference --mime --mime-encoding --mime-type"},
    {"find",
     "-a -and -atime= -cmin= -ctime= -daystart -depth -empty -false -iname= -ipath= -iregex= -iwholename= -links= -ls "
     "-maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer= -not -o -or -path= -perm= -print -print0 -prune "
     "-regex= -regextype= -size= -true -type= -wholename= -xdev"},
    {"fold", "-s -w="},
    {"git blame", "-C -e -f -l -L= -M -n -s -w --date= --show-email --show-name --show-number --"},
    {"git branch", "-a -r -v -vv --all --list --remotes --show-current --verbose", 0},
    {"git describe", "--abbrev= --all --always --dirty --long --tags"},
    {"git diff",
     "-b -M -p -s -u -U= -w --cached --check --color? --dirstat? --exit-code --ignore-all-space --ignore-space-change "
     "--minimal --name-only --name-status --no-color --no-patch --numstat --patch --patience --quiet --raw --shortstat "
     "--staged --stat? --summary --unified= --word-diff? --"},
    {"git log",
     "-# -i -n= -p -s -u -U= --abbrev-commit --after= --all --author= --before= --branches --color? --committer= "
     "--date= --decorate? --diff-filter= --first-parent --follow --format= --graph --grep= --invert-grep --max-count= "
     "--merges --name-only --name-status --no-color --no-decorate --no-merges --no-patch --numstat --oneline --patch "
     "--pretty= --reverse --shortstat --since= --skip= --stat? --summary --tags --unified= --until= --"},
    {"git ls-files", "-c -d -m -o -s --cached --deleted --exclude-standard --modified --others --stage --"},
    {"git ls-tree", "-d -l -r -t --full-tree --name-only --"},
    {"git remote", "-v --verbose", 0},
    {"git rev-parse", "--abbrev-ref --short? --show-toplevel --symbolic-full-name --verify --is-inside-work-tree"},
    {"git shortlog", "-e -n -s --email --numbered --since= --summary --until= --"},
    {"git show",
     "-p -s -u -U= --abbrev-commit --color? --date= --format= --name-only --name-status --no-color --no-patch "
     "--numstat --oneline --patch --pretty= --shortstat --stat? --summary --unified= --"},
    {"git stash list", "--oneline", 0},
    {"git status", "-b -s -u? --branch --ignored --long --porcelain? --short --show-stash --untracked-files? --"},
    {"git tag", "-l -n --list", 0},
    {"grep",
     "-A= -a -B= -b -C= -c -E -e= -F -G -H -h -I -i -L -l -m= -n -o -P -q -R -r -s -v -w -x -# --after-context= "
     "--before-context= --binary-files= --color? --context= --count --exclude= --exclude-dir= --extended-regexp "
     "--files-with-matches --files-without-match --fixed-strings --ignore-case --include= --invert-match "
     "--line-number --line-regexp --max-count= --no-filename --no-messages --only-matching --perl-regexp --quiet "
     "--recursive --regexp= --text --with-filename --word-regexp --"},
    {"head", "-c= -n= -q -v -# --bytes= --lines= --quiet"},
    {"id", "-g -G -n -u"},
    {"jq", "-a -c -e -j -M -n -R -r -S -s --compact-output --raw-input --raw-output --slurp --sort-keys --tab"},
    {"ls",
     "-1 -A -a -B -C -d -F -G -g -h -i -k -L -l -m -n -o -p -Q -R -r -S -s -t -u -U -v -X -x --all --almost-all "
     "--classify --color? --directory --full-time --group-directories-first --human-readable --inode --recursive "
     "--reverse --size --sort= --time= --time-style= --"},
    {"md5sum", "-b -t"},
    {"nl", "-b= -n= -s= -w="},
    {"od", "-A= -b -c -d -j= -N= -o -t= -v -x"},
    {"paste", "-d= -s"},
    {"printf", "--"},  // bash sets a variable with -v
    {"pwd", "-L -P", 0},
    {"readlink", "-e -f -m -n"},
    {"realpath", "-e -m -s --relative-to="},
    {"rev", ""},
    {"rg",
     "-A= -B= -C= -c -e= -F -g= -H -i -I -l -m= -N -n -o -P -S -s -t= -T= -U -v -w --after-context= --before-context= "
     "--color= --context= --count --files --files-with-matches --fixed-strings --glob= --heading --hidden "
     "--ignore-case --json --line-number --max-count= --max-depth= --multiline --no-config --no-filename --no-heading "
     "--no-ignore --only-matching --smart-case --sort= --type= --word-regexp --"},
    {"sed", "-n -E -r -s --quiet --silent"},
    {"seq", "-f= -s= -w"},
    {"sha1sum", "-b -t"},
    {"sha256sum", "-b -t"},
    {"sort",
     "-b -c -d -f -g -h -i -k= -M -m -n -r -s -t= -u -V -z --field-separator= --human-numeric-sort --ignore-case "
     "--key= --numeric-sort --reverse --stable --unique --version-sort"},
    {"stat", "-c= -f -L -t --format= --printf= --terse"},
    {"tac", ""},
    {"tail", "-c= -n= -q -v -# --bytes= --lines= --quiet"},
    {"tr", "-C -c -d -s -t --complement --delete --squeeze-repeats"},
    {"tree", "-a -C -d -D -f -F -h -i -I= -L= -n -P= -p -r -s -t --dirsfirst --noreport --prune"},
    {"true", "*"},
    {"uname", "-a -m -n -r -s"},
    {"uniq", "-c -d -D -f= -i -s= -u -w= --count --ignore-case --repeated --skip-fields= --unique", 1},
    {"wc", "-c -l -L -m -w --bytes --chars --lines --max-line-length --words"},
    {"which", "-a"},
});

constexpr auto kSameOptionsAsGrep = std::to_array<std::string_view>({"egrep", "fgrep"});

// They print what git keeps of files, or compare files with it: then git runs the filters that the repository's
// settings name, and no setting of ours turns all of those off. Other commands do either with these options.
constexpr auto kUseHistory = std::to_array<std::string_view>({"git blame", "git diff", "git show", "git status"});
constexpr auto kToUseHistory =
    std::to_array<std::string_view>({"-p", "-u", "-U", "--patch", "--unified", "-m", "--modified", "--dirty"});

// They open no file by name; those of the second list, if they get no more than options.
constexpr auto kOpenNothing = std::to_array<std::string_view>({"cd", "echo", "false", "printf", "pwd", "true"});
constexpr auto kReadInput = std::to_array<std::string_view>({"head", "sort", "tail", "uniq", "wc"});

bool is_number(std::string_view word) {
  if (!word.starts_with('-') || word.size() < 2 || !is_digit(word[1])) return false;
  const std::string_view rest = word.substr(1);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return digits + 1 >= rest.size();  // -5, and -5k of find
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Prints lines by number, and nothing else: sed has commands that write files and run programs, all of them letters.
bool is_printing_script(std::string_view script) {
  return script.find_first_not_of("0123456789,$;pq ") == std::string_view::npos;
}

std::unexpected<Error> may_change(std::string why) { return fail(ErrorKind::invalid_input, std::move(why)); }

std::unexpected<Error> unknown_option(std::string_view word) {
  return may_change(fmt::format("`{}` is not an option that is known to only read", cut_with_mark(word, 60)));
}

std::string shown_name(const Words& words) {
  const bool has_subcommand = words.size() > 1 && words[0] == "git";
  return std::string(cut_with_mark(has_subcommand ? words[0] + " " + words[1] : words[0], 60));
}

// The words without what changes nothing: git's options that switch its pager off.
Words without_pager_options(Words words) {
  const auto is_one = [](const std::string& word) { return word == "--no-pager" || word == "-P"; };
  while (words.size() > 1 && words[0] == "git" && is_one(words[1])) words.erase(words.begin() + 1);
  return words;
}

// How many words name it: the longest name counts.
template <class Commands>
std::size_t words_of_name(const Commands& commands, const Words& words) {
  constexpr std::size_t kLongest = 3;
  for (std::size_t count = std::min(kLongest, words.size()); count > 0; --count) {
    if (commands.contains(join(Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count)), " ")))
      return count;
  }
  return 0;
}

}  // namespace

ReadCommands::ReadCommands(const ReadCommandSettings& more) {
  for (const Listed& listed : kListed) {
    Allowed& allowed = commands_[std::string(listed.name)];
    const bool as_grep = contains(kSameOptionsAsGrep, listed.name);
    const auto* grep = std::ranges::find(kListed, "grep", &Listed::name);
    for (const std::string_view option : split(as_grep ? grep->options : listed.options, " ")) add(allowed, option);
    allowed.most_operands = listed.most_operands;
    allowed.clusters = !listed.name.starts_with("git ") && listed.name != "find";
    allowed.script = listed.name == "sed";
  }
  for (const auto& [name, options] : more) {
    Allowed& allowed = commands_[name];
    for (const std::string& option : options) add(allowed, option);
  }
}

void ReadCommands::add(Allowed& allowed, std::string_view option) {
  if (option.empty()) return;
  if (option == "*") {
    allowed.anything = true;
  } else if (option == "-#") {
    allowed.numbers = true;
  } else if (option.ends_with('=')) {
    allowed.with_value.emplace(option.substr(0, option.size() - 1));
  } else if (option.ends_with('?')) {
    allowed.may_have_value.emplace(option.substr(0, option.size() - 1));
  } else {
    allowed.flags.emplace(option);
  }
}

Result<> ReadCommands::only_reads(std::string_view line) const {
  TRY(const std::vector<Command> commands, parse_command_line(line));
  for (const Command& command : commands) TRY(check(command));
  return {};
}

Result<> ReadCommands::check(const Command& command) const {
  if (command.words.empty() || command.redirects) return may_change("it redirects to or from a file");
  if (command.patterns == FilePatterns::begin_words)
    return may_change("a file pattern in it may stand for an option; write ./* instead of *");
  if (!command.hides.empty() && command.hides != kPatternHides) return may_change(command.hides);
  const Words words = without_pager_options(command.words);
  if (is_assignment(words.front())) return may_change("it sets a variable");
  const std::size_t named = words_of_name(commands_, words);
  if (named == 0) return may_change(fmt::format("`{}` is not a command that is known to only read", shown_name(words)));
  const std::string name = join(Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(named)), " ");
  const Allowed& allowed = commands_.find(name)->second;
  if (allowed.anything) return {};
  if (command.patterns != FilePatterns::none && (allowed.most_operands >= 0 || allowed.script))
    return may_change(fmt::format("a file pattern may stand for more than `{}` may get", name));
  return check_words(allowed, words, named);
}

// True if the word may be the value of the option before it. One that looks like an option is refused, so that it does
// not matter what a program takes for a value.
bool ReadCommands::takes_as_value(const Words& words, std::size_t at) {
  return at < words.size() && (!words[at].starts_with('-') || is_number(words[at]));
}

Result<> ReadCommands::check_words(const Allowed& allowed, const Words& words, std::size_t first) {
  int operands = 0;
  bool only_operands = false;
  for (std::size_t at = first; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (only_operands || word == "-" || !word.starts_with('-')) {
      if (allowed.script && operands == 0 && !is_printing_script(word))
        return may_change(fmt::format("`{}` may do more than print lines", cut_with_mark(word, 60)));
      ++operands;
      continue;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string_view name = std::string_view(word).substr(0, equals);
    const bool has_value = equals != std::string::npos;
    if (word == "--" && allowed.flags.contains(word)) {
      only_operands = true;
    } else if (allowed.may_have_value.contains(name) || (!has_value && allowed.flags.contains(name)) ||
               (allowed.numbers && is_digits(std::string_view(word).substr(1)))) {
      continue;
    } else if (allowed.with_value.contains(name)) {
      if (!has_value && !takes_as_value(words, ++at)) return unknown_option(word);
    } else if (!is_cluster(allowed, words, at)) {
      return unknown_option(word);
    }
  }
  if (allowed.most_operands >= 0 && operands > allowed.most_operands)
    return may_change("it has more arguments than a command that only reads");
  return {};
}

// `-la`, `-n5`, `-rA 3`. Moves `at` to a value that is a word of its own.
bool ReadCommands::is_cluster(const Allowed& allowed, const Words& words, std::size_t& at) {
  const std::string& word = words[at];
  if (word.starts_with("--")) return false;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string letter{'-', word[i]};
    if (allowed.with_value.contains(letter)) return i + 1 < word.size() || takes_as_value(words, ++at);
    if (!allowed.clusters || !allowed.flags.contains(letter)) return false;
  }
  return true;
}

namespace {

bool is_git(const Command& command) { return !command.words.empty() && command.words[0] == "git"; }

bool uses_history(const Command& command) {
  const Words words = without_pager_options(command.words);
  if (words.size() < 2) return false;
  if (contains(kUseHistory, words[0] + " " + words[1])) return true;
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::any_of(kToUseHistory, [&](std::string_view option) { return word.starts_with(option); });
  });
}

bool opens_no_file(const Command& command) {
  const Words& words = command.words;
  if (words.empty() || contains(kOpenNothing, words[0])) return true;
  return contains(kReadInput, words[0]) &&
         std::ranges::all_of(words.begin() + 1, words.end(), [](const auto& word) { return word.starts_with('-'); });
}

}  // namespace

bool ReadCommands::runs_git(std::string_view line) {
  const auto commands = parse_command_line(line);
  return commands && std::ranges::any_of(*commands, is_git);
}

bool ReadCommands::prints_history(std::string_view line) {
  const auto commands = parse_command_line(line);
  if (!commands || std::ranges::none_of(*commands, is_git)) return false;
  return std::ranges::any_of(*commands, [](const Command& command) {
    return is_git(command) ? uses_history(command) : !opens_no_file(command);
  });
}

namespace {

bool is_name(std::string_view name) {
  const Words words = [&] {
    Words all;
    for (const std::string_view word : split(name, " ")) all.emplace_back(word);
    return all;
  }();
  constexpr std::size_t kLongest = 3;
  return words.size() <= kLongest && std::ranges::all_of(words, [](std::string_view word) {
           return !word.empty() && !word.starts_with('-') && std::ranges::all_of(word, [](char c) {
             return is_letter_or_digit(c) || std::string_view("._+-").contains(c);
           });
         });
}

bool is_option(std::string_view option) {
  return option.size() > 1 && option.starts_with('-') &&
         option.find_first_of(" \t\n*'\"\\$`") == std::string_view::npos;
}

}  // namespace

void check_read_commands(const ReadCommandSettings& commands, FieldReader& reader) {
  for (const auto& [name, options] : commands) {
    const auto hides = [&](std::string_view more) {
      const auto parsed = parse_command_line(fmt::format("{} {}", name, more));
      return !parsed || !parsed->front().hides.empty();
    };
    // `git` alone hides what `git -c` runs.
    const bool runs = runs_others(std::string_view(name).substr(0, name.find(' '))) || hides("-c x");
    if (!is_name(name)) {
      reader.problem(fmt::format("`{}` is not the name of a command", cut_with_mark(name, 60)),
                     "write a program, with its subcommand if it has one: \"kubectl get\"");
    } else if (runs) {
      reader.problem(fmt::format("`{}` runs other commands", name), "list what only reads");
    }
    for (const std::string& option : options) {
      const std::string bare = option.substr(0, option.find_last_not_of("=?") + 1);
      if (!is_option(option)) {
        reader.problem(fmt::format("`{}` is not an option", cut_with_mark(option, 60)),
                       "write -n, -n= if it takes a value, --color? if it may have one");
      } else if (is_name(name) && !runs && hides(bare + " x")) {
        reader.problem(fmt::format("`{} {}` runs other commands", name, bare), "leave it out");
      }
    }
  }
}

}  // namespace deputy::tools
