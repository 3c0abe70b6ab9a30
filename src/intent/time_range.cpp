#include "intent/time_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "intent/time_words.h"

namespace deputy::intent {

namespace {

using namespace std::chrono_literals;
using std::chrono::days;

constexpr auto kOldest = days(3650);
constexpr auto kAtSide = 15min;
constexpr auto kMaxNight = 20h;
constexpr std::size_t kMaxPhrase = 60;

constexpr std::string_view kLast[] = {"last", "past", "previous", "next"};
constexpr std::string_view kUntil[] = {"to", "until", "till", "and"};
// A time shortly after one of these words is a plan or a schedule, not a time in the past.
constexpr std::size_t kMaxPlan = 4;  // tokens
constexpr std::string_view kPlanned[] = {"by", "every", "each", "until", "till", "scheduled"};

enum class TimeFault { not_readable, not_past, too_long_ago, ends_before_it_begins };

std::string in_words(TimeFault fault, std::string_view phrase) {
  std::string shown = to_valid_utf8(std::string(cut_characters(phrase, kMaxPhrase)));
  std::ranges::replace(shown, '`', '\'');
  std::ranges::replace(shown, '\n', ' ');
  static constexpr std::string_view kWhy[] = {"is not a date or time I can read", "is not in the past",
                                              "goes back more than ten years", "does not end after it begins"};
  return fmt::format("`{}` {}", shown, kWhy[static_cast<std::size_t>(fault)]);
}

/// A day or a moment.
struct Point {
  Span span;
  std::size_t next = 0;
  bool moment = false;       // a clock time: the span is empty
  bool without_day = false;  // a clock time for which the request names no day
  std::chrono::milliseconds time_of_day{};
  LocalDay day{};
};

struct Found {
  Span span;
  std::size_t next = 0;
  std::optional<TimeFault> fault = std::nullopt;  // instead of the span
  std::size_t first = 0;
};

class TimeReader {
 public:
  TimeReader(const Tokens& tokens, const Vocabulary& vocabulary) : tokens_(tokens), calendar_(vocabulary) {}

  TimeRange read(Claims& claims) const {
    const std::vector<bool> quoted = find_quoted(tokens_);
    std::optional<Found> to_come;  // in the future; used when no other time is named
    bool first_sentence = true;
    std::size_t planned_until = 0;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      first_sentence = first_sentence && (at == 0 || !tokens_.sentence_starts(at));
      if (contains(kPlanned, tokens_[at].lower)) planned_until = at + kMaxPlan;
      if (at < planned_until || claims[at] || quoted[at] || tokens_.tied_before(at)) continue;
      std::optional<Found> found = span_at(at);
      if (!found) continue;
      found->first = at;
      if (!found->fault) found->fault = fault_of(found->span);
      if (found->fault != TimeFault::not_past) return told(*found, claims);
      if (first_sentence && !to_come) to_come = found;
      at = found->next - 1;
    }
    return to_come ? told(*to_come, claims) : TimeRange{};
  }

 private:
  std::optional<TimeFault> fault_of(const Span& span) const {
    if (span.from >= calendar_.now()) return TimeFault::not_past;
    if (span.from < calendar_.now() - kOldest) return TimeFault::too_long_ago;
    if (span.to < span.from) return TimeFault::ends_before_it_begins;
    return std::nullopt;
  }

  // A range that reaches into the future ends now.
  TimeRange told(const Found& found, Claims& claims) const {
    TimeRange range;
    const std::string_view words = tokens_.text(found.first, found.next);
    for (std::size_t at = found.first; at < found.next && at < claims.size(); ++at) claims[at] = true;
    if (found.fault) {
      range.problem = in_words(*found.fault, words);
      return range;
    }
    const Timestamp now = calendar_.now();
    range.from = found.span.from;
    range.to = std::min(found.span.to, now);
    range.hours_back = std::max(1, static_cast<int>(std::chrono::ceil<std::chrono::hours>(now - *range.from).count()));
    range.description = cut_characters(words, 2 * kMaxPhrase);
    return range;
  }

  std::optional<Found> unreadable_at(std::size_t at) const {
    const auto end = unreadable_time(tokens_, at, calendar_.today());
    return end ? std::optional(Found{{}, *end, TimeFault::not_readable}) : std::nullopt;
  }

