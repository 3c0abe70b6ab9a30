#include "base/command_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"

namespace deputy {

namespace {

constexpr std::size_t kMaxCommands = 256;
constexpr std::size_t kDeepestGroup = 32;

constexpr auto kReserved =
    std::to_array<std::string_view>({"!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi",
                                     "for", "function", "if", "in", "select", "then", "until", "while"});

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\t');
}

// Programs that run what their arguments, their input or a file say.
constexpr auto kRunsOthers =
    std::to_array<std::string_view>({".", "ash", "bash", "busybox", "csh", "dash", "env", "eval", "fish", "ksh", "mksh",
                                     "parallel", "sh", "source", "tcsh", "toybox", "trap", "xargs", "zsh"});

// Programs whose later words are a command, which can be read as long as it is none of the above.
constexpr auto kWrappers = std::to_array<std::string_view>(
    {"builtin", "chroot",  "command", "doas",    "exec",    "flock",   "ionice", "nice",
     "nohup",   "runuser", "script",  "setpriv", "setsid",  "ssh",     "stdbuf", "strace",
     "su",      "sudo",    "taskset", "time",    "timeout", "unshare", "watch"});

constexpr auto kInterpreters = std::to_array<std::string_view>(
    {"awk", "gawk", "lua", "mawk", "node", "perl", "php", "python", "python2", "python3", "ruby"});

std::string_view program_of(std::string_view word) { return word.substr(word.rfind('/') + 1); }

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// The options before the subcommand can name another repository, or programs in settings: `-c alias.x='!rm'`.
bool git_hides(std::span<const std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with('-')) {
      const auto rest = words.subspan(i + 1);
      const auto has = [&](std::string_view option) {
        return std::ranges::any_of(rest, [&](const std::string& one) { return one.starts_with(option); });
      };
      if (word == "rebase") return has("-x") || has("--exec");
      if (word == "bisect") return has("run");
      if (word == "submodule") return has("foreach");
      return is_any_of(word, {"filter-branch", "difftool", "mergetool"});
    }
    if (!is_any_of(word, {"--no-pager", "-P", "--version", "--help", "--bare", "--literal-pathspecs"})) return true;
  }
  return false;
}

bool program_hides(std::string_view program, std::span<const std::string> words) {
  const auto has = [&](std::initializer_list<std::string_view> options) {
    return std::ranges::any_of(words, [&](const std::string& word) { return is_any_of(word, options); });
  };
  if (contains(kRunsOthers, program)) return true;
  if (program == "find") return has({"-exec", "-execdir", "-ok", "-okdir"});
  if (program == "fd" || program == "fdfind") return has({"-x", "-X", "--exec", "--exec-batch"});
  if (program == "git") return git_hides(words);
  if (program == "awk" || program == "gawk" || program == "mawk")
    return std::ranges::any_of(words,
                               [](const std::string& word) { return word.contains("system") || word.contains('|'); });
  if (!contains(kInterpreters, program)) return false;
  // `-c…`, `-Bc…`, `-e…`, `-ne…`: code among the arguments, or as the input.
  const auto is_code = [](const std::string& word) {
    return word == "-" || word == "--eval" || word == "--print" || word == "--run" ||
           (word.size() > 1 && word[0] == '-' && word[1] != '-' && word.find_first_of("ceErp", 1) != std::string::npos);
  };
  return words.empty() || is_code(words.front());
}

// Why it cannot be read what a command runs; empty: it can.
std::string what_hides(std::span<const std::string> words) {
  while (!words.empty() && is_assignment(words.front())) words = words.subspan(1);
  if (words.empty()) return {};
  const std::string_view first = program_of(words.front());
  const bool wraps = contains(kWrappers, first);
  for (std::size_t i = 0; i < (wraps ? words.size() : 1); ++i) {
    const std::string_view program = program_of(words[i]);
    if (program_hides(program, words.subspan(i + 1)))
      return std::string("it cannot be read what `") + std::string(cut_with_mark(program, 40)) + "` runs here";
  }
  return {};
}

class Parser {
 public:
  explicit Parser(std::string_view line) : line_(line) {}

  Result<std::vector<Command>> parse() {
    if (line_.size() > kMaxCommandLine) return refuse("it is too long");
    if (std::ranges::any_of(line_, is_control)) return refuse("it contains control characters");
    while (at_ < line_.size()) TRY(take());
    TRY(end_command());
    if (!groups_.empty()) return refuse("a group is not closed");
    if (expects_command_) return refuse("it ends with an operator");
    if (commands_.empty()) return refuse("there is no command in it");
    return std::move(commands_);
  }

