#include "intent/times.h"

#include <algorithm>

#include "base/text.h"
#include "intent/time_words.h"

namespace deputy::intent {

namespace {

using namespace std::chrono_literals;
using std::chrono::days;

constexpr auto kOldest = days(3650);
constexpr auto kAtSide = 15min;
constexpr auto kAroundSide = 30min;
constexpr std::size_t kLongestDescription = 100;

constexpr std::string_view kSince[] = {"since", "after", "starting", "seit"};
constexpr std::string_view kLast[] = {"last", "past", "previous", "latest", "letzte", "letzten"};
constexpr std::string_view kUntil[] = {"to", "until", "till", "through", "and"};
constexpr std::string_view kAround[] = {"around", "about", "near", "circa", "roughly", "approximately", "approx"};
constexpr std::string_view kComing[] = {"next", "by", "every", "each", "coming", "until", "till"};
// A clock time behind one of these is a plan, not the past.
constexpr std::string_view kPlanned[] = {"schedule", "scheduled", "remind",    "reminder", "tomorrow",
                                         "will",     "cron",      "daily",     "every",    "each",
                                         "nightly",  "weekly",    "tomorrows", "next"};

/// One moment or one span, as it stands in "since …", "between … and …".
struct Point {
  Span span;
  std::size_t next = 0;
  bool moment = false;       // a clock time: the span is empty
  bool without_day = false;  // a clock time of some day
  std::chrono::milliseconds time_of_day{};
  LocalDay day{};
};

struct Found {
  Span span;
  std::size_t next = 0;
};

class TimeReader {
 public:
  TimeReader(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims)
      : tokens_(tokens), claims_(claims), calendar_(vocabulary) {}

  TimeRange read(Claims& claims) const {
    TimeRange range;
    std::optional<Found> weak;
    std::size_t weak_at = 0;
    std::size_t planned_until = 0;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (one_of(tokens_[at].lower, kPlanned)) planned_until = at + 6;
      if (claims_[at] || tokens_.tied_before(at)) continue;
      const bool planned = at < planned_until;
      if (const auto found = strong(at, planned); found && take(*found, at, range, claims)) return range;
      if (!weak && !planned) {
        weak = bare(at);
        weak_at = at;
      }
    }
    if (weak) take(*weak, weak_at, range, claims);
    return range;
  }

 private:
  // What lies ahead is cut off; what is only ahead, or too long ago to be meant, is no time at all.
  bool take(Found found, std::size_t at, TimeRange& range, Claims& claims) const {
    const Timestamp now = calendar_.now();
    if (found.span.from >= now || found.span.from < now - kOldest) return false;
    found.span.to = std::min(found.span.to, now);
    if (found.span.to < found.span.from) return false;
    range.from = found.span.from;
    range.to = found.span.to;
    range.hours_back =
        std::max(1, static_cast<int>(std::chrono::ceil<std::chrono::hours>(now - found.span.from).count()));
    range.description = cut_characters(tokens_.text(at, found.next), kLongestDescription);
    for (std::size_t i = at; i < found.next; ++i) claims[i] = true;
    return true;
  }

  std::optional<Found> strong(std::size_t at, bool planned) const {
    const std::string_view word = tokens_[at].lower;
    if (one_of(word, kSince)) return since(at);
    if (word == "between" || word == "from") return between(at, std::nullopt);
    if (one_of(word, kLast)) {
      if (const auto rolling = last_amount(at)) return rolling;
    }
    if (word == "for") return lasting(at);
    if ((one_of(word, kAround) || tokens_[at].is_symbol('~')) && !planned) {
      return window(tokens_[at + 1].is("at") ? at + 2 : at + 1, kAroundSide);
    }
    if (word == "at" && !planned) {
      const bool around = one_of(tokens_[at + 1].lower, kAround);
      return window(around ? at + 2 : at + 1, around ? std::chrono::minutes(kAroundSide) : kAtSide);
    }
    if (word == "before" || word == "until") return before(at);
    if (one_of(tokens_[at - 1].lower, kComing)) return std::nullopt;
    if (word == "the" && one_of(tokens_[at + 1].lower, kLast)) return std::nullopt;  // "the last week" rolls
    const bool on = word == "on";
    const auto found = point(on ? at + 1 : at, on);
    if (!found || (found->moment && (found->without_day || planned))) return std::nullopt;
    return spread(*found);
  }

