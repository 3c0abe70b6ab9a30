#include "intent/time_points.h"

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

using namespace std::chrono_literals;
using std::chrono::days;

}  // namespace

std::optional<Point> PointReader::read(std::size_t at, Led led) const {
  if (tokens_[at].is("the") || (led == Led::yes && tokens_[at].is("on"))) ++at;
  if (tokens_[at].is("now") && led == Led::yes) return of_moment(calendar_.now(), at + 1);
  if (const auto date = read_date(tokens_, at, calendar_.today())) {
    if (date->time) return clock_on(*date->time, date->day, date->next);
    return within_day({date->day, date->next, date->with_year ? Repeats::no : Repeats::yearly});
  }
  if (const auto ago = amount_ago(at)) return ago;
  if (const auto named = named_span(at)) return named;
  if (const auto day = named_day(at, led)) return within_day(*day);
  return clock_time(at);
}

Point PointReader::on_day(const Point& clock, LocalDay day) const {
  Point point = of_moment(calendar_.to_utc(LocalTime(day) + clock.time_of_day), clock.next);
  point.without_day = clock.without_day;
  return point;
}

Point PointReader::once_more(const Point& point) const {
  LocalDay day = point.day + days(point.repeats == Repeats::weekly ? 7 : 0);
  if (point.repeats == Repeats::yearly) {
    const std::chrono::year_month_day date(point.day);
    const auto next = (date.year() + std::chrono::years(1)) / date.month() / date.day();
    if (next.ok()) day = LocalDay(next);
  }
  if (point.moment) return on_day(point, day);
  Point later = of_span(calendar_.days(day, 1), point.next, day);
  later.repeats = point.repeats;
  return later;
}

std::optional<PointReader::PartOfDay> PointReader::part_of_day(std::string_view word) {
  if (word == "morning") return PartOfDay{6h, 12h};
  if (word == "afternoon") return PartOfDay{12h, 18h};
  if (word == "evening") return PartOfDay{18h, 24h};
  if (word == "night") return PartOfDay{18h, 30h};
  return std::nullopt;
}

Point PointReader::of_span(Span span, std::size_t next, LocalDay day) const {
  return {.span = span, .next = next, .day = day};
}

Point PointReader::of_moment(Timestamp at, std::size_t next) const {
  const LocalTime local = calendar_.to_local(at);
  const LocalDay day = std::chrono::floor<days>(local);
  return {.span = {at, at}, .next = next, .moment = true, .time_of_day = local - LocalTime(day), .day = day};
}

Point PointReader::clock_on(const ClockTime& clock, LocalDay day, std::size_t next) const {
  if (clock.utc_offset) {
    const Timestamp as_if_utc(LocalTime(day).time_since_epoch() + clock.time_of_day);
    return of_moment(as_if_utc - *clock.utc_offset, next);
  }
  return of_moment(calendar_.to_utc(LocalTime(day) + clock.time_of_day), next);
}

// "14:00", "14:00 yesterday", "23:00 last night", "9am on Nov 3".
std::optional<Point> PointReader::clock_time(std::size_t at) const {
  const auto clock = read_clock(tokens_, at);
  if (!clock) return std::nullopt;
  const std::size_t day_at = tokens_[clock->next].is("on") ? clock->next + 1 : clock->next;
  if (const auto day = named_day(day_at, Led::yes)) return clock_on(*clock, day->day, day->next);
  if (const auto date = read_date(tokens_, day_at, calendar_.today()); date && !date->time) {
    return clock_on(*clock, date->day, date->next);
  }
  if (tokens_[clock->next].is("last") && tokens_[clock->next + 1].is("night")) {
    const bool evening = clock->time_of_day >= 12h;
    return clock_on(*clock, calendar_.today() - days(evening ? 1 : 0), clock->next + 2);
  }
  if (tokens_[clock->next].is("this") && part_of_day(tokens_[clock->next + 1].lower)) {
    return clock_on(*clock, calendar_.today(), clock->next + 2);
  }
  const LocalDay day = calendar_.today();
  Point today = clock_on(*clock, day, clock->next);
  if (today.span.from >= calendar_.now()) today = clock_on(*clock, day - days(1), clock->next);
  today.without_day = !clock->utc_offset;
  return today;
}

