// What has the form of a time and is none that can be looked at: a day that no calendar has, an hour 25, what is still
// to come. It is said instead of looking at some other time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "intent/calendar.h"
#include "intent/tokens.h"

namespace deputy::intent {

enum class TimeFault {
  not_readable,
  no_such_clock,  // alone it may be something else: a ratio, a port, a line and its column
  not_past,
  too_long_ago,
  ends_before_it_begins,
};

struct TimeProblem {
  TimeFault fault = TimeFault::not_readable;
  std::size_t next = 0;  // behind its words
};

/// The sentence for people, without a full stop.
std::string in_words(TimeFault fault, std::string_view phrase);

/// What stands before a token: behind a day even 42:13 is meant as a clock time.
enum class Behind { a_day, anything };

/// What begins at the token: "2026-02-30", "Feb 30", "31.12.2026" (which could be read in two ways), "at 25:00" (behind
/// a word that leads to a time), "last -5 hours", "next week".
std::optional<TimeProblem> find_time_problem(const Tokens& tokens, std::size_t at, LocalDay today,
                                             Behind behind = Behind::anything);

}  // namespace deputy::intent
