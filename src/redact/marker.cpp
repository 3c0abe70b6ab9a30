#include "redact/marker.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/text.h"

namespace deputy::redact {

namespace {

constexpr std::string_view kOpening = "[redacted:";
constexpr std::size_t kMaxKind = 24;
constexpr std::size_t kDigits = 6;

bool is_digit_or_lower(char c) { return is_digit(c) || is_lower(c); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// The length of the marker at the start of `text`, which starts with kOpening; 0 when there is none.
std::size_t length_of_marker(std::string_view text) {
  std::size_t at = kOpening.size();
  const auto in_kind = [&] { return at < text.size() && (is_digit_or_lower(text[at]) || text[at] == '-'); };
  while (in_kind() && at < kOpening.size() + kMaxKind) ++at;
  if (at == kOpening.size() || text.size() < at + 1 + kDigits + 1 || text[at] != '#') return 0;
  if (!std::ranges::all_of(text.substr(at + 1, kDigits), is_hex) || text[at + 1 + kDigits] != ']') return 0;
  return at + 1 + kDigits + 1;
}

}  // namespace

std::string make_marker(std::string_view kind, std::string_view secret, std::string_view salt) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  const auto* message = reinterpret_cast<const unsigned char*>(secret.data());
  if (HMAC(EVP_sha256(), salt.data(), static_cast<int>(salt.size()), message, secret.size(), digest.data(), &length) ==
      nullptr) {
    throw std::runtime_error("HMAC-SHA256 is not available");
  }
  return fmt::format("{}{}#{:02x}{:02x}{:02x}]", kOpening, kind, digest[0], digest[1], digest[2]);
}

std::optional<Range> next_marker(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kOpening, from); at != std::string_view::npos; at = text.find(kOpening, at + 1)) {
    if (const std::size_t length = length_of_marker(text.substr(at)); length > 0) return Range{at, at + length};
  }
  return std::nullopt;
}

bool holds_marker(std::string_view text) { return next_marker(text).has_value(); }

std::vector<Finding> outside_markers(std::string_view text, const std::vector<Finding>& ranges) {
  std::vector<Finding> outside;
  std::optional<Range> marker = ranges.empty() ? std::nullopt : next_marker(text);
  for (Finding range : ranges) {
    while (marker && marker->begin < range.end) {
      const Finding before{{range.begin, marker->begin}, range.kind};
      if (!before.empty()) outside.push_back(before);
      range.begin = std::max(range.begin, marker->end);
      if (marker->end > range.end) break;
      marker = next_marker(text, marker->end);
    }
    if (!range.empty()) outside.push_back(range);
  }
  return outside;
}

}  // namespace deputy::redact
