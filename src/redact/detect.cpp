#include "redact/detect.h"

#include <algorithm>
#include <tuple>

#include "redact/assignments.h"
#include "redact/key_block.h"
#include "redact/marker.h"
#include "redact/patterns.h"

namespace deputy::redact {

namespace {

/// Sorted by place; what overlaps becomes one, of the kind that begins first and says most.
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
  // A marker can lay bare what stood too close to a secret to be told from it, so look again until nothing is found.
  // Each round leaves less that is no marker; a text that needs more rounds than this was made to.
  constexpr int kMostRounds = 6;
  Cleaned cleaned{std::string(piece), 0};
  for (int round = 0; round < kMostRounds; ++round) {
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
