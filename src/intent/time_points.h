// One time, as it stands alone or in "since …", "between … and …": a moment, a day or a part of one, "two hours ago".
// What it is joined to is times.h's.
#pragma once

#include <chrono>
#include <optional>

#include "intent/calendar.h"
#include "intent/time_words.h"
#include "intent/tokens.h"

namespace deputy::intent {

inline constexpr std::string_view kAround[] = {"around",  "about",         "near",  "circa",
                                               "roughly", "approximately", "approx"};

/// A day that is named without saying which: the latest is meant, until what it is paired with says otherwise.
enum class Repeats { no, weekly, yearly };

struct Point {
  Span span;
  std::size_t next = 0;
  bool moment = false;       // a clock time: the span is empty
  bool without_day = false;  // a clock time of some day
  std::chrono::milliseconds time_of_day{};
  LocalDay day{};
  Repeats repeats = Repeats::no;
};

/// Whether a word such as "on" or "since" before it says that a time follows, so that short names of days count.
enum class Led { yes, no };

class PointReader {
 public:
  /// Both outlive it.
  PointReader(const Tokens& tokens, const Vocabulary& vocabulary) : tokens_(tokens), calendar_(vocabulary) {}

  const Calendar& calendar() const { return calendar_; }

  /// The time that begins at a token, past or to come. A clock time that is still to come today was yesterday's.
  std::optional<Point> read(std::size_t at, Led led) const;

  /// The same clock time of another day.
  Point on_day(const Point& clock, LocalDay day) const;
  /// The same day a week or a year later, where it repeats.
  Point once_more(const Point& point) const;

 private:
  struct Day {
    LocalDay day;
    std::size_t next;
    Repeats repeats = Repeats::no;
  };
  using PartOfDay = std::pair<std::chrono::hours, std::chrono::hours>;

  static std::optional<PartOfDay> part_of_day(std::string_view word);
  Point of_span(Span span, std::size_t next, LocalDay day = {}) const;
  Point of_moment(Timestamp at, std::size_t next) const;
  Point clock_on(const ClockTime& clock, LocalDay day, std::size_t next) const;
  std::optional<Point> clock_time(std::size_t at) const;
  Point within_day(Day day) const;
  Point part(LocalDay day, PartOfDay part, std::size_t next) const;
  std::optional<Point> amount_ago(std::size_t at) const;
  std::optional<Point> named_span(std::size_t at) const;
  Point month(int months_back, std::size_t next) const;
  Point weekend(int ended, std::size_t next) const;
  std::optional<Day> named_day(std::size_t at, Led led) const;

  const Tokens& tokens_;
  Calendar calendar_;
};

}  // namespace deputy::intent