  std::optional<Found> span_at(std::size_t at) const {
    const std::string_view word = tokens_[at].lower;
    if (word == "since" || word == "after") return since(at);
    if (word == "between" || word == "from") return pair_at(at + 1, word, std::nullopt);
    if (contains(kLast, word)) {
      if (const auto rolling = last_amount(at)) return rolling;
    }
    if (word == "next" && weekday_number(tokens_[at + 1].lower, true) != 0)
      return Found{{}, at + 2, TimeFault::not_past};
    if (word == "before") {
      const auto end = read_point(at + 1, false);
      if (!end || !end->moment) return std::nullopt;
      return Found{{calendar_.to_utc(LocalTime(end->day)), end->span.from}, end->next};
    }
    const bool led = word == "at" || word == "on";
    const std::size_t start = led ? at + 1 : at;
    if (const auto unreadable = unreadable_at(start)) {
      // Without a word such as "at" before it, 3:75 may be anything.
      return led || !tokens_[start + 1].is_symbol(':') ? unreadable : std::nullopt;
    }
    const auto point = read_point(start, led);
    if (!point) return std::nullopt;
    return spread(*point);
  }

  /// The time that starts at a token, past or future.
  std::optional<Point> read_point(std::size_t at, bool led) const {
    if (tokens_[at].is("the") || (led && tokens_[at].is("on"))) ++at;
    if (led && tokens_[at].is("now")) return moment(calendar_.now(), at + 1);
    if (const auto date = read_date(tokens_, at, calendar_.today())) {
      if (date->time) return clock_on(*date->time, date->day, date->next);
      return within_day(date->day, date->next);
    }
    if (const auto amount = read_amount(tokens_, at, CountNeeded::yes); amount && tokens_[amount->next].is("ago")) {
      const Timestamp then = calendar_.now() - amount->duration;
      if (amount->in_days) return whole_day(calendar_.day_of(then), amount->next + 1);  // "three days ago" is that day
      return Point{.span = {then, calendar_.now()}, .next = amount->next + 1};
    }
    if (const auto day = named_day(at, led)) return within_day(day->day, day->next);
    return clock_alone(at);
  }

  std::optional<Point> named_day(std::size_t at, bool led) const {
    const LocalDay today = calendar_.today();
    const std::string_view word = tokens_[at].lower;
    if (word == "today") return whole_day(today, at + 1);
    if (word == "yesterday") return whole_day(today - days(1), at + 1);
    if (word == "tomorrow") return whole_day(today + days(1), at + 1);
    if (word == "day" && tokens_[at + 1].is("before") && tokens_[at + 2].is("yesterday"))
      return whole_day(today - days(2), at + 3);
    const bool last = word == "last";
    const unsigned number = weekday_number(last ? tokens_[at + 1].lower : word, led || last);
    if (number == 0) return std::nullopt;
    const LocalDay until = last ? today - days(1) : today;
    return whole_day(until - (std::chrono::weekday(until) - std::chrono::weekday(number)), at + (last ? 2 : 1));
  }

  Point whole_day(LocalDay day, std::size_t next) const {
    return {.span = calendar_.whole_day(day), .next = next, .day = day};
  }

  Point moment(Timestamp at, std::size_t next) const {
    const LocalDay day = calendar_.day_of(at);
    return {.span = {at, at},
            .next = next,
            .moment = true,
            .time_of_day = calendar_.to_local(at) - LocalTime(day),
            .day = day};
  }

  Point clock_on(const ClockTime& clock, LocalDay day, std::size_t next) const {
    if (!clock.utc_offset) return moment(calendar_.to_utc(LocalTime(day) + clock.time_of_day), next);
    return moment(Timestamp(LocalTime(day).time_since_epoch() + clock.time_of_day) - *clock.utc_offset, next);
  }

  Point on_day(const Point& clock, LocalDay day) const {
    Point point = moment(calendar_.to_utc(LocalTime(day) + clock.time_of_day), clock.next);
    point.without_day = clock.without_day;
    return point;
  }

  // "Monday", "yesterday at 14:00", "yesterday 14:00".
  Point within_day(LocalDay day, std::size_t next) const {
    const bool at = tokens_[next].is("at") || tokens_[next].is_symbol(',');
    if (const auto clock = read_clock(tokens_, at ? next + 1 : next)) return clock_on(*clock, day, clock->next);
    return whole_day(day, next);
  }

  // "14:00", "14:00 yesterday", "9am on Nov 3". Without a day, a time later than now means yesterday's.
  std::optional<Point> clock_alone(std::size_t at) const {
    const auto clock = read_clock(tokens_, at);
    if (!clock) return std::nullopt;
    const std::size_t day_at = tokens_[clock->next].is("on") ? clock->next + 1 : clock->next;
    if (const auto day = named_day(day_at, true)) return clock_on(*clock, day->day, day->next);
    if (const auto date = read_date(tokens_, day_at, calendar_.today()); date && !date->time)
      return clock_on(*clock, date->day, date->next);
    Point point = clock_on(*clock, calendar_.today(), clock->next);
    if (point.span.from >= calendar_.now()) point = clock_on(*clock, calendar_.today() - days(1), clock->next);
    point.without_day = !clock->utc_offset;
    return point;
  }

