// Colours for code: what most languages share (strings, numbers, comments, a few keywords), and diffs.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "channel/terminal/answer_text.h"

namespace deputy::channel {

namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"and",  "as",     "async", "await",  "break",  "case",   "catch",  "class",   "const", "continue", "def",
     "do",   "done",   "elif",  "else",   "enum",   "except", "export", "false",   "fi",    "finally",  "fn",
     "for",  "from",   "func",  "if",     "import", "in",     "let",    "None",    "not",   "null",     "nil",
     "or",   "public", "raise", "return", "select", "static", "struct", "switch",  "then",  "throw",    "true",
     "try",  "type",   "var",   "void",   "where",  "while",  "with",   "SELECT",  "FROM",  "WHERE",    "False",
     "True", "JOIN",   "GROUP", "ORDER",  "BY",     "AND",    "OR",     "function"});

// Languages in which # does not begin a comment.
constexpr auto kNoHashes = std::to_array<std::string_view>(
    {"c", "cpp", "c++", "css", "go", "java", "javascript", "js", "json", "rust", "rs", "sql", "ts", "typescript"});

bool is_name(char c) { return is_letter_or_digit(c) || c == '_'; }

bool begins_comment(std::string_view rest, char before, std::string_view language) {
  if (before != ' ' && before != '\t' && before != '\0') return false;
  if (rest.starts_with("//")) return true;
  if (language == "sql" || language == "lua") return rest.starts_with("--");
  return rest.starts_with('#') && !contains(kNoHashes, language);
}

std::optional<Style> style_of_diff(std::string_view line) {
  if (line.starts_with('+')) return Style::green;
  if (line.starts_with('-')) return Style::red;
  return line.starts_with('@') ? std::optional(Style::cyan) : std::nullopt;
}

// The bytes of the token at the start, and its style if it has one.
struct Token {
  std::size_t bytes = 1;
  std::optional<Style> style = {};
};

Token token_at(std::string_view rest, char before, std::string_view language) {
  const char first = rest.front();
  if (begins_comment(rest, before, language)) return {rest.size(), Style::dim};
  if ((first == '"' || first == '\'' || first == '`') && !is_name(before)) {
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] == '\\')
        ++i;
      else if (rest[i] == first)
        return {i + 1, Style::green};
    }
    return {};
  }
  if (!is_name(first)) return {};
  const auto end = std::ranges::find_if_not(rest, [](char c) { return is_name(c) || c == '.'; });
  if (is_digit(first) && !is_name(before)) return {static_cast<std::size_t>(end - rest.begin()), Style::yellow};
  const std::string_view word =
      rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, is_name) - rest.begin()));
  if (contains(kKeywords, word)) return {word.size(), Style::bold};
  return {word.size()};
}

}  // namespace

std::vector<CodePart> code_parts(std::string_view code, std::string_view language) {
  // Without a language it is often the output of a command or a log.
  if (language.empty()) return {{shown_line(code), {}}};
  if (language == "diff" || language == "patch") return {{shown_line(code), style_of_diff(code)}};
  std::vector<CodePart> parts;
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) parts.push_back({shown_line(plain), {}});
    plain.clear();
  };
  char before = '\0';
  while (!code.empty()) {
    const Token token = token_at(code, before, language);
    const std::string_view part = code.substr(0, token.bytes);
    if (token.style) {
      end_plain();
      parts.push_back({shown_line(part), token.style});
    } else {
      plain += part;
    }
    before = part.back();
    code.remove_prefix(part.size());
  }
  end_plain();
  return parts;
}

std::string highlighted(std::string_view code, std::string_view language, Colours colours) {
  std::string text;
  for (const CodePart& part : code_parts(code, language))
    text += part.style ? styled(part.text, *part.style, colours) : part.text;
  return text;
}

}  // namespace deputy::channel
