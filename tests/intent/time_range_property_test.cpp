// Whatever time a request names: a span that holds what was said, or a problem that says it. Never another time.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

using namespace std::chrono;

constexpr auto kHere = hours(1);  // how far the requester's clock is ahead

TimeRange read(const std::string& phrase) {
  static const Vocabulary words = sample_vocabulary();
  const auto before = *rc::gen::element<std::string>("", "errors ", "errors in checkout prod ", "show me logs ");
  const auto behind = *rc::gen::element<std::string>("", " in prod", " please", "?");
  return extract(before + phrase + behind, words).parameters.time_range;
}

/// `from` to `to` as they are said, in the requester's time; what lies ahead may be left out.
void expect_within(const TimeRange& range, Timestamp from, Timestamp to) {
  const Timestamp now = sample_vocabulary().now;
  RC_ASSERT(range.problem.empty());
  RC_ASSERT(range.from && range.to);
  const Timestamp begins = range.from.value_or(now);
  const Timestamp ends = range.to.value_or(begins);
  RC_ASSERT(begins <= from && ends >= std::min(to, now));
  RC_ASSERT(begins >= from - minutes(15) && ends <= now);
}

RC_GTEST_PROP(TimesProperty, AnAmountIsTheWholeAmountOrAProblem, ()) {
  const auto digits = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>('0', '9' + 1)));
  using Unit = std::pair<std::string, std::int64_t>;
  const auto [unit, minutes_each] = *rc::gen::elementOf(std::vector<Unit>{
      {"minutes", 1}, {"min", 1}, {"hours", 60}, {"h", 60}, {"days", 1440}, {"weeks", 10080}, {"months", 43200}});
  const auto form = *rc::gen::element<const char*>("last {} {}", "past {} {}", "since the last {} {}", "last {}{}");
  const TimeRange range = read(fmt::format(fmt::runtime(form), digits, unit));
  const std::string significant = digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  const std::int64_t count = significant.empty() ? 0 : significant.size() > 12 ? -1 : std::stoll(significant);
  const std::int64_t all = count < 0 || count > 100'000'000 ? -1 : count * minutes_each;
  if (all <= 0 || minutes(all) > days(3650)) {
    RC_ASSERT(!range.problem.empty() && !range.from);
  } else {
    const Timestamp now = sample_vocabulary().now;
    expect_within(range, now - minutes(all), now);
  }
}

RC_GTEST_PROP(TimesProperty, ADateIsThatDayOrAProblem, ()) {
  const int y = *rc::gen::inRange(1960, 2100);
  const unsigned m = *rc::gen::inRange(0U, 20U);
  const unsigned d = *rc::gen::inRange(0U, 40U);
  const auto form = *rc::gen::element<const char*>("{:04}-{:02}-{:02}", "on {:04}-{:02}-{:02}", "{:04}/{:02}/{:02}");
  const TimeRange range = read(fmt::format(fmt::runtime(form), y, m, d));
  const year_month_day date{year(y), month(m), day(d)};
  const Timestamp now = sample_vocabulary().now;
  const Timestamp begins = date.ok() ? Timestamp(sys_days(date)) - kHere : now;
  if (!date.ok() || begins >= now || begins < now - days(3650)) {
    RC_ASSERT(!range.problem.empty() && !range.from);
  } else {
    expect_within(range, begins, begins + days(1));
  }
}

RC_GTEST_PROP(TimesProperty, TwoClockTimesAreThatSpanOrAProblem, ()) {
  const int from_hour = *rc::gen::inRange(0, 30);
  const int to_hour = *rc::gen::inRange(0, 30);
  const int from_minute = *rc::gen::inRange(0, 70);
  const int to_minute = *rc::gen::inRange(0, 70);
  const auto form = *rc::gen::element<const char*>(
      "from {:02}:{:02} to {:02}:{:02}", "between {:02}:{:02} and {:02}:{:02}",
      "yesterday from {:02}:{:02} to {:02}:{:02}", "yesterday between {:02}:{:02} and {:02}:{:02}");
  const TimeRange range = read(fmt::format(fmt::runtime(form), from_hour, from_minute, to_hour, to_minute));
  const bool is_clock = from_hour < 24 && to_hour < 24 && from_minute < 60 && to_minute < 60;
  const minutes from = hours(from_hour) + minutes(from_minute);
  const minutes lasts = (hours(to_hour) + minutes(to_minute) - from + days(1)) % days(1);
  if (!is_clock || lasts == minutes(0) || (from + lasts > days(1) && lasts > hours(20))) {
    RC_ASSERT(!range.problem.empty() && !range.from);
    return;
  }
  RC_ASSERT(range.problem.empty());
  RC_ASSERT(range.from && range.to);
  const Timestamp now = sample_vocabulary().now;
  const Timestamp begins = range.from.value_or(now);
  RC_ASSERT((begins.time_since_epoch() + kHere) % days(1) == from);
  RC_ASSERT(range.to == std::min<Timestamp>(begins + lasts, now));
}

RC_GTEST_PROP(TimesProperty, WhatIsToComeIsSaid, ()) {
  const auto phrase = *rc::gen::element<std::string>("tomorrow", "next week", "next Tuesday", "tomorrow at 9am",
                                                     "at 15:00 tomorrow", "next 3 days");
  const TimeRange range = read(phrase);
  RC_ASSERT(!range.problem.empty() && !range.from);
}

}  // namespace
}  // namespace deputy::intent
