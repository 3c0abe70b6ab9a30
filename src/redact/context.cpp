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

}  // namespace deputy::redact
