#include "net/retry_after.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/characters.h"
#include "base/text.h"
#include "net/http_date.h"

namespace deputy::net {

namespace {

constexpr std::chrono::milliseconds kMost = std::chrono::days(1);

std::chrono::milliseconds bounded(double millis) {
  const double most = static_cast<double>(kMost.count());
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(std::clamp(millis, 0.0, most))));
}

// Digits, and a fraction where a server gives one.
std::optional<double> number_of(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
  if (!plain || text.empty() || text.size() > 20 || text.starts_with('.') || std::ranges::count(text, '.') > 1) {
    return std::nullopt;
  }
  return std::strtod(std::string(text).c_str(), nullptr);
}

}  // namespace

std::optional<std::chrono::milliseconds> retry_after(const std::vector<Header>& headers, Timestamp now) {
  if (const auto exact = find_header(headers, "retry-after-ms")) {
    if (const auto millis = number_of(trim(*exact))) return bounded(*millis);
  }
  const auto value = find_header(headers, "retry-after");
  if (!value) return std::nullopt;
  if (const auto seconds = number_of(trim(*value))) return bounded(*seconds * 1000);
  const auto until = parse_http_date(trim(*value));
  if (!until) return std::nullopt;
  const auto theirs = parse_http_date(trim(find_header(headers, "date").value_or("")));
  return std::clamp(*until - theirs.value_or(now), std::chrono::milliseconds(0), kMost);
}

}  // namespace deputy::net
