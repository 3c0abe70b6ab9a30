#include "intent/times.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "intent/plans.h"
#include "intent/time_points.h"
#include "intent/time_problems.h"
#include "intent/time_words.h"

namespace deputy::intent {

namespace {

using namespace std::chrono_literals;
using std::chrono::days;

constexpr auto kOldest = days(3650);
constexpr auto kAtSide = 15min;
constexpr auto kAroundSide = 30min;
constexpr auto kLongestNight = 20h;
constexpr std::size_t kLongestDescription = 100;

constexpr std::string_view kSince[] = {"since", "after", "starting", "seit"};
constexpr std::string_view kLast[] = {"last", "past", "previous", "latest", "letzte", "letzten"};
constexpr std::string_view kUntil[] = {"to", "until", "till", "through", "and"};
constexpr std::string_view kComing[] = {"next", "by", "every", "each", "coming", "until", "till"};
// A clock time behind one of these is a plan, not the past.
constexpr std::string_view kPlanned[] = {"schedule", "scheduled", "remind",  "reminder", "will",   "cron",
                                         "daily",    "every",     "each",    "nightly",  "weekly", "next",
                                         "expire",   "expires",   "expired", "expiring", "due"};
constexpr std::size_t kMostOfAPlan = 6;  // tokens
// A time to come behind one of these is the question's own.
constexpr std::string_view kLeads[] = {"from", "since", "between", "for", "of", "on", "at"};
constexpr std::string_view kDuring[] = {"in", "within", "over", "during"};

/// Which tokens stand between a pair of double quotes or backticks.
std::vector<bool> find_quoted(const Tokens& tokens) {
  std::vector<bool> quoted(tokens.size(), false);
  std::size_t last_quote = 0;
  std::size_t last_backtick = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].is_symbol('"')) last_quote = at;
    if (tokens[at].is_symbol('`')) last_backtick = at;
  }
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool opens =
        (tokens[at].is_symbol('"') && at < last_quote) || (tokens[at].is_symbol('`') && at < last_backtick);
    if (!opens) continue;
    const char mark = tokens[at].text[0];
    for (++at; !tokens[at].is_symbol(mark); ++at) quoted[at] = true;
  }
  return quoted;
}

/// Whether a clock time may be one of a plan: behind a word such as "scheduled" any is, behind "tomorrow" one of no
/// day.
enum class Planned { none, coming, said };

struct Found {
  Span span;
  std::size_t next = 0;
  std::optional<TimeFault> fault = std::nullopt;  // instead of the span
};

class TimeReader {
 public:
  TimeReader(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims)
      : tokens_(tokens),
        claims_(claims),
        quoted_(find_quoted(tokens)),
        points_(tokens, vocabulary),
        calendar_(points_.calendar()) {}

