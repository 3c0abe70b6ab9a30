// Splits a request into tokens once, for all rules. Words are runs of letters and digits (also beyond ASCII); every
// other character is a symbol; a URL and a mention are one token each. Rules look at words, their neighbours and the
// white space between them, never at bytes, so that all rules agree on what a word is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::intent {

constexpr std::size_t kMaxCharacters = 40'000;

enum class TokenKind : std::uint8_t { end, word, symbol, url, mention };

struct Token {
  TokenKind kind = TokenKind::end;
  bool glued = false;       // no white space before it
  bool line_start = false;  // first of its line
  std::string_view text;    // as written
  std::string_view lower;

  bool is(std::string_view word) const { return lower == word; }
  bool is_symbol(char symbol) const { return kind == TokenKind::symbol && text[0] == symbol; }
  bool is_word() const { return kind == TokenKind::word; }
};

/// Typographic quotes, dashes and spaces become the plain ones, zero-width characters are removed, and full-width
/// letters become narrow: text that looks the same to a person compares as the same.
class Tokens {
 public:
  explicit Tokens(std::string_view request);
  Tokens(const Tokens&) = delete;  // its tokens point into its own text
  Tokens& operator=(const Tokens&) = delete;

  std::size_t size() const { return tokens_.size(); }
  /// Any index is allowed: past either end is a token of kind `end`, so that rules may look at any neighbour.
  const Token& operator[](std::size_t index) const { return index < tokens_.size() ? tokens_[index] : kEnd; }
  /// The text from the token `first` up to, but not including, `last`; spaces included.
  std::string_view text(std::size_t first, std::size_t last) const;

  /// Whether a token touches the next one, with no white space between.
  bool joined(std::size_t index) const { return (*this)[index + 1].kind != TokenKind::end && (*this)[index + 1].glued; }
  /// Whether a new sentence begins at the token.
  bool sentence_starts(std::size_t index) const;
  /// Whether the token is part of a name such as `a-b` or `a_b`: a hyphen or underscore ties it to the word before it,
  /// or to the one after it.
  bool tied_before(std::size_t index) const;
  bool tied_behind(std::size_t index) const;

 private:
  static const Token kEnd;
  void add(TokenKind kind, std::size_t begin, std::size_t end, bool line_start);

  std::string text_;
  std::string lower_;
  std::vector<Token> tokens_;
};

/// A number in digits (at most six) or words ("fifty", "twenty-five", "a dozen"), and the token after it.
struct Count {
  int value = 0;
  std::size_t next = 0;
};
std::optional<Count> read_count(const Tokens& tokens, std::size_t at);

bool all_digits(std::string_view text);

/// For each token, whether it is between a pair of double quotes or backticks.
std::vector<bool> find_quoted(const Tokens& tokens);

/// The word without the ending of a plural or a tense. Only for comparing: the result need not be a real word.
std::string stem(std::string_view lower);

/// How a verb is used: "restart it" asks for it, "the restart failed" only reports it.
enum class Asking {
  no,
  order,     // "restart it", "please restart", "can you restart", "we need to restart"
  question,  // "how do I restart", "can I see"
};

/// Whether the word at `at`, read as a verb, is what the writer wants done.
Asking asking_at(const Tokens& tokens, std::size_t at);

/// Whether the word before it is a negation. "don't ask" is the tokens don, ', t, ask: the "t" counts as "not".
bool is_negated(const Tokens& tokens, std::size_t at);

}  // namespace deputy::intent
