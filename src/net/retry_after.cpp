#include "net/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/text.h"

namespace deputy::net {

namespace {

constexpr std::chrono::milliseconds kMax = std::chrono::days(1);

std::chrono::milliseconds bounded(double millis) {
  const double most = static_cast<double>(kMax.count());
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(std::clamp(millis, 0.0, most))));
}

// Digits, with an optional fraction.
std::optional<double> number_of(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
  if (!plain || text.empty() || text.size() > 20 || text.starts_with('.') || std::ranges::count(text, '.') > 1) {
    return std::nullopt;
  }
  return std::strtod(std::string(text).c_str(), nullptr);
}

constexpr auto kMonths = std::to_array<std::string_view>(
    {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});

std::optional<unsigned> number(std::string_view text, std::size_t max_digits) {
  unsigned value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good =
      !text.empty() && text.size() <= max_digits && code == std::errc() && end == text.data() + text.size();
  return good ? std::optional(value) : std::nullopt;
}

std::optional<unsigned> month_number(std::string_view name) {
  const auto* const found = std::ranges::find(kMonths, to_lower(name));
  if (found == kMonths.end()) return std::nullopt;
  return static_cast<unsigned>(found - kMonths.begin()) + 1;
}

std::optional<std::chrono::seconds> time_of_day(std::string_view text) {
  const auto parts = split(text, ":");
  if (parts.size() != 3) return std::nullopt;
  const auto hours = number(parts[0], 2);
  const auto minutes = number(parts[1], 2);
  const auto seconds = number(parts[2], 2);
  // A leap second is written as 60.
  if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 60) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes) + std::chrono::seconds(*seconds);
}

// Two digits mean a year between 1970 and 2069.
std::optional<int> year_number(std::string_view text) {
  const auto year = number(text, 4);
  if (!year || (text.size() != 4 && text.size() != 2)) return std::nullopt;
  if (text.size() == 4) return static_cast<int>(*year);
  return static_cast<int>(*year < 70 ? 2000 + *year : 1900 + *year);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" -,", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" -,", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
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
  return std::clamp(*until - theirs.value_or(now), std::chrono::milliseconds(0), kMax);
}

std::optional<Timestamp> parse_http_date(std::string_view text) {
  if (text.size() > 40) return std::nullopt;
  const auto words = words_of(text);
  const bool is_old = words.size() == 5;  // day of the week, month, day, time, year
  if (!is_old && (words.size() != 6 || to_lower(words[5]) != "gmt")) return std::nullopt;
  const auto day = number(words[is_old ? 2 : 1], 2);
  const auto month = month_number(words[is_old ? 1 : 2]);
  const auto year = year_number(words[is_old ? 4 : 3]);
  const auto time = time_of_day(words[is_old ? 3 : 4]);
  if (!day || !month || !year || !time) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return Timestamp(std::chrono::sys_days(date)) + *time;
}

}  // namespace deputy::net