  TimeRange read(Claims& claims) const {
    TimeRange range;
    std::optional<Told> weak;
    std::optional<Told> no_clock;  // "at 25:00", unless another clause names a time
    std::optional<Told> to_come;   // "errors tomorrow", unless another time is named
    std::size_t planned_until = 0;
    std::size_t coming_until = 0;  // "tomorrow we deploy at 15:00"
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const bool announced = at < planned_until;
      if (contains(kPlanned, tokens_[at].lower)) planned_until = at + kMostOfAPlan;
      if (contains(kData, tokens_[at].lower) || tokens_.sentence_starts(at)) coming_until = 0;
      if (claims_[at] || tokens_.tied_before(at)) continue;
      const Planned plan = at < planned_until ? Planned::said : at < coming_until ? Planned::coming : Planned::none;
      if (const auto found = first_at(at, plan)) {
        const Told told{*found, at};
        const auto fault = fault_of(*found);
        const bool aside = is_aside(told, fault);
        if (fault == TimeFault::not_past || aside) {
          coming_until = found->next + kMostOfAPlan;
          if (!to_come && !aside && is_asked_about(told, announced)) to_come = told;
        } else if (fault == TimeFault::no_such_clock) {
          if (!no_clock) no_clock = told;
        } else {
          if (no_clock && !clause_ends(no_clock->found.next, at)) return tell(*no_clock, range, claims);
          return tell(told, range, claims);
        }
        at = found->next - 1;
      } else if (!weak && plan == Planned::none) {
        if (const auto slight = bare(at)) weak = Told{*slight, at};
      }
    }
    if (no_clock) return tell(*no_clock, range, claims);
    if (weak) return tell(*weak, range, claims);
    if (to_come) return tell(*to_come, range, claims);
    return range;
  }

 private:
  struct Told {
    Found found;
    std::size_t at = 0;
  };

  // "We deploy at 15:00", "the release is on Friday": what could be read as a time behind is one ahead. What lies ahead
  // in any form is somebody's plan in such a clause.
  bool is_aside(const Told& told, std::optional<TimeFault> fault) const {
    static constexpr std::string_view kSpans[] = {"since", "after", "starting", "seit", "between",
                                                  "from",  "for",   "before",   "until"};
    if (fault ? *fault != TimeFault::not_past : says_past(tokens_, told.at, told.found.next)) return false;
    const std::string_view word = tokens_[told.at].lower;
    return !contains(kSpans, word) && !contains(kLast, word) && is_of_a_plan(tokens_, told.at, told.found.next);
  }

  // What is to come is asked about in "errors in checkout tomorrow" and in "tomorrow?". In "we go live tomorrow" and
  // "to be fixed before tomorrow" it is an aside. The last zero hours are nobody's future.
  bool is_asked_about(const Told& told, bool announced) const {
    const auto& [found, at] = told;
    if (quoted_[at]) return false;
    if (contains(kLast, tokens_[at].lower)) return true;
    if (announced) return false;
    if (contains(kLeads, tokens_[at].lower)) return true;
    const std::size_t behind = found.next + (tokens_[found.next].is_symbol('\'') ? 2 : 0);  // "tomorrow's errors"
    if (contains(kData, tokens_[behind].lower)) return true;
    if (tokens_.sentence_starts(at)) return is_whole(found.next);
    const std::size_t before = at - (tokens_[at - 1].is("the") ? 2 : 1);
    if (before >= tokens_.size()) return is_whole(found.next);  // "the next 2 hours"
    if (contains(kDuring, tokens_[before].lower)) return is_behind_data(before);
    return contains(kLeads, tokens_[before].lower) || contains(kData, tokens_[before].lower) || claims_[before];
  }

  // "errors in the next 2 hours", "errors in checkout prod in the next hour"; not "it is deployed in the next hour".
  bool is_behind_data(std::size_t at) const {
    while (at > 0 && !tokens_.sentence_starts(at) && (claims_[at - 1] || contains(kDuring, tokens_[at - 1].lower)))
      --at;
    return at > 0 && contains(kData, tokens_[at - 1].lower);
  }

  // A sentence that began with a time says nothing more: at most "please" or "in prod".
  bool is_whole(std::size_t next) const {
    if (next >= tokens_.size() || tokens_.sentence_starts(next) || tokens_[next].is("please")) return true;
    if (tokens_[next].is("in")) return next + 1 < tokens_.size() && claims_[next + 1];
    return tokens_[next].kind == TokenKind::symbol && std::string_view(".!?;").contains(tokens_[next].text[0]);
  }

  // Another clause begins behind `first`, before `last`.
  bool clause_ends(std::size_t first, std::size_t last) const {
    for (std::size_t at = first; at <= last; ++at) {
      if (tokens_[at].is_symbol(',') || tokens_.sentence_starts(at)) return true;
    }
    return false;
  }

  // A time, or what has the form of one.
  std::optional<Found> first_at(std::size_t at, Planned plan) const {
    // What logs are searched for is not when.
    const auto problem = quoted_[at] ? std::nullopt : find_time_problem(tokens_, at, calendar_.today());
    if (problem) return Found{{}, problem->next, problem->fault};
    std::optional<Found> found = strong(at, plan);
    if (!found || found->fault) return found;
    // "Yesterday at 25:00" is not all of yesterday.
    if (const auto rest = goes_on_with(found->next)) return Found{{}, rest->next, TimeFault::not_readable};
    return found;
  }

  // What cannot be read behind a time, as far as words that join times go.
  std::optional<TimeProblem> goes_on_with(std::size_t at) const {
    static constexpr std::string_view kJoints[] = {"at", "from", "between", "around", "on", "about"};
    constexpr std::size_t kMostBehind = 10;  // tokens
    for (const std::size_t last = at + kMostBehind; at < last; ++at) {
      const auto problem = find_time_problem(tokens_, at, calendar_.today(), Behind::a_day);
      if (problem && problem->fault != TimeFault::not_past) return problem;
      const bool figures = all_digits(tokens_[at].lower) || tokens_[at].is_symbol(':') || tokens_[at].is_symbol('-');
      if (!figures && !contains(kJoints, tokens_[at].lower) && !contains(kUntil, tokens_[at].lower))
        return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<TimeFault> fault_of(const Found& found) const {
    if (found.fault) return found.fault;
    const Timestamp now = calendar_.now();
    if (found.span.from >= now) return TimeFault::not_past;
    if (found.span.from < now - kOldest) return TimeFault::too_long_ago;
    if (found.span.to < found.span.from) return TimeFault::ends_before_it_begins;
    return std::nullopt;
  }

  // What lies ahead is cut off.
  TimeRange tell(const Told& told, TimeRange range, Claims& claims) const {
    const Timestamp now = calendar_.now();
    const std::string_view words = tokens_.text(told.at, told.found.next);
    for (std::size_t at = told.at; at < told.found.next && at < claims.size(); ++at) claims[at] = true;
    if (const auto fault = fault_of(told.found)) {
      range.problem = in_words(*fault, words);
      return range;
    }
    range.from = told.found.span.from;
    range.to = std::min(told.found.span.to, now);
    range.hours_back = std::max(1, static_cast<int>(std::chrono::ceil<std::chrono::hours>(now - *range.from).count()));
    range.description = cut_characters(words, kLongestDescription);
    return range;
  }

  std::optional<Found> strong(std::size_t at, Planned plan) const {
    const bool planned = plan != Planned::none;
    const std::string_view word = tokens_[at].lower;
    if (contains(kSince, word)) return since(at);
    if (word == "between" || word == "from") return between(at, std::nullopt);
    if (contains(kLast, word)) {
      if (const auto rolling = last_amount(at)) return rolling;
    }
    if (word == "for") return lasting(at);
    if ((contains(kAround, word) || tokens_[at].is_symbol('~')) && !planned) {
      return window(tokens_[at + 1].is("at") ? at + 2 : at + 1, kAroundSide);
    }
    if (word == "at" && !planned) {
      const bool around = contains(kAround, tokens_[at + 1].lower);
      return window(around ? at + 2 : at + 1, around ? std::chrono::minutes(kAroundSide) : kAtSide);
    }
    if (word == "before" || word == "until") return before(at);
    if (contains(kComing, tokens_[at - 1].lower)) return std::nullopt;
    if (word == "the" && contains(kLast, tokens_[at + 1].lower)) return std::nullopt;  // "the last week" rolls
    const bool on = word == "on";
    const auto found = points_.read(on ? at + 1 : at, on ? Led::yes : Led::no);
    if (!found || (found->moment && (found->without_day || plan == Planned::said))) return std::nullopt;
    if (plan == Planned::coming && is_clock_alone(at, *found)) return std::nullopt;
    return spread(*found);
  }

  // "15:00 UTC", of no day.
  bool is_clock_alone(std::size_t at, const Point& found) const {
    const auto clock = read_clock(tokens_, at);
    return clock && clock->next == found.next;
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
    if (!dash && !contains(kUntil, tokens_[first.next].lower)) return std::nullopt;
    if (tokens_[first.next].is("and")) return std::nullopt;
    const auto second = points_.read(first.next + 1, Led::yes);
    if (!second || second->moment != first.moment) return std::nullopt;
    return pair(first, *second);
  }

  Found pair(Point first, Point second) const {
    const bool clocks = first.moment && second.moment;
    if (clocks && first.without_day != second.without_day) {
      if (first.without_day) first = points_.on_day(first, second.day);
      if (second.without_day) second = points_.on_day(second, first.day);
    }
    const bool over_midnight =
        clocks && (first.without_day || second.without_day) && second.time_of_day < first.time_of_day;
    // Over midnight, or not ended yet.
    if (clocks && second.span.from < first.span.from) {
      if (second.without_day) {
        second = points_.on_day(second, first.day + days(over_midnight ? 1 : 0));
      } else if (first.without_day) {
        first = points_.on_day(first, second.day - days(over_midnight ? 1 : 0));
      }
    }
    // "From Monday to Friday", said on a Wednesday.
    if (second.span.to <= first.span.from && second.repeats != Repeats::no) second = points_.once_more(second);
    const Timestamp end = second.moment ? second.span.from : second.span.to;
    // From ten to nine is nearly a day: more likely than that is a slip. To midnight is none.
    const bool slip = over_midnight && second.time_of_day > 0ms && end - first.span.from > kLongestNight;
    if (end <= first.span.from || slip) {
      return {{}, second.next, TimeFault::ends_before_it_begins};
    }
    return {{first.span.from, end}, second.next};
  }

  std::optional<Found> since(std::size_t at) const {
    std::size_t start = at + 1;
    if (tokens_[at].is("starting") && !tokens_[start].is("at") && !tokens_[start].is("from")) return std::nullopt;
    if (tokens_[start].is("at") || tokens_[start].is("from") || tokens_[start].is("around")) ++start;
    if (const auto found = points_.read(start, Led::yes))
      return Found{{found->span.from, calendar_.now()}, found->next};
    const std::size_t amount_at = tokens_[start].is("the") ? start + 1 : start;
    const bool last = contains(kLast, tokens_[amount_at].lower);
    const auto amount =
        read_amount(tokens_, last ? amount_at + 1 : amount_at, last ? CountNeeded::no : CountNeeded::yes);
    if (!amount || tokens_[at].is("after")) return std::nullopt;
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  // "between 2 and 4 am", "from 11 to 1 pm": the half of the day is said once, behind.
  std::optional<Point> hour_of_a_half(std::size_t at) const {
    const std::string_view word = tokens_[at].lower;
    const bool goes_on = tokens_[at + 1].is_symbol('-') || contains(kUntil, tokens_[at + 1].lower);
    if (!all_digits(word) || word.size() > 2 || !goes_on) return std::nullopt;
    const auto second = read_clock(tokens_, at + 2);
    if (!second) return std::nullopt;
    const std::string_view half = tokens_[second->next - 1].lower;
    if (!half.ends_with("am") && !half.ends_with("pm")) return std::nullopt;
    const auto hour = std::chrono::hours(word.size() == 1 ? word[0] - '0' : (word[0] - '0') * 10 + word[1] - '0');
    if (hour < 1h || hour > 12h) return std::nullopt;
    const std::chrono::milliseconds morning = hour % 12h;
    const bool afternoon = second->time_of_day >= 12h && morning + 12h <= second->time_of_day;
    auto end = points_.read(at + 2, Led::yes);
    if (!end || !end->moment) return std::nullopt;
    end->time_of_day = afternoon ? morning + 12h : morning;
    Point first = points_.on_day(*end, end->day);
    first.next = at + 1;
    return first;
  }

  std::optional<Found> between(std::size_t at, std::optional<LocalDay> day) const {
    auto first = points_.read(at + 1, Led::yes);
    if (!first) first = hour_of_a_half(at + 1);
    if (!first) return std::nullopt;
    if (day && first->without_day) first = points_.on_day(*first, *day);
    const bool dash = tokens_[first->next].is_symbol('-');
    if (dash || contains(kUntil, tokens_[first->next].lower)) {
      std::size_t second_at = first->next + 1;
      if (tokens_[second_at].is("about") || tokens_[second_at].is("around")) ++second_at;
      if (auto second = points_.read(second_at, Led::yes)) {
        if (day && second->without_day) second = points_.on_day(*second, *day);
        return pair(*first, *second);
      }
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
      until_now = until_now || contains(kUntilNow, tokens_[at - back].lower);
      if (tokens_.sentence_starts(at - back)) break;
    }
    const auto amount = until_now ? read_amount(tokens_, at + 1, CountNeeded::yes) : std::nullopt;
    if (!amount) return std::nullopt;
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  std::optional<Found> window(std::size_t at, std::chrono::minutes side) const {
    const auto found = points_.read(at, Led::no);
    if (!found || !found->moment) return std::nullopt;
    return Found{{found->span.from - side, found->span.to + side}, found->next};
  }

  std::optional<Found> before(std::size_t at) const {
    const auto found = points_.read(at + 1, Led::no);
    if (!found || !found->moment) return std::nullopt;
    const LocalDay day = std::chrono::floor<days>(calendar_.to_local(found->span.from));
    return Found{{calendar_.to_utc(LocalTime(day)), found->span.from}, found->next};
  }

  // Signs too slight to count beside others: "errors 14:00", "14:00-15:30", "logs 5m".
  std::optional<Found> bare(std::size_t at) const {
    if (const auto clock = read_clock(tokens_, at)) {
      const auto found = points_.read(at, Led::no);
      if (!found) return std::nullopt;
      return spread(*found);
    }
    const bool ends = at + 1 == tokens_.size();
    static constexpr std::string_view kMeasure[] = {"of",   "to",   "every", "after", "timeout", "ttl",   "by",
                                                    "than", "over", "under", "is",    "took",    "takes", "least",
                                                    "most", "in",   "at",    "and",   "with"};
    const Token& before = tokens_[at - 1];
    if (!contains(kData, before.lower) && (!ends || !before.is_word() || contains(kMeasure, before.lower)))
      return std::nullopt;
    const auto amount = read_amount(tokens_, at, CountNeeded::yes);
    if (!amount || !amount->compact || (tokens_[amount->next].is_word() && !tokens_[amount->next].is("in"))) {
      return std::nullopt;
    }
    return Found{{calendar_.now() - amount->duration, calendar_.now()}, amount->next};
  }

  const Tokens& tokens_;
  const Claims& claims_;
  std::vector<bool> quoted_;
  PointReader points_;
  const Calendar& calendar_;
};

}  // namespace

TimeRange find_time_range(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  return TimeReader(tokens, vocabulary, claims).read(claims);
}

}  // namespace deputy::intent
