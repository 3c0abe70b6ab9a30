#include "redact/context.h"

namespace deputy::redact {

namespace {

constexpr std::string_view kLineEnds = "\n\r";

/// Where the run of `characters` before `at` begins.
std::size_t skip_back(std::string_view piece, std::size_t at, std::string_view characters) {
  while (at > 0 && characters.contains(piece[at - 1])) --at;
  return at;
}

}  // namespace

std::string_view last_name(std::string_view text) {
  constexpr std::size_t kEnough = 32;
  std::size_t begin = text.size();
  while (begin > 0 && text.size() - begin < kEnough && is_name_character(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool is_first(std::string_view piece, std::size_t at, const Context& context) {
  at = skip_back(piece, at, kIndentation);
  return at == 0 ? context.starts_line : kLineEnds.contains(piece[at - 1]);
}

bool is_in_structure(std::string_view piece, std::size_t at, const Context& context) {
  if (at > 0 && std::string_view("\"'`").contains(piece[at - 1])) return true;
  at = skip_back(piece, at, " \t");
  return at == 0 ? context.in_list : opens_or_continues_list(piece[at - 1]);
}

bool is_after_key(std::string_view piece, std::size_t at, const Context& context) {
  at = skip_back(piece, at, " \t\"'`\\");
  return at == 0 ? context.after_key : ends_key(piece[at - 1]);
}

bool is_in_cell(std::string_view piece, std::size_t at, const Context& context) {
  at = skip_back(piece, at, " \t\"'`*_");
  return at == 0 ? context.after_bar : ends_in_bar(piece.substr(0, at));
}

bool is_after_owner(std::string_view piece, std::size_t at, const Context& context) {
  const std::size_t word_end = skip_back(piece, at, " \t");
  if (word_end == 0) return context.after_owner;
  return word_end < at && owns_secret_key(last_name(piece.substr(0, word_end)));
}

}  // namespace deputy::redact