  // A day, or a clock time of a day; the day may go on: "yesterday between 14:00 and 15:30".
  std::optional<Found> spread(const Point& found) const {
    if (found.moment) {
      if (const auto range = until(found)) return range;
      return Found{{found.span.from - kAtSide, found.span.to + kAtSide}, found.next};
    }
    if (found.day != LocalDay{} && (tokens_[found.next].is("between") || tokens_[found.next].is("from"))) {
      if (const auto narrower = between(found.next, found.day)) return narrower;
    }
    if (const auto range = until(found)) return range;
    return Found{found.span, found.next};
  }

  // "2026-11-01 to 2026-11-03", "14:00-15:30" behind a first point.
  std::optional<Found> until(const Point& first) const {
    const bool dash = tokens_[first.next].is_symbol('-');
    if (!dash && !one_of(tokens_[first.next].lower, kUntil)) return std::nullopt;
    if (tokens_[first.next].is("and")) return std::nullopt;
    const auto second = point(first.next + 1, true);
    if (!second || second->moment != first.moment) return std::nullopt;
    return pair(first, *second);
  }

  std::optional<Found> pair(Point first, Point second) const {
    if (first.moment && second.moment && first.without_day != second.without_day) {
      if (first.without_day) first = on_day(first, second.day);
      if (second.without_day) second = on_day(second, first.day);
    }
    // Over midnight, or not ended yet.
    if (first.moment && second.moment && second.span.from < first.span.from) {
      const int over_midnight = second.time_of_day < first.time_of_day ? 1 : 0;
      if (second.without_day) {
        second = on_day(second, first.day + days(over_midnight));
      } else if (first.without_day) {
        first = on_day(first, second.day - days(over_midnight));
      }
    }
    const Timestamp end = second.moment ? second.span.from : second.span.to;
    if (end < first.span.from) return std::nullopt;
    return Found{{first.span.from, end}, second.next};
  }

