#include "redact/detect.h"

#include <algorithm>
#include <tuple>

#include "redact/assignments.h"
#include "redact/http_credentials.h"
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

bool is_text(std::string_view bytes) {
  return std::ranges::all_of(bytes,
                             [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; });
}

std::vector<Finding> find_as_written(std::string_view piece, const Context& context, std::vector<Range>& in_base64) {
  std::vector<Finding> found = find_key_blocks(piece, context.in_key_block);
  std::size_t at = 0;
  while (const auto shape = patterns().next_shape(piece, at)) {
    found.push_back(shape->secret);
    at = shape->resume;
  }
  patterns().find_phrases(piece, found);
  find_assignments(piece, context, found, in_base64);
  return found;
}

/// Looks into one level of base64 beside secret-like names. What was encoded is a secret as a whole.
void find_in_base64(std::string_view piece, const std::vector<Range>& values, std::vector<Finding>& found) {
  for (const Range value : values) {
    const std::string decoded = decode_base64(value.of(piece));
    if (!is_text(decoded)) continue;
    std::vector<Range> second_level;
    if (!find_as_written(decoded, {.starts_line = true}, second_level).empty()) found.push_back({value, kNamed});
  }
}

/// A word with its URL escapes decoded.
struct Unescaped {
  std::string text;
  std::vector<std::size_t> offsets;  // where each byte of the text begins in the word, and where the word ends
};

Unescaped unescape(std::string_view word) {
  Unescaped decoded;
  const auto digit = [](char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; };
  for (std::size_t at = 0; at < word.size(); ++at) {
    decoded.offsets.push_back(at);
    if (word[at] == '%' && at + 2 < word.size() && is_hexadecimal(word[at + 1]) && is_hexadecimal(word[at + 2])) {
      decoded.text += static_cast<char>(digit(word[at + 1]) * 16 + digit(word[at + 2]));
      at += 2;
    } else {
      decoded.text += word[at];
    }
  }
  decoded.offsets.push_back(word.size());
  return decoded;
}

/// Looks into one level of escapes: `password%3Dhunter2`.
void find_in_url_escapes(std::string_view piece, std::vector<Finding>& found) {
  constexpr std::string_view kSpaces = " \t\n\r\f";
  for (std::size_t at = piece.find('%'); at != std::string_view::npos; at = piece.find('%', at)) {
    const std::size_t begin = piece.substr(0, at).find_last_of(kSpaces) + 1;  // 0 when there is none
    const std::size_t end = std::min(piece.find_first_of(kSpaces, at), piece.size());
    const Unescaped word = unescape(piece.substr(begin, end - begin));
    at = end;
    if (word.text.size() == end - begin) continue;
    std::vector<Range> second_level;
    for (const Finding& secret : find_as_written(word.text, {.starts_line = false}, second_level))
      found.push_back({{begin + word.offsets[secret.begin], begin + word.offsets[secret.end]}, secret.kind});
  }
}

std::string replace(std::string_view text, const std::vector<Finding>& found, std::string_view salt, Lines lines) {
  std::string out;
  std::size_t at = 0;
  for (const Finding& secret : found) {
    out += text.substr(at, secret.begin - at);
    out += replacement(secret.kind, secret.of(text), salt, lines);
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

std::string replacement(std::string_view kind, std::string_view secret, std::string_view salt, Lines lines) {
  const std::string marker = make_marker(kind, secret, salt);
  std::string out = marker;
  if (lines == Lines::joined) return out;
  for (auto more = std::ranges::count(secret, '\n'); more > 0; --more) out += "\n" + marker;
  return out;
}

std::vector<Finding> find_in(std::string_view piece, const Context& context) {
  std::vector<Range> in_base64;
  std::vector<Finding> found = find_as_written(piece, context, in_base64);
  find_in_base64(piece, in_base64, found);
  find_in_url_escapes(piece, found);
  if (found.empty()) return found;
  merge(found);
  return outside_markers(piece, found);
}

Cleaned clean(std::string_view piece, const Context& context, std::string_view salt, std::size_t longest, Lines lines) {
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
    cleaned.text = replace(cleaned.text, found, salt, lines);
    if (cleaned.text.size() > longest) break;
  }
  return {replacement(kOversized, piece, salt, lines), cleaned.replaced};
}

}  // namespace deputy::redact
