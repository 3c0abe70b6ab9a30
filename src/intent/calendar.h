// The requester's calendar: days, weeks and clock times of where they are, as moments.
#pragma once

#include <chrono>
#include <functional>

#include "base/clock.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

using LocalDay = std::chrono::local_days;
using LocalTime = std::chrono::local_time<std::chrono::milliseconds>;

struct Span {
  Timestamp from{};
  Timestamp to{};
};

class Calendar {
 public:
  explicit Calendar(const Vocabulary& vocabulary) : now_(vocabulary.now), utc_offset_(vocabulary.utc_offset) {}

  Timestamp now() const { return now_; }
  LocalDay today() const { return std::chrono::floor<std::chrono::days>(to_local(now_)); }
  std::chrono::minutes time_of_day() const {
    return std::chrono::floor<std::chrono::minutes>(to_local(now_) - LocalTime(today()));
  }
  LocalDay monday_of(LocalDay day) const {
    return day - std::chrono::days(std::chrono::weekday(day).iso_encoding() - 1);
  }
  /// The latest day of that name that is not after `last`.
  LocalDay latest(std::chrono::weekday weekday, LocalDay last) const {
    return last - (std::chrono::weekday(last) - weekday);
  }

  LocalTime to_local(Timestamp at) const { return LocalTime(at.time_since_epoch() + offset(at)); }

  /// When a clock there shows it. An hour that the change to summer time leaves out is read as the one behind it.
  Timestamp to_utc(LocalTime local) const {
    const Timestamp as_if_utc(local.time_since_epoch());
    const Timestamp guess = as_if_utc - offset(as_if_utc);
    return as_if_utc - offset(guess);
  }

  Span days(LocalDay first, int count) const {
    return {to_utc(LocalTime(first)), to_utc(LocalTime(first + std::chrono::days(count)))};
  }

 private:
  std::chrono::seconds offset(Timestamp at) const { return utc_offset_ ? utc_offset_(at) : std::chrono::seconds(0); }

  Timestamp now_;
  const std::function<std::chrono::seconds(Timestamp)>& utc_offset_;
};

}  // namespace deputy::intent