  // A day, or a clock time on a day; a day may be narrowed down: "yesterday between 14:00 and 15:30".
  std::optional<Found> spread(const Point& point) const {
    const std::string_view word = tokens_[point.next].lower;
    const bool narrower = !point.moment && (word == "between" || word == "from");
    if (narrower) {
      if (const auto pair = pair_at(point.next + 1, word, point.day)) return pair;
    }
    if (tokens_[point.next].is_symbol('-') || (contains(kUntil, word) && word != "and")) {
      const auto second = read_point(point.next + 1, true);
      if (second && second->moment == point.moment) return pair(point, *second);
    }
    // "Yesterday at 25:00" is not all of yesterday.
    const std::size_t behind = word == "at" ? point.next + 1 : point.next;
    if (const auto unreadable = unreadable_at(behind); unreadable && !point.moment) return unreadable;
    if (point.moment) return Found{{point.span.from - kAtSide, point.span.to + kAtSide}, point.next};
    return Found{point.span, point.next};
  }

  std::optional<Found> since(std::size_t at) const {
    if (const auto unreadable = unreadable_at(at + 1)) return unreadable;
    if (const auto point = read_point(at + 1, true)) return Found{{point->span.from, calendar_.now()}, point->next};
    if (tokens_[at].is("after")) return std::nullopt;  // "after 5 minutes it fails"
    const std::size_t amount_at = tokens_[at + 1].is("the") ? at + 2 : at + 1;
    if (contains(kLast, tokens_[amount_at].lower)) return last_amount(amount_at);
    const auto amount = read_amount(tokens_, at + 1, CountNeeded::yes);
    if (!amount) return std::nullopt;
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  /// "14:00 and 15:30" after "between" or "from"; `day` is the day named before the clock times, if any.
  std::optional<Found> pair_at(std::size_t at, std::string_view lead, std::optional<LocalDay> day) const {
    if (const auto unreadable = unreadable_at(at)) return unreadable;
    auto first = read_point(at, true);
    if (!first) return std::nullopt;
    if (day && first->without_day) first = on_day(*first, *day);
    if (tokens_[first->next].is_symbol('-') || contains(kUntil, tokens_[first->next].lower)) {
      const std::size_t second_at = first->next + 1;
      if (const auto unreadable = unreadable_at(second_at)) return unreadable;
      if (auto second = read_point(second_at, true)) {
        if (day && second->without_day) second = on_day(*second, *day);
        return pair(*first, *second);
      }
    }
    if (lead == "between") return std::nullopt;
    if (first->moment) return Found{{first->span.from, calendar_.now()}, first->next};  // "from 14:00"
    return Found{first->span, first->next};                                             // "logs from yesterday"
  }

  Found pair(Point first, Point second) const {
    const bool clocks = first.moment && second.moment;
    if (clocks && first.without_day && !second.without_day) first = on_day(first, second.day);
    if (clocks && second.without_day && !first.without_day) second = on_day(second, first.day);
    const bool over_midnight =
        clocks && (first.without_day || second.without_day) && second.time_of_day < first.time_of_day;
    if (clocks && second.span.from < first.span.from) {  // it crosses midnight, or its end is still to come
      if (second.without_day) {
        second = on_day(second, first.day + days(over_midnight ? 1 : 0));
      } else if (first.without_day) {
        first = on_day(first, second.day - days(over_midnight ? 1 : 0));
      }
    }
    const Timestamp end = second.moment ? second.span.from : second.span.to;
    // "10:00 to 09:00" would be nearly a whole day, so a mistake is more likely. "10:00 to midnight" is fine.
    const bool slip = over_midnight && second.time_of_day > 0ms && end - first.span.from > kMaxNight;
    if (end <= first.span.from || slip) return {{}, second.next, TimeFault::ends_before_it_begins};
    return {{first.span.from, end}, second.next};
  }

  std::optional<Found> last_amount(std::size_t at) const {
    const bool minus = tokens_[at + 1].is_symbol('-') && tokens_.joined(at + 1);
    const auto amount = read_amount(tokens_, at + (minus ? 2 : 1), CountNeeded::no);
    if (!amount) return std::nullopt;
    if (minus || tokens_[at].is("next")) return Found{{}, amount->next, TimeFault::not_past};
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  const Tokens& tokens_;
  const Calendar calendar_;
};

}  // namespace

TimeRange find_time_range(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  return TimeReader(tokens, vocabulary).read(claims);
}

}  // namespace deputy::intent
