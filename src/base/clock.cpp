#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
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

// Largest first, which is the order they are written in.
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

}  // namespace

Timestamp SystemClock::now() const { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }

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
