// A request cut into words, once, for every rule. Words are runs of letters and digits (also beyond ASCII); each other
// character is a symbol; an address and a mention are one token each. Rules look at words, their neighbours and whether
// white space lies between them, never at bytes, so that all agree on what a word is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::intent {

constexpr std::size_t kMostCharacters = 40'000;

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

/// Typographic quotes, dashes and spaces become the plain ones, zero-width characters vanish, full-width letters become
/// narrow: what a person reads alike is alike.
class Tokens {
 public:
  explicit Tokens(std::string_view request);
  Tokens(const Tokens&) = delete;  // its tokens look into it
  Tokens& operator=(const Tokens&) = delete;

  std::size_t size() const { return tokens_.size(); }
  /// Past either end there is a token of kind `end`, so that rules may look at any neighbour.
  const Token& operator[](std::size_t index) const { return index < tokens_.size() ? tokens_[index] : kEnd; }
  /// What was written from the first token to before `last`, spaces included.
  std::string_view text(std::size_t first, std::size_t last) const;

  /// Whether nothing lies between a token and the next.
  bool joined(std::size_t index) const { return (*this)[index + 1].kind != TokenKind::end && (*this)[index + 1].glued; }
  /// Whether a new sentence begins at the token.
  bool sentence_starts(std::size_t index) const;
  /// Whether the token stands inside a name such as `a-b` or `a_b`: a hyphen or underscore ties it to a word before it,
  /// or to one behind it.
  bool tied_before(std::size_t index) const;
  bool tied_behind(std::size_t index) const;

 private:
  static const Token kEnd;
  void add(TokenKind kind, std::size_t begin, std::size_t end, bool line_start);

  std::string text_;
  std::string lower_;
  std::vector<Token> tokens_;
};

/// A number in digits (at most six) or words ("fifty", "twenty-five", "a dozen") and the token behind it.
struct Count {
  int value = 0;
  std::size_t next = 0;
};
std::optional<Count> read_count(const Tokens& tokens, std::size_t at);

bool all_digits(std::string_view text);

/// Which tokens stand between a pair of double quotes or backticks.
std::vector<bool> find_quoted(const Tokens& tokens);

/// Lower-case and without the ending of a plural or a tense: only for comparing, it need not be a word.
std::string stem(std::string_view lower);

/// Where a verb stands: "restart it" asks, "the restart failed" tells.
enum class Asking {
  no,
  order,     // "restart it", "please restart", "can you restart", "we need to restart"
  question,  // "how do I restart", "can I see"
};

/// Whether the word at `at`, read as a verb, is what the writer wants done.
Asking asking_at(const Tokens& tokens, std::size_t at);

/// The word before, with apostrophes skipped: "don't ask" -> "t" stands for not.
bool is_negated(const Tokens& tokens, std::size_t at);

}  // namespace deputy::intent
