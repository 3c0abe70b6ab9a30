// Reads the smallest parts of a time in words: a duration, a clock time, a date, a weekday. The requester's calendar
// turns them into moments. Each result has `next`, the token after what was read.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "intent/tokens.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

using LocalDay = std::chrono::local_days;
using LocalTime = std::chrono::local_time<std::chrono::milliseconds>;

struct Span {
  Timestamp from{};
  Timestamp to{};
};

/// Converts days and clock times in the requester's time zone to moments, and back.
class Calendar {
 public:
  explicit Calendar(const Vocabulary& vocabulary) : now_(vocabulary.now), utc_offset_(vocabulary.utc_offset) {}

  Timestamp now() const { return now_; }
  LocalDay today() const { return day_of(now_); }
  LocalDay day_of(Timestamp at) const { return std::chrono::floor<std::chrono::days>(to_local(at)); }
  LocalTime to_local(Timestamp at) const { return LocalTime(at.time_since_epoch() + offset(at)); }
  /// The moment when a clock there shows this time. An hour skipped by the change to summer time counts as the next
  /// one.
  Timestamp to_utc(LocalTime local) const {
    const Timestamp as_if_utc(local.time_since_epoch());
    const Timestamp guess = as_if_utc - offset(as_if_utc);
    return as_if_utc - offset(guess);
  }
  Span whole_day(LocalDay day) const { return {to_utc(LocalTime(day)), to_utc(LocalTime(day + std::chrono::days(1)))}; }

 private:
  std::chrono::seconds offset(Timestamp at) const { return utc_offset_ ? utc_offset_(at) : std::chrono::seconds(0); }

  Timestamp now_;
  const std::function<std::chrono::seconds(Timestamp)>& utc_offset_;
};

struct Amount {
  std::chrono::milliseconds duration{};  // capped at a hundred years
  bool in_days = false;                  // a day or longer
  std::size_t next = 0;
};
/// "2 hours", "90 min", "2h", "1h30m", "an hour", "a couple of days"; bare "hour" when no count is needed.
enum class CountNeeded { yes, no };
std::optional<Amount> read_amount(const Tokens& tokens, std::size_t at, CountNeeded count_needed);

struct ClockTime {
  std::chrono::milliseconds time_of_day{};
  std::optional<std::chrono::seconds> utc_offset;  // of a named zone
  std::size_t next = 0;
};
/// "14:00", "14:00:05 UTC", "9am", "3:30 pm", "noon", "midnight"; a bare number is not a clock time.
std::optional<ClockTime> read_clock(const Tokens& tokens, std::size_t at);

struct Date {
  LocalDay day{};
  std::optional<ClockTime> time;  // "2026-11-17T08:00Z"
  std::size_t next = 0;
};
/// "2026-11-17", "2026-11-17T08:00+02:00", "3rd of November 2026"; "Nov 3" means the latest one that is not in the
/// future.
std::optional<Date> read_date(const Tokens& tokens, std::size_t at, LocalDay today);

/// The token after something that looks like a date or a clock time but is not a valid one: "2026-02-30", "31.12.2026"
/// (ambiguous order of day and month), "Feb 30", "25:00", "13pm".
std::optional<std::size_t> unreadable_time(const Tokens& tokens, std::size_t at, LocalDay today);

/// 1 for Monday to 7 for Sunday, 0 if it is not a weekday. Short names ("mon") count only with `short_names`, because
/// some are ordinary words too.
unsigned weekday_number(std::string_view word, bool short_names);

}  // namespace deputy::intent
