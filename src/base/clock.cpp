#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "base/text.h"

namespace deputy {

namespace {

using std::chrono::milliseconds;

struct Unit {
  std::string_view name;
  std::int64_t millis;
};

constexpr std::string_view kDigits = "0123456789";

// Largest first, as they are written.
constexpr std::array<Unit, 5> kUnits{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

std::unexpected<Error> not_a_duration(std::string_view text) {
  return fail(ErrorKind::invalid_input, fmt::format("`{}` is not a duration", cut_with_mark(text, 40)),
              "write it like 30d, 1h30m, 90s or 250ms");
}

const Unit* unit_named(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::unexpected<Error> not_a_time(std::string_view text) {
  return fail(ErrorKind::invalid_input, fmt::format("`{}` is not a time", cut_with_mark(text, 40)),
              "write it like 2026-11-15T04:10:02Z or 2026-11-15T05:10:02+01:00");
}

/// Takes `mark` and then exactly `count` digits from the front of `rest`; -1 when they are not there.
int take_digits(std::string_view& rest, std::string_view mark, std::size_t count) {
  if (!rest.starts_with(mark) || rest.size() < mark.size() + count) return -1;
  const std::string_view digits = rest.substr(mark.size(), count);
  if (digits.find_first_not_of(kDigits) != std::string_view::npos) return -1;
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  rest.remove_prefix(mark.size() + count);
  return number;
}

}  // namespace

#ifdef DEPUTY_FAILPOINTS
namespace {

// For crash tests: the clock of this process is ahead by so many seconds, or behind.
std::chrono::seconds offset_of_tests() {
  const char* variable = std::getenv("DEPUTY_CLOCK_OFFSET");
  return std::chrono::seconds(variable == nullptr ? 0 : std::atoll(variable));
}

}  // namespace

Timestamp SystemClock::now() const {
  static const std::chrono::seconds offset = offset_of_tests();
  return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()) + offset;
}
#else
Timestamp SystemClock::now() const { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }
#endif

std::string format_timestamp(Timestamp at) {
  using namespace std::chrono_literals;
  constexpr Timestamp kFirst = std::chrono::sys_days{std::chrono::year{0} / 1 / 1};
  constexpr Timestamp kLast = std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1} - 1ms;
  at = std::clamp(at, kFirst, kLast);
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{at - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count(), time.subseconds().count());
}

Result<Timestamp> parse_timestamp(std::string_view text) {
  using namespace std::chrono;
  std::string_view rest = text;
  const int year_number = take_digits(rest, "", 4);
  const int month_number = take_digits(rest, "-", 2);
  const int day_number = take_digits(rest, "-", 2);
  const int hour = take_digits(rest, "T", 2);
  const int minute = take_digits(rest, ":", 2);
  const int second = take_digits(rest, ":", 2);
  if (std::min({year_number, month_number, day_number, hour, minute, second}) < 0) return not_a_time(text);
  const year_month_day date{year{year_number}, month{static_cast<unsigned>(month_number)},
                            day{static_cast<unsigned>(day_number)}};
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return not_a_time(text);
  Timestamp at = sys_days{date} + hours{hour} + minutes{minute} + seconds{second};
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::size_t digits = std::min(rest.find_first_not_of(kDigits), rest.size());
    if (digits == 0 || digits > 9) return not_a_time(text);
    std::int64_t part = 100;
    for (std::size_t i = 0; i < digits; ++i, part /= 10) at += milliseconds{part * (rest[i] - '0')};
    rest.remove_prefix(digits);
  }
  if (rest == "Z") return at;
  const int sign = rest.starts_with('-') ? -1 : 1;
  const int zone_hours = take_digits(rest, sign < 0 ? "-" : "+", 2);
  const int zone_minutes = take_digits(rest, ":", 2);
  if (zone_hours < 0 || zone_hours > 23 || zone_minutes < 0 || zone_minutes > 59 || !rest.empty())
    return not_a_time(text);
  return at - sign * (hours{zone_hours} + minutes{zone_minutes});
}

Result<milliseconds> parse_duration(std::string_view text) {
  std::string_view rest = text;
  std::int64_t total = 0;
  std::int64_t unit_before = std::numeric_limits<std::int64_t>::max();
  if (rest.empty()) return not_a_duration(text);
  while (!rest.empty()) {
    std::int64_t number = 0;
    if (!kDigits.contains(rest.front())) return not_a_duration(text);  // from_chars would take a sign
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc{}) return not_a_duration(text);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const Unit* unit = unit_named(rest.substr(0, rest.find_first_of(kDigits)));
    if (unit == nullptr || unit->millis >= unit_before) return not_a_duration(text);
    std::int64_t part = 0;
    if (__builtin_mul_overflow(number, unit->millis, &part) || __builtin_add_overflow(total, part, &total)) {
      return not_a_duration(text);
    }
    unit_before = unit->millis;
    rest.remove_prefix(unit->name.size());
  }
  return milliseconds{total};
}

std::string format_duration(milliseconds duration) {
  std::string text;
  std::int64_t rest = duration.count();
  for (const Unit& unit : kUnits) {
    if (rest >= unit.millis) {
      text += fmt::format("{}{}", rest / unit.millis, unit.name);
      rest %= unit.millis;
    }
  }
  return text.empty() ? "0s" : text;
}

}  // namespace deputy
