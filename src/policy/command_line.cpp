#include "policy/command_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"

namespace deputy::policy {

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

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || is_digit(word[0])) return false;
  return std::ranges::all_of(word.substr(0, equals), is_name_character);
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
    add(here());
    advance(1);
    return {};
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
    has_quotes_ = has_expansion_ = false;
    return {};
  }

  Result<> end_command() {
    TRY(end_word());
    if (!command_has_begun()) return {};
    if (commands_.size() == kMaxCommands) return refuse("it contains too many commands");
    commands_.push_back({std::string(line_.substr(begin_, end_ - begin_)), std::move(words_), redirects_});
    forget_command();
    ended_something_ = true;
    expects_command_ = false;
    return {};
  }

  void forget_command() {
    words_.clear();
    word_.reset();
    begin_ = std::string_view::npos;
    redirects_ = has_quotes_ = has_expansion_ = false;
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
  // The current word.
  std::optional<std::string> word_;
  bool has_quotes_ = false;
  bool has_expansion_ = false;

  bool after_group_ = false;      // only space since the last group closed
  bool ended_something_ = false;  // a command or group precedes this operator
  bool expects_command_ = false;  // the last operator needs a command after it
};

}  // namespace

Result<std::vector<Command>> parse_command_line(std::string_view line) { return Parser(line).parse(); }

namespace {

bool ends_a_command(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::string_view(";|&()`<>").find(c) != std::string_view::npos || byte == 0x7f || (byte < 0x20 && c != '\t');
}

/// The replacement of a variable: its value may be a space, or nothing.
enum class VariableIs { kept, space, nothing };

std::string without_variables(std::string_view line, VariableIs meaning) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '$' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    std::size_t end = i + 1;
    if (line[end] == '{') {
      const std::size_t close = line.find('}', end);
      if (close == std::string_view::npos) continue;  // keep the rest as it is, without the `$`
      end = close + 1;
    } else if (is_name_character(line[end])) {
      while (end < line.size() && is_name_character(line[end])) ++end;
    } else if (std::string_view("@*#?!-$").find(line[end]) != std::string_view::npos) {
      ++end;
    } else {
      continue;
    }
    if (meaning == VariableIs::space) text += ' ';
    i = end - 1;
  }
  return text;
}

enum class BracesAre { kept, space };

std::string flattened(std::string_view line, BracesAre braces) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '\\' && i + 1 < line.size() && line[i + 1] == '\n') {
      ++i;
      continue;
    }
    if (c == '\'' || c == '"' || c == '\\' || c == '$') continue;
    if (ends_a_command(c)) c = '\n';
    if (c == '\t' || (braces == BracesAre::space && (c == '{' || c == '}' || c == ','))) c = ' ';
    const bool at_line_start = text.empty() || text.back() == '\n';
    if (c == ' ' && (at_line_start || text.back() == ' ')) continue;
    if (c == '\n') {
      if (at_line_start) continue;
      if (text.back() == ' ') text.pop_back();
    }
    text += c;
  }
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::vector<std::string> loose_readings(std::string_view line) {
  std::vector<std::string> readings;
  const auto add = [&](std::string reading) {
    if (!contains(readings, reading)) readings.push_back(std::move(reading));
  };
  const std::string valid = to_valid_utf8(std::string(line));
  for (const VariableIs meaning : {VariableIs::kept, VariableIs::space, VariableIs::nothing}) {
    const std::string text = meaning == VariableIs::kept ? valid : without_variables(valid, meaning);
    for (const BracesAre braces : {BracesAre::kept, BracesAre::space}) add(flattened(text, braces));
  }
  return readings;
}

std::vector<std::size_t> possible_starts(std::string_view reading) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < reading.size(); ++i) {
    if (i == 0 || std::string_view(" \n/=").find(reading[i - 1]) != std::string_view::npos) starts.push_back(i);
  }
  return starts;
}

}  // namespace deputy::policy
