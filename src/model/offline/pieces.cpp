#include "model/offline/pieces.h"

#include <algorithm>

#include "base/text.h"
#include "intent/tokens.h"

namespace deputy::model::offline {

namespace {

using intent::Token;
using intent::TokenKind;
using intent::Tokens;

constexpr std::size_t kMostPieces = 400;
constexpr std::size_t kLongestQuote = 120;  // tokens
constexpr std::size_t kLongestName = 40;    // tokens

bool ties(const Token& symbol) {
  return symbol.kind == TokenKind::symbol && symbol.glued && std::string_view("-_./:@").contains(symbol.text[0]);
}

/// The token behind a name that begins at `at`.
std::size_t end_of_name(const Tokens& tokens, std::size_t at) {
  std::size_t last = at;
  while (last < at + kLongestName && ties(tokens[last + 1]) && tokens[last + 2].is_word() && tokens[last + 2].glued) {
    last += 2;
  }
  return last + 1;
}

/// Where the quote that opens at `at` closes; 0 when it does not.
std::size_t closing_quote(const Tokens& tokens, std::size_t at) {
  const char quote = tokens[at].text[0];
  for (std::size_t next = at + 1; next < std::min(at + kLongestQuote, tokens.size()); ++next) {
    if (!tokens[next].is_symbol(quote)) continue;
    if (quote != '\'') return next;
    if (tokens[next].glued && !tokens.joined(next)) return next;  // no apostrophe inside a word
  }
  return 0;
}

bool opens_quote(const Tokens& tokens, std::size_t at) {
  const Token& token = tokens[at];
  if (token.is_symbol('"') || token.is_symbol('`')) return true;
  return token.is_symbol('\'') && !token.glued;
}

bool is_break(const Tokens& tokens, std::size_t at) {
  const Token& token = tokens[at];
  return token.kind == TokenKind::symbol && std::string_view(",;:.!?()").contains(token.text[0]);
}

}  // namespace

std::vector<Piece> pieces_of(std::string_view request) {
  const Tokens tokens(request);
  std::vector<Piece> pieces;
  bool breaks = false;
  bool assigned = false;
  const auto add = [&](PieceKind kind, std::string_view text) {
    pieces.push_back({kind, std::string(text), to_lower(text), breaks, assigned});
    breaks = assigned = false;
  };
  std::size_t at = 0;
  while (at < tokens.size() && pieces.size() < kMostPieces) {
    const Token& token = tokens[at];
    if (token.kind == TokenKind::url) {
      add(PieceKind::url, token.text);
      ++at;
    } else if (token.kind == TokenKind::mention) {
      if (token.text.starts_with("<#")) add(PieceKind::channel, token.text);
      ++at;
    } else if (token.is_word()) {
      const std::size_t end = end_of_name(tokens, at);
      const std::string_view text = tokens.text(at, end);
      add(intent::all_digits(text) ? PieceKind::number : end > at + 1 ? PieceKind::name : PieceKind::word, text);
      at = end;
    } else if (opens_quote(tokens, at) && closing_quote(tokens, at) > at + 1) {
      const std::size_t end = closing_quote(tokens, at);
      add(PieceKind::quoted, tokens.text(at + 1, end));
      at = end + 1;
    } else if (token.is_symbol('#') && !token.glued && tokens[at + 1].is_word() && tokens[at + 1].glued &&
               !intent::all_digits(tokens[at + 1].text)) {
      const std::size_t end = end_of_name(tokens, at + 1);
      add(PieceKind::channel, tokens.text(at, end));
      at = end;
    } else {
      if (token.is_symbol('=') || (token.is_symbol(':') && token.glued)) assigned = true;
      if (is_break(tokens, at) || tokens.sentence_starts(at)) breaks = true;
      ++at;
    }
  }
  return pieces;
}

}  // namespace deputy::model::offline