// "Monday", "Monday morning", "yesterday at 14:00", "yesterday around noon".
Point PointReader::within_day(Day day) const {
  const std::size_t next = day.next;
  if (const auto named = part_of_day(tokens_[next].lower)) return part(day.day, *named, next + 1);
  const bool at = tokens_[next].is("at") || contains(kAround, tokens_[next].lower) || tokens_[next].is_symbol(',');
  if (const auto clock = read_clock(tokens_, at ? next + 1 : next)) return clock_on(*clock, day.day, clock->next);
  Point whole = of_span(calendar_.days(day.day, 1), next, day.day);
  whole.repeats = day.repeats;
  return whole;
}

Point PointReader::part(LocalDay day, PartOfDay part, std::size_t next) const {
  return of_span({calendar_.to_utc(LocalTime(day) + part.first), calendar_.to_utc(LocalTime(day) + part.second)}, next);
}

std::optional<Point> PointReader::amount_ago(std::size_t at) const {
  const auto amount = read_amount(tokens_, at, CountNeeded::yes);
  if (!amount || !tokens_[amount->next].is("ago")) return std::nullopt;
  const Timestamp then = calendar_.now() - amount->duration;
  if (amount->unit >= Unit::day) {  // "three days ago" is that day
    const LocalDay day = std::chrono::floor<days>(calendar_.to_local(then));
    return of_span(calendar_.days(day, 1), amount->next + 1, day);
  }
  return of_span({then, calendar_.now()}, amount->next + 1);
}

// "this morning", "last night", "last week", "over the weekend".
std::optional<Point> PointReader::named_span(std::size_t at) const {
  const bool last = tokens_[at].is("last");
  const bool current = tokens_[at].is("this");
  const LocalDay today = calendar_.today();
  const LocalDay monday = calendar_.monday_of(today);
  if (tokens_[at].is("tonight")) return part(today, {18h, 24h}, at + 1);
  if (tokens_[at].is("overnight")) return part(today - days(1), {18h, 30h}, at + 1);
  if (tokens_[at].is("weekend")) return weekend(0, at + 1);
  if (!last && !current) return std::nullopt;
  const std::string_view what = tokens_[at + 1].lower;
  if (std::optional<PartOfDay> named = part_of_day(what)) {
    if (last && (what == "night" || what == "evening")) return part(today - days(1), *named, at + 2);
    if (current) {
      if (named->first > calendar_.time_of_day()) named->first = 0h;  // before six it is morning already
      return part(today, *named, at + 2);
    }
  }
  if (what == "week") return of_span(calendar_.days(last ? monday - days(7) : monday, 7), at + 2);
  if (what == "weekend") return weekend(last ? 1 : 0, at + 2);
  if (what == "month") return month(last ? 1 : 0, at + 2);
  return std::nullopt;
}

Point PointReader::month(int months_back, std::size_t next) const {
  const std::chrono::year_month_day today(calendar_.today());
  const auto meant = today.year() / today.month() - std::chrono::months(months_back);
  const LocalDay first(meant / std::chrono::day(1));
  const LocalDay end((meant + std::chrono::months(1)) / std::chrono::day(1));
  return of_span(calendar_.days(first, static_cast<int>((end - first).count())), next);
}

// The latest that has begun; the last one has ended.
Point PointReader::weekend(int ended, std::size_t next) const {
  const LocalDay today = calendar_.today();
  LocalDay saturday = calendar_.latest(std::chrono::Saturday, today);
  if (ended != 0 && today - saturday < days(2)) saturday -= days(7);
  return of_span(calendar_.days(saturday, 2), next, saturday);
}

std::optional<PointReader::Day> PointReader::named_day(std::size_t at, Led led) const {
  const LocalDay today = calendar_.today();
  const std::string_view word = tokens_[at].lower;
  if (word == "today" || word == "heute") return Day{today, at + 1};
  if (word == "yesterday" || word == "gestern" || word == "yesterdays") return Day{today - days(1), at + 1};
  if (word == "tomorrow" || word == "tomorrows") return Day{today + days(1), at + 1};
  if (word == "day" && tokens_[at + 1].is("before") && tokens_[at + 2].is("yesterday"))
    return Day{today - days(2), at + 3};
  if (word == "day" && tokens_[at + 1].is("after") && tokens_[at + 2].is("tomorrow"))
    return Day{today + days(2), at + 3};
  const bool last = word == "last";
  const bool short_names = led == Led::yes || last;
  const unsigned number = weekday_number(last ? tokens_[at + 1].lower : word, short_names);
  if (number == 0) return std::nullopt;
  const LocalDay day = calendar_.latest(std::chrono::weekday(number), last ? today - days(1) : today);
  return Day{day, at + (last ? 2 : 1), last ? Repeats::no : Repeats::weekly};
}

}  // namespace deputy::intent