  std::optional<Found> since(std::size_t at) const {
    std::size_t start = at + 1;
    if (tokens_[at].is("starting") && !tokens_[start].is("at") && !tokens_[start].is("from")) return std::nullopt;
    if (tokens_[start].is("at") || tokens_[start].is("from") || tokens_[start].is("around")) ++start;
    if (const auto found = point(start, true)) return Found{{found->span.from, calendar_.now()}, found->next};
    const std::size_t amount_at = tokens_[start].is("the") ? start + 1 : start;
    const bool last = one_of(tokens_[amount_at].lower, kLast);
    const auto amount =
        read_amount(tokens_, last ? amount_at + 1 : amount_at, last ? CountNeeded::no : CountNeeded::yes);
    if (!amount || tokens_[at].is("after")) return std::nullopt;
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  // "between 2 and 4 am", "from 11 to 1 pm": the half of the day is said once, behind.
  std::optional<Point> hour_of_a_half(std::size_t at) const {
    const std::string_view word = tokens_[at].lower;
    const bool goes_on = tokens_[at + 1].is_symbol('-') || one_of(tokens_[at + 1].lower, kUntil);
    if (!all_digits(word) || word.size() > 2 || !goes_on) return std::nullopt;
    const auto second = read_clock(tokens_, at + 2);
    if (!second) return std::nullopt;
    const std::string_view half = tokens_[second->next - 1].lower;
    if (!half.ends_with("am") && !half.ends_with("pm")) return std::nullopt;
    const auto hour = std::chrono::hours(word.size() == 1 ? word[0] - '0' : (word[0] - '0') * 10 + word[1] - '0');
    if (hour < 1h || hour > 12h) return std::nullopt;
    const std::chrono::milliseconds morning = hour % 12h;
    const bool afternoon = second->time_of_day >= 12h && morning + 12h <= second->time_of_day;
    auto end = point(at + 2, true);
    if (!end || !end->moment) return std::nullopt;
    end->time_of_day = afternoon ? morning + 12h : morning;
    Point first = on_day(*end, end->day);
    first.next = at + 1;
    return first;
  }

  std::optional<Found> between(std::size_t at, std::optional<LocalDay> day) const {
    auto first = point(at + 1, true);
    if (!first) first = hour_of_a_half(at + 1);
    if (!first) return std::nullopt;
    if (day && first->without_day) first = on_day(*first, *day);
    const bool dash = tokens_[first->next].is_symbol('-');
    if (dash || one_of(tokens_[first->next].lower, kUntil)) {
      std::size_t second_at = first->next + 1;
      if (tokens_[second_at].is("about") || tokens_[second_at].is("around")) ++second_at;
      if (const auto second = point(second_at, true)) return pair(*first, *second);
    }
    if (tokens_[at].is("between")) return std::nullopt;
    if (first->moment) return Found{{first->span.from, calendar_.now()}, first->next};  // "from 14:00"
    return Found{first->span, first->next};                                             // "logs from yesterday"
  }

  std::optional<Found> last_amount(std::size_t at) const {
    if (weekday_number(tokens_[at + 1].lower, true) != 0) return std::nullopt;
    const auto amount = read_amount(tokens_, at + 1, CountNeeded::no);
    if (!amount) return std::nullopt;
    // "last week" is the one before this; "in the last week" and "past week" are seven days.
    const bool counted = amount->next != at + 2 || amount->compact;
    const bool rolling = !tokens_[at].is("last") || counted || amount->unit < Unit::week || tokens_[at - 1].is("the");
    if (!rolling) return std::nullopt;
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  // "it has been down for two hours"; not "silence it for two hours".
  std::optional<Found> lasting(std::size_t at) const {
    static constexpr std::string_view kUntilNow[] = {"been", "has", "have", "down", "failing", "broken", "was", "were"};
    bool until_now = false;
    for (std::size_t back = 1; back <= 8 && back <= at; ++back) {
      until_now = until_now || one_of(tokens_[at - back].lower, kUntilNow);
      if (tokens_.sentence_starts(at - back)) break;
    }
    const auto amount = until_now ? read_amount(tokens_, at + 1, CountNeeded::yes) : std::nullopt;
    if (!amount) return std::nullopt;
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  std::optional<Found> window(std::size_t at, std::chrono::minutes side) const {
    const auto found = point(at, false);
    if (!found || !found->moment) return std::nullopt;
    return Found{{found->span.from - side, found->span.to + side}, found->next};
  }

  std::optional<Found> before(std::size_t at) const {
    const auto found = point(at + 1, false);
    if (!found || !found->moment) return std::nullopt;
    const LocalDay day = std::chrono::floor<days>(calendar_.to_local(found->span.from));
    return Found{{calendar_.to_utc(LocalTime(day)), found->span.from}, found->next};
  }

  // Signs too slight to count beside others: "errors 14:00", "14:00-15:30", "logs 5m".
  std::optional<Found> bare(std::size_t at) const {
    if (const auto clock = read_clock(tokens_, at)) {
      if (tokens_[clock->next].is("tomorrow")) return std::nullopt;
      const auto found = point(at, false);
      if (!found) return std::nullopt;
      return spread(*found);
    }
    static constexpr std::string_view kData[] = {"errors", "logs",   "log",     "error",
                                                 "events", "alarms", "metrics", "exceptions"};
    const bool ends = at + 1 == tokens_.size();
    static constexpr std::string_view kMeasure[] = {"of",   "to",   "every", "after", "timeout", "ttl",   "by",
                                                    "than", "over", "under", "is",    "took",    "takes", "least",
                                                    "most", "in",   "at",    "and",   "with"};
    const Token& before = tokens_[at - 1];
    if (!one_of(before.lower, kData) && (!ends || !before.is_word() || one_of(before.lower, kMeasure)))
      return std::nullopt;
    const auto amount = read_amount(tokens_, at, CountNeeded::yes);
    if (!amount || !amount->compact || (tokens_[amount->next].is_word() && !tokens_[amount->next].is("in"))) {
      return std::nullopt;
    }
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  Point of_span(Span span, std::size_t next, LocalDay day = {}) const {
    return {.span = span, .next = next, .moment = false, .without_day = false, .time_of_day = {}, .day = day};
  }
  Point of_moment(Timestamp at, std::size_t next) const {
    const LocalTime local = calendar_.to_local(at);
    const LocalDay day = std::chrono::floor<days>(local);
    return {.span = {at, at},
            .next = next,
            .moment = true,
            .without_day = false,
            .time_of_day = local - LocalTime(day),
            .day = day};
  }
  Point on_day(const Point& clock, LocalDay day) const {
    Point point = of_moment(calendar_.to_utc(LocalTime(day) + clock.time_of_day), clock.next);
    point.without_day = clock.without_day;
    return point;
  }
  Point clock_on(const ClockTime& clock, LocalDay day, std::size_t next) const {
    if (clock.utc_offset) {
      const Timestamp as_if_utc(LocalTime(day).time_since_epoch() + clock.time_of_day);
      return of_moment(as_if_utc - *clock.utc_offset, next);
    }
    return of_moment(calendar_.to_utc(LocalTime(day) + clock.time_of_day), next);
  }

  /// `led`: a word such as "on" or "since" before it says that a time follows, so that short names of days count.
  std::optional<Point> point(std::size_t at, bool led) const {
    if (tokens_[at].is("the") || (led && tokens_[at].is("on"))) ++at;
    if (tokens_[at].is("now") && led) return of_moment(calendar_.now(), at + 1);
    if (const auto date = read_date(tokens_, at, calendar_.today())) {
      if (date->time) return clock_on(*date->time, date->day, date->next);
      return within_day(date->day, date->next);
    }
    if (const auto ago = amount_ago(at)) return ago;
    if (const auto named = named_span(at)) return named;
    if (const auto day = named_day(at, led)) return within_day(day->day, day->next);
    const auto clock = read_clock(tokens_, at);
    if (!clock) return std::nullopt;
    const std::size_t day_at = tokens_[clock->next].is("on") ? clock->next + 1 : clock->next;
    if (tokens_[day_at].is("tomorrow")) return std::nullopt;
    if (const auto day = named_day(day_at, true)) return clock_on(*clock, day->day, day->next);
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
  std::optional<Point> within_day(LocalDay day, std::size_t next) const {
    if (const auto part = part_of_day(tokens_[next].lower)) {
      return of_span({calendar_.to_utc(LocalTime(day) + part->first), calendar_.to_utc(LocalTime(day) + part->second)},
                     next + 1);
    }
    const bool at = tokens_[next].is("at") || one_of(tokens_[next].lower, kAround) || tokens_[next].is_symbol(',');
    if (const auto clock = read_clock(tokens_, at ? next + 1 : next)) return clock_on(*clock, day, clock->next);
    return of_span(calendar_.days(day, 1), next, day);
  }

  std::optional<Point> amount_ago(std::size_t at) const {
    const auto amount = read_amount(tokens_, at, CountNeeded::yes);
    if (!amount || !tokens_[amount->next].is("ago")) return std::nullopt;
    const Timestamp then = calendar_.now() - amount->duration;
    if (amount->unit >= Unit::day) {  // "three days ago" is that day
      const LocalDay day = std::chrono::floor<days>(calendar_.to_local(then));
      return of_span(calendar_.days(day, 1), amount->next + 1, day);
    }
    return of_span({then, calendar_.now()}, amount->next + 1);
  }

  using PartOfDay = std::pair<std::chrono::hours, std::chrono::hours>;
  static std::optional<PartOfDay> part_of_day(std::string_view word) {
    if (word == "morning") return PartOfDay{6h, 12h};
    if (word == "afternoon") return PartOfDay{12h, 18h};
    if (word == "evening") return PartOfDay{18h, 24h};
    if (word == "night") return PartOfDay{18h, 30h};
    return std::nullopt;
  }

  // "this morning", "last night", "last week", "over the weekend".
  std::optional<Point> named_span(std::size_t at) const {
    const bool last = tokens_[at].is("last");
    const bool current = tokens_[at].is("this");
    const LocalDay today = calendar_.today();
    const LocalDay monday = calendar_.monday_of(today);
    const auto hours = [&](LocalDay day, PartOfDay part, std::size_t next) {
      return of_span({calendar_.to_utc(LocalTime(day) + part.first), calendar_.to_utc(LocalTime(day) + part.second)},
                     next);
    };
    if (tokens_[at].is("tonight")) return hours(today, {18h, 24h}, at + 1);
    if (tokens_[at].is("overnight")) return hours(today - days(1), {18h, 30h}, at + 1);
    if (tokens_[at].is("weekend")) return weekend(0, at + 1);
    if (!last && !current) return std::nullopt;
    const std::string_view what = tokens_[at + 1].lower;
    if (std::optional<PartOfDay> part = part_of_day(what)) {
      if (last && (what == "night" || what == "evening")) return hours(today - days(1), *part, at + 2);
      if (current) {
        if (part->first > calendar_.time_of_day()) part->first = 0h;  // before six it is morning already
        return hours(today, *part, at + 2);
      }
    }
    if (what == "week") return of_span(calendar_.days(last ? monday - days(7) : monday, 7), at + 2);
    if (what == "weekend") return weekend(last ? 1 : 0, at + 2);
    if (what == "month") {
      const std::chrono::year_month_day date(today);
      const auto month = date.year() / date.month() - std::chrono::months(last ? 1 : 0);
      const LocalDay first(month / std::chrono::day(1));
      const LocalDay end((month + std::chrono::months(1)) / std::chrono::day(1));
      return of_span(calendar_.days(first, static_cast<int>((end - first).count())), at + 2);
    }
    return std::nullopt;
  }

  // The latest that has begun; the last one has ended.
  std::optional<Point> weekend(int ended, std::size_t next) const {
    const LocalDay today = calendar_.today();
    LocalDay saturday = calendar_.latest(std::chrono::Saturday, today);
    if (ended != 0 && today - saturday < days(2)) saturday -= days(7);
    return of_span(calendar_.days(saturday, 2), next, saturday);
  }

  struct Day {
    LocalDay day;
    std::size_t next;
  };
  std::optional<Day> named_day(std::size_t at, bool led) const {
    const LocalDay today = calendar_.today();
    const std::string_view word = tokens_[at].lower;
    if (word == "today" || word == "heute") return Day{today, at + 1};
    if (word == "yesterday" || word == "gestern" || word == "yesterdays") return Day{today - days(1), at + 1};
    if (word == "day" && tokens_[at + 1].is("before") && tokens_[at + 2].is("yesterday"))
      return Day{today - days(2), at + 3};
    const bool last = word == "last";
    const unsigned number = weekday_number(last ? tokens_[at + 1].lower : word, led || last);
    if (number == 0) return std::nullopt;
    return Day{calendar_.latest(std::chrono::weekday(number), last ? today - days(1) : today), at + (last ? 2 : 1)};
  }

  const Tokens& tokens_;
  const Claims& claims_;
  Calendar calendar_;
};

}  // namespace

TimeRange find_time_range(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  return TimeReader(tokens, vocabulary, claims).read(claims);
}

}  // namespace deputy::intent
