#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace deputy {

namespace {

bool continues(unsigned char byte) { return (byte & 0xC0) == 0x80; }

std::size_t length_from_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The one candidate that starts with `lower`; empty when there are several or `lower` is too short to mean anything.
std::string_view only_one_that_begins(std::string_view lower, std::span<const std::string> candidates) {
  constexpr std::size_t kShortestBeginning = 3;
  if (lower.size() < kShortestBeginning) return {};
  std::string_view only;
  for (const std::string& candidate : candidates) {
    if (candidate == only || to_lower(std::string_view(candidate).substr(0, lower.size())) != lower) continue;
    if (!only.empty()) return {};
    only = candidate;
  }
  return only;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = length_from_lead(lead);
  if (length == 1) return {lead, 1, true};
  if (length == 0 || text.size() < length) return {};
  char32_t value = lead & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!continues(byte)) return {};
    value = (value << 6) | (byte & 0x3F);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return {};
  return {value, length, true};
}

void append_utf8(std::string& text, char32_t point) {
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (surrogate || point > 0x10FFFF) point = 0xFFFD;
  const auto continued = [&](unsigned shift) { text += static_cast<char>(0x80U | ((point >> shift) & 0x3FU)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0U | (point >> 6U));
    continued(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0U | (point >> 12U));
    continued(6);
    continued(0);
  } else {
    text += static_cast<char>(0xF0U | (point >> 18U));
    continued(12);
    continued(6);
    continued(0);
  }
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::string to_valid_utf8(std::string text) {
  if (is_valid_utf8(text)) return text;
  std::string valid;
  valid.reserve(text.size() + 16);
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = decode_utf8(rest);
    valid += point.valid ? rest.substr(0, point.bytes) : std::string_view{"\xEF\xBF\xBD"};
    rest.remove_prefix(point.bytes);
  }
  return valid;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode_utf8(text).bytes);
  return count;
}

std::string_view cut_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t begin = most;
  // Step back to the start of the character that the limit falls into; the longest has four bytes.
  for (std::size_t back = 0; back < 3 && begin > 0 && continues(static_cast<unsigned char>(text[begin])); ++back)
    --begin;
  const bool straddles = begin + decode_utf8(text.substr(begin)).bytes > most;
  return text.substr(0, straddles ? begin : most);
}

std::string_view cut_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t bytes = 0;
  for (std::size_t count = 0; count < most && bytes < text.size(); ++count)
    bytes += decode_utf8(text.substr(bytes)).bytes;
  return text.substr(0, bytes);
}

std::string cut_with_mark(std::string_view text, std::size_t most) {
  const std::string_view kept = cut_characters(text, most);
  if (kept.size() == text.size()) return std::string(text);
  return fmt::format("{}… [{} more characters]", kept, count_characters(text.substr(kept.size())));
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string count_of(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kMaxWorthComparing = 64;
  if (word.size() > kMaxWorthComparing) return {};
  const std::string lower = to_lower(word);
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // The distance is at least the difference of the lengths, so a huge candidate costs nothing.
    const std::size_t longer = std::max(candidate.size(), word.size());
    const std::size_t shorter = std::min(candidate.size(), word.size());
    if (longer - shorter >= best_distance) continue;
    const std::size_t distance = edit_distance(lower, to_lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? only_one_that_begins(lower, candidates) : best;
}

std::string list_names(std::span<const std::string> names) {
  std::string listed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) listed += i + 1 == names.size() ? " and " : ", ";
    listed += fmt::format("`{}`", names[i]);
  }
  return listed;
}

}  // namespace deputy