 private:
  static std::unexpected<Error> refuse(std::string why) {
    return fail(ErrorKind::invalid_input, "the command line cannot be parsed safely: " + std::move(why),
                "write plain commands with one operator between them");
  }

  char here() const { return line_[at_]; }
  char next() const { return at_ + 1 < line_.size() ? line_[at_ + 1] : '\0'; }
  bool in_word() const { return word_.has_value(); }
  bool command_has_begun() const { return begin_ != std::string_view::npos; }

  void touch() {  // this character belongs to the command
    if (!command_has_begun()) begin_ = at_;
  }
  void add(char c) {
    if (!word_) word_.emplace();
    *word_ += c;
  }
  void advance(std::size_t by) {
    at_ += by;
    end_ = at_;
  }

  Result<> take() {
    switch (here()) {
      case ' ':
      case '\t':
        TRY(end_word());
        ++at_;
        return {};
      case '\n':
        TRY(end_command());
        after_group_ = ended_something_ = false;
        ++at_;
        return {};
      case ';':
      case '&':
      case '|':
        return take_operator();
      case '#':
        if (in_word()) return take_plain();
        while (at_ < line_.size() && here() != '\n') ++at_;
        return {};
      case '(':
        return open_subshell();
      case ')':
        TRY(end_command());
        ++at_;
        return close_group('(');
      case '<':
      case '>':
        return take_redirection();
      case '\'':
        return take_single_quotes();
      case '"':
        return take_double_quotes();
      case '\\':
        return take_escape();
      case '$':
      case '`':
        return refuse("it contains a substitution or a variable");
      default:
        return take_plain();
    }
  }

  Result<> take_plain() {
    if (after_group_) return refuse("text follows a group");
    touch();
    // File patterns and brace expansion must not choose the command.
    if (std::string_view("*?[{~").find(here()) != std::string_view::npos) has_expansion_ = true;
    // Among the arguments a tilde expands at the start of a word only, and a brace with a comma or dots.
    const bool starts_word = !in_word();
    const bool is_empty_so_far = starts_word || word_->empty();
    if (std::string_view("*?[").find(here()) != std::string_view::npos || (here() == '~' && starts_word))
      note_pattern(is_empty_so_far);
    if (here() == '{' && !has_brace_) {
      has_brace_ = true;
      brace_begins_word_ = is_empty_so_far;
    }
    if (has_brace_ && (here() == ',' || (here() == '.' && next() == '.'))) note_pattern(brace_begins_word_);
    add(here());
    advance(1);
    return {};
  }

  void note_pattern(bool begins_word) {
    if (begins_word) patterns_ = FilePatterns::begin_words;
    if (patterns_ == FilePatterns::none) patterns_ = FilePatterns::in_words;
  }

  Result<> take_operator() {
    const char c = here();
    const bool doubled = c != ';' && next() == c;
    const bool pipes_errors = c == '|' && next() == '&';
    TRY(end_command());
    if (!ended_something_) return refuse("a command is missing before an operator");
    ended_something_ = false;
    after_group_ = false;
    expects_command_ = c == '|' || doubled;
    at_ += doubled || pipes_errors ? 2 : 1;
    return {};
  }

  Result<> open_subshell() {
    if (command_has_begun() || after_group_) return refuse("there is a parenthesis inside a command");
    if (next() == '(') return refuse("it contains arithmetic");
    return open_group('(', 1);
  }

  Result<> open_group(char kind, std::size_t length) {
    if (groups_.size() == kDeepestGroup) return refuse("groups are nested too deep");
    groups_.push_back({kind, commands_.size()});
    ended_something_ = false;
    at_ += length;
    return {};
  }

  Result<> close_group(char kind) {
    if (groups_.empty() || groups_.back().kind != kind) return refuse("a group is closed but was never opened");
    if (groups_.back().commands_before == commands_.size()) return refuse("a group is empty");
    if (expects_command_) return refuse("a group ends with an operator");
    groups_.pop_back();
    after_group_ = true;
    ended_something_ = true;
    return {};
  }

  Result<> take_redirection() {
    if (after_group_) return refuse("a group is redirected");
    if (here() == '<' && next() == '<') return refuse("it contains a here-document");
    if (next() == '(') return refuse("it contains a process substitution");
    TRY(end_word());
    touch();
    redirects_ = true;
    const bool doubled = next() == '>' || next() == '&' || (here() == '>' && next() == '|');
    advance(doubled ? 2 : 1);
    if (at_ < line_.size() && (here() == '(' || here() == '<' || here() == '>'))
      return refuse("a redirection has no target");
    return {};
  }

