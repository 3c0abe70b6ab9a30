// The smallest parts of a time in words: an amount of time, a clock time, a date. Each reader says where it ended.
#pragma once

#include <chrono>
#include <optional>

#include "intent/calendar.h"
#include "intent/tokens.h"

namespace deputy::intent {

enum class Unit { minute, hour, day, week, month };

struct Amount {
  std::chrono::milliseconds duration{};  // at most a hundred years, whatever number is said
  Unit unit = Unit::hour;
  bool compact = false;  // "2h" in one word
  std::size_t next = 0;
};
/// "2 hours", "90 min", "2h", "1h30m", "1.5 hours", "an hour", "a couple of days", "half an hour", and bare "hour" when
/// `count_needed` is not.
enum class CountNeeded { yes, no };
std::optional<Amount> read_amount(const Tokens& tokens, std::size_t at, CountNeeded count_needed);

struct ClockTime {
  std::chrono::milliseconds time_of_day{};
  std::optional<std::chrono::seconds> utc_offset;  // when a zone is named
  std::size_t next = 0;
};
/// "14:00", "9:05:30 UTC", "3pm", "3:30 pm", "noon".
std::optional<ClockTime> read_clock(const Tokens& tokens, std::size_t at);

struct Date {
  LocalDay day{};
  std::optional<ClockTime> time;
  std::size_t next = 0;
  bool with_year = true;
};
/// "2026-11-01" or "2026-11-1", with a time and zone as ISO 8601 has them; "Nov 3", "3rd of November 2026". Without a
/// year it is the latest such day that is not after `today`.
std::optional<Date> read_date(const Tokens& tokens, std::size_t at, LocalDay today);

/// Behind a month and the number of a day, in either order, whether or not there is such a day.
std::optional<std::size_t> named_date_end(const Tokens& tokens, std::size_t at);

/// 1 for Monday to 7; 0 when it is none. Short names ("mon") only when `short_names`, for some are words.
unsigned weekday_number(std::string_view word, bool short_names);

}  // namespace deputy::intent
