#include "redact/detect.h"

#include <algorithm>
#include <tuple>

#include "redact/assignments.h"
#include "redact/key_block.h"
#include "redact/marker.h"
#include "redact/shapes.h"

namespace deputy::redact {

namespace {

constexpr std::string_view kLineEnds = "\n\r";

/// The start of the run of `characters` before `at`.
std::size_t skip_back(std::string_view piece, std::size_t at, std::string_view characters) {
  while (at > 0 && characters.contains(piece[at - 1])) --at;
  return at;
}

/// Sorts by position and joins overlapping findings; the kind is that of the first and most specific one.
void merge(std::vector<Finding>& found) {
  std::ranges::sort(found, {},
                    [](const Finding& secret) { return std::tuple(secret.begin, secret.kind == kNamed, secret.kind); });
  std::size_t kept = 0;
  for (const Finding& next : found) {
    if (kept > 0 && next.begin < found[kept - 1].end) {
      found[kept - 1].end = std::max(found[kept - 1].end, next.end);
    } else {
      found[kept++] = next;
    }
  }
  found.resize(kept);
}

std::string replace(std::string_view text, const std::vector<Finding>& found, std::string_view salt) {
  std::string out;
  std::size_t at = 0;
  for (const Finding& secret : found) {
    out += text.substr(at, secret.begin - at);
    out += make_marker(secret.kind, secret.of(text), salt);
    at = secret.end;
  }
  return out += text.substr(at);
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

std::vector<Finding> find_in(std::string_view piece, const Context& context) {
  std::vector<Finding> found = find_key_blocks(piece, context.in_key_block);
  std::size_t at = 0;
  while (const auto shape = patterns().next_shape(piece, at)) {
    found.push_back(shape->secret);
    at = shape->resume;
  }
  patterns().find_phrases(piece, found);
  find_assignments(piece, context, found);
  if (found.empty()) return found;
  merge(found);
  return outside_markers(piece, found);
}

Cleaned clean(std::string_view piece, const Context& context, std::string_view salt, std::size_t longest) {
  // A marker can expose a secret that was too close to another one to be recognised, so search again until nothing is
  // found. Each round leaves less text outside markers; a text that needs more rounds was crafted to do so.
  constexpr int kMaxRounds = 6;
  Cleaned cleaned{std::string(piece), 0};
  for (int round = 0; round < kMaxRounds; ++round) {
    Context here = context;
    here.in_key_block = context.in_key_block && round == 0;
    const std::vector<Finding> found = find_in(cleaned.text, here);
    if (found.empty()) return cleaned;
    cleaned.replaced += found.size();
    cleaned.text = replace(cleaned.text, found, salt);
    if (cleaned.text.size() > longest) break;
  }
  return {make_marker(kOversized, piece, salt), cleaned.replaced};
}

}  // namespace deputy::redact