  Result<> take_single_quotes() {
    if (after_group_) return refuse("text follows a group");
    touch();
    const std::size_t close = line_.find('\'', at_ + 1);
    if (close == std::string_view::npos) return refuse("a quote is not closed");
    begin_quoted().append(line_.substr(at_ + 1, close - at_ - 1));
    advance(close + 1 - at_);
    return {};
  }

  Result<> take_double_quotes() {
    if (after_group_) return refuse("text follows a group");
    touch();
    begin_quoted();
    for (advance(1); at_ < line_.size(); advance(1)) {
      const char c = here();
      if (c == '"') {
        advance(1);
        return {};
      }
      if (c == '$' || c == '`') return refuse("it contains a substitution or a variable");
      if (c == '\\') {
        if (next() == '\n') return refuse("it contains a line continuation");
        if (next() == '"' || next() == '\\' || next() == '$' || next() == '`') advance(1);
      }
      if (at_ < line_.size()) add(here());
    }
    return refuse("a quote is not closed");
  }

  Result<> take_escape() {
    if (after_group_) return refuse("text follows a group");
    if (at_ + 1 >= line_.size()) return refuse("it ends with a backslash");
    if (next() == '\n') return refuse("it contains a line continuation");
    touch();
    begin_quoted();
    add(next());
    advance(2);
    return {};
  }

  std::string& begin_quoted() {
    has_quotes_ = true;
    return word_ ? *word_ : word_.emplace();
  }

  Result<> end_word() {
    if (!word_) return {};
    const bool is_first = words_.empty() && !redirects_;
    const bool names_command = std::ranges::all_of(words_, is_assignment) && !is_assignment(*word_);
    if (is_first && !has_quotes_) {
      if (*word_ == "{") {
        forget_command();
        return open_group('{', 0);
      }
      if (*word_ == "}") {
        forget_command();
        return close_group('{');
      }
      if (contains(kReserved, *word_)) return refuse("it contains a compound command");
    }
    if (names_command && has_expansion_) return refuse("the name of a command is a pattern");
    words_.push_back(*std::move(word_));
    word_.reset();
    has_quotes_ = has_expansion_ = has_brace_ = false;
    return {};
  }

  Result<> end_command() {
    TRY(end_word());
    if (!command_has_begun()) return {};
    if (commands_.size() == kMaxCommands) return refuse("it contains too many commands");
    std::string hides = what_hides(words_);
    if (hides.empty() && patterns_ != FilePatterns::none) hides = kPatternHides;
    commands_.push_back(
        {std::string(line_.substr(begin_, end_ - begin_)), std::move(words_), redirects_, std::move(hides), patterns_});
    forget_command();
    ended_something_ = true;
    expects_command_ = false;
    return {};
  }

  void forget_command() {
    words_.clear();
    word_.reset();
    begin_ = std::string_view::npos;
    redirects_ = has_quotes_ = has_expansion_ = has_brace_ = false;
    patterns_ = FilePatterns::none;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<Command> commands_;
  struct Group {
    char kind;  // ( or {
    std::size_t commands_before;
  };
  std::vector<Group> groups_;  // the open ones

  // The current command.
  std::size_t begin_ = std::string_view::npos;
  std::size_t end_ = 0;
  std::vector<std::string> words_;
  bool redirects_ = false;
  FilePatterns patterns_ = FilePatterns::none;
  // The current word.
  std::optional<std::string> word_;
  bool has_quotes_ = false;
  bool has_expansion_ = false;
  bool has_brace_ = false;
  bool brace_begins_word_ = false;

  bool after_group_ = false;      // only space since the last group closed
  bool ended_something_ = false;  // a command or group precedes this operator
  bool expects_command_ = false;  // the last operator needs a command after it
};

}  // namespace

bool runs_others(std::string_view program) {
  const std::string_view name = program_of(program);
  return contains(kRunsOthers, name) || contains(kWrappers, name) || contains(kInterpreters, name);
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || is_digit(word[0])) return false;
  return std::ranges::all_of(word.substr(0, equals), is_name_character);
}

Result<std::vector<Command>> parse_command_line(std::string_view line) { return Parser(line).parse(); }

}  // namespace deputy
