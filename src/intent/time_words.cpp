#include "intent/time_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::int64_t kMostUnits = 10'000'000;
constexpr milliseconds kLongest = 24h * 36'500;

struct UnitName {
  std::string_view name;
  Unit unit;
  milliseconds length;
};
constexpr std::array<UnitName, 30> kUnits{{
    {"m", Unit::minute, 1min},      {"min", Unit::minute, 1min},      {"mins", Unit::minute, 1min},
    {"minute", Unit::minute, 1min}, {"minutes", Unit::minute, 1min},  {"minuten", Unit::minute, 1min},
    {"s", Unit::minute, 1s},        {"sec", Unit::minute, 1s},        {"secs", Unit::minute, 1s},
    {"second", Unit::minute, 1s},   {"seconds", Unit::minute, 1s},    {"h", Unit::hour, 1h},
    {"hr", Unit::hour, 1h},         {"hrs", Unit::hour, 1h},          {"hour", Unit::hour, 1h},
    {"hours", Unit::hour, 1h},      {"stunde", Unit::hour, 1h},       {"stunden", Unit::hour, 1h},
    {"d", Unit::day, 24h},          {"day", Unit::day, 24h},          {"days", Unit::day, 24h},
    {"tag", Unit::day, 24h},        {"tage", Unit::day, 24h},         {"w", Unit::week, 24h * 7},
    {"wk", Unit::week, 24h * 7},    {"week", Unit::week, 24h * 7},    {"weeks", Unit::week, 24h * 7},
    {"wks", Unit::week, 24h * 7},   {"month", Unit::month, 24h * 30}, {"months", Unit::month, 24h * 30},
}};

const UnitName* unit_named(std::string_view name) {
  for (const UnitName& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::size_t leading_digits(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  return digits;
}

/// The digits in front of `text`, at most `most` of them, taken off it.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  const std::size_t digits = leading_digits(text);
  if (digits < least || digits > most) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

/// A number of any length, as far as it matters.
std::optional<std::int64_t> take_any_number(std::string_view& text) {
  const std::size_t digits = leading_digits(text);
  if (digits == 0) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text.substr(0, digits)) value = std::min(value * 10 + (c - '0'), kMostUnits + 1);
  text.remove_prefix(digits);
  return value;
}

/// `hundredths` of a unit; more units than anybody means are as long as can be.
milliseconds times(milliseconds unit, std::int64_t hundredths) {
  if (hundredths > kMostUnits * 100) return kLongest;
  return std::min(unit * hundredths / 100, kLongest);
}

/// "2h", "90min", "1h30m": a word that is an amount of time.
std::optional<Amount> read_compact(std::string_view word, std::size_t next) {
  Amount amount{0ms, Unit::minute, true, next};
  if (word.empty()) return std::nullopt;
  while (!word.empty()) {
    const auto number = take_any_number(word);
    const std::size_t letters = std::min(word.find_first_of("0123456789"), word.size());
    const UnitName* unit = unit_named(word.substr(0, letters));
    if (!number || unit == nullptr) return std::nullopt;
    amount.duration = std::min(amount.duration + times(unit->length, *number * 100), kLongest);
    amount.unit = std::max(amount.unit, unit->unit);
    word.remove_prefix(letters);
  }
  return amount;
}

struct Zone {
  std::string_view name;
  std::chrono::seconds utc_offset;
};
constexpr std::array<Zone, 16> kZones{{{"utc", 0h},
                                       {"gmt", 0h},
                                       {"z", 0h},
                                       {"cet", 1h},
                                       {"cest", 2h},
                                       {"bst", 1h},
                                       {"eet", 2h},
                                       {"eest", 3h},
                                       {"est", -5h},
                                       {"edt", -4h},
                                       {"cst", -6h},
                                       {"cdt", -5h},
                                       {"mst", -7h},
                                       {"mdt", -6h},
                                       {"pst", -8h},
                                       {"pdt", -7h}}};

std::optional<std::chrono::seconds> zone_named(std::string_view name) {
  for (const Zone& zone : kZones) {
    if (zone.name == name) return zone.utc_offset;
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};

unsigned month_number(std::string_view word) {
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    if (word == kMonths[i] || (word.size() == 3 && kMonths[i].starts_with(word))) return i + 1;
  }
  return word == "sept" ? 9 : 0;
}

std::optional<LocalDay> make_day(int year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!date.ok() || year < 1970 || year > 2200) return std::nullopt;
  return LocalDay(date);
}

/// "3", "3rd" as the day of a month.
std::optional<unsigned> day_of_month(std::string_view word) {
  const auto day = take_number(word, 1, 2);
  static constexpr std::string_view kEndings[] = {"", "st", "nd", "rd", "th"};
  if (!day || *day < 1 || *day > 31 || !contains(kEndings, word)) return std::nullopt;
  return static_cast<unsigned>(*day);
}

/// The time behind an ISO date: "T14:00", "T14:00:05.123Z", "T14:00+02:00"; a space may stand for the T.
std::optional<ClockTime> take_iso_time(std::string_view& text) {
  std::string_view rest = text;
  if (rest.empty() || (rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ')) return std::nullopt;
  rest.remove_prefix(1);
  const auto two_digits = [&rest](char before) -> std::optional<int> {
    if (before != 0 && !rest.starts_with(before)) return std::nullopt;
    std::string_view digits = rest.substr(before != 0 ? 1 : 0);
    const auto number = take_number(digits, 2, 2);
    if (number) rest = digits;
    return number;
  };
  const auto hour = two_digits(0);
  if (!hour || *hour > 23) return std::nullopt;
  const auto minute = two_digits(':');
  if (!minute || *minute > 59) return std::nullopt;
  const int second = two_digits(':').value_or(0);
  if (second > 59) return std::nullopt;
  ClockTime time{std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(second), {}, 0};
  if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && leading_digits(rest.substr(1)) > 0) {
    rest.remove_prefix(1 + leading_digits(rest.substr(1)));
  }
  if (rest.starts_with('Z') || rest.starts_with('z')) {
    time.utc_offset = 0s;
    rest.remove_prefix(1);
  } else if (rest.starts_with('+') || rest.starts_with('-')) {
    const int sign = rest[0] == '+' ? 1 : -1;
    const std::string_view before = rest;
    rest.remove_prefix(1);
    const auto hours = two_digits(0);
    auto minutes = two_digits(':');
    if (!minutes) minutes = two_digits(0);
    if (hours && *hours <= 14) {
      time.utc_offset = sign * (std::chrono::hours(*hours) + std::chrono::minutes(minutes.value_or(0)));
    } else {
      rest = before;
    }
  }
  text = rest;
  return time;
}

std::optional<Date> read_iso_date(const Tokens& tokens, std::size_t at) {
  if (!all_digits(tokens[at].lower) || tokens[at].lower.size() != 4 || !tokens.joined(at)) return std::nullopt;
  const std::string_view whole = tokens.rest_from(at);
  std::string_view rest = whole;
  const auto part = [&rest]() -> std::optional<int> {
    if (!rest.starts_with('-') && !rest.starts_with('/')) return std::nullopt;
    rest.remove_prefix(1);
    return take_number(rest, 1, 2);
  };
  const auto year = take_number(rest, 4, 4);
  const auto month = part();
  const auto day = month ? part() : std::nullopt;
  if (!year || !month || !day) return std::nullopt;
  const auto local = make_day(*year, static_cast<unsigned>(*month), static_cast<unsigned>(*day));
  if (!local) return std::nullopt;
  Date date{*local, take_iso_time(rest), at};
  const char* end = rest.data();
  while (tokens[date.next].kind != TokenKind::end && tokens[date.next].text.data() < end) ++date.next;
  const std::string_view last = tokens[date.next - 1].text;
  if (last.data() + last.size() != end) return std::nullopt;  // it goes on: no date
  if (date.time) {
    if (const auto zone = zone_named(tokens[date.next].lower); zone && !date.time->utc_offset) {
      date.time->utc_offset = zone;
      ++date.next;
    }
    date.time->next = date.next;
  }
  return date;
}

struct MonthAndDay {
  unsigned month = 0;
  unsigned day = 0;
  std::size_t next = 0;
};

/// "Nov 3", "3rd of November".
std::optional<MonthAndDay> read_month_and_day(const Tokens& tokens, std::size_t at) {
  unsigned month = month_number(tokens[at].lower);
  std::optional<unsigned> day;
  std::size_t next = at + 2;
  if (month != 0) {
    day = day_of_month(tokens[at + 1].lower);
  } else if (day = day_of_month(tokens[at].lower); day) {
    const std::size_t month_at = tokens[at + 1].is("of") ? at + 2 : at + 1;
    month = month_number(tokens[month_at].lower);
    next = month_at + 1;
  }
  if (!day || month == 0) return std::nullopt;
  return MonthAndDay{month, *day, next};
}

std::optional<Date> read_named_date(const Tokens& tokens, std::size_t at, LocalDay today) {
  const auto named = read_month_and_day(tokens, at);
  if (!named) return std::nullopt;
  const std::size_t year_at = tokens[named->next].is_symbol(',') ? named->next + 1 : named->next;
  if (all_digits(tokens[year_at].lower) && tokens[year_at].lower.size() == 4 &&
      tokens[year_at].lower.starts_with("20")) {
    std::string_view digits = tokens[year_at].lower;
    const auto year = take_number(digits, 4, 4);
    const auto local = year ? make_day(*year, named->month, named->day) : std::nullopt;
    if (!local) return std::nullopt;
    return Date{*local, std::nullopt, year_at + 1, true};
  }
  constexpr int kLeapYears = 8;  // a 29th of February is at most so far away
  const int this_year = static_cast<int>(std::chrono::year_month_day(today).year());
  for (int back = 0; back <= kLeapYears; ++back) {
    const auto local = make_day(this_year - back, named->month, named->day);
    if (local && *local <= today) return Date{*local, std::nullopt, named->next, false};
  }
  return std::nullopt;
}

/// As read_count, and a number of more digits as more than anybody means.
std::optional<Count> read_any_count(const Tokens& tokens, std::size_t at) {
  std::string_view digits = tokens[at].lower;
  if (!all_digits(digits)) return read_count(tokens, at);
  return Count{static_cast<int>(take_any_number(digits).value_or(0)), at + 1};
}

}  // namespace

std::optional<Amount> read_amount(const Tokens& tokens, std::size_t at, CountNeeded count_needed) {
  if (const auto compact = read_compact(tokens[at].lower, at + 1)) {
    const auto more = read_compact(tokens[at + 1].lower, at + 2);  // "1h 30m"
    if (more && !tokens[at + 1].glued && more->unit < compact->unit) {
      return Amount{std::min(compact->duration + more->duration, kLongest), compact->unit, true, more->next};
    }
    return compact;
  }
  const bool half = tokens[at].is("half");
  const auto count = half ? std::nullopt : read_any_count(tokens, at);
  std::size_t unit_at = count ? count->next : at;
  if (half) unit_at = tokens[at + 1].is("an") || tokens[at + 1].is("a") ? at + 2 : at + 1;
  if (!count && !half && count_needed == CountNeeded::yes) return std::nullopt;
  std::int64_t hundredths = half ? 50 : count ? std::int64_t{count->value} * 100 : 100;
  if (count && tokens[unit_at].is_symbol('.') && tokens[unit_at].glued && tokens.joined(unit_at)) {
    std::string_view fraction = tokens[unit_at + 1].lower;  // "1.5 hours", "1.5h"
    const std::size_t digits = leading_digits(fraction);
    const auto part = take_number(fraction, 1, 2);
    if (!part) return std::nullopt;
    hundredths += digits == 1 ? *part * 10 : *part;
    if (const UnitName* unit = unit_named(fraction)) {
      return Amount{times(unit->length, hundredths), unit->unit, true, unit_at + 2};
    }
    unit_at += 2;
  } else if (count && tokens[unit_at].is_symbol('-') && tokens[unit_at].glued && tokens.joined(unit_at)) {
    ++unit_at;  // "the last 2-hours"
  }
  const UnitName* unit = tokens[unit_at].line_start && unit_at != at ? nullptr : unit_named(tokens[unit_at].lower);
  if (unit == nullptr || (!count && !half && unit->name.size() < 3)) return std::nullopt;
  return Amount{times(unit->length, hundredths), unit->unit, false, unit_at + 1};
}

std::optional<ClockTime> read_clock(const Tokens& tokens, std::size_t at) {
  const std::string_view word = tokens[at].lower;
  if (word == "noon" || word == "midday") return ClockTime{12h, {}, at + 1};
  if (word == "midnight") return ClockTime{0h, {}, at + 1};
  if (tokens[at].glued && (tokens[at - 1].is_symbol(':') || tokens[at - 1].is_symbol('.'))) return std::nullopt;
  std::string_view rest = word;
  const auto hour = take_number(rest, 1, 2);
  if (!hour) return std::nullopt;
  std::size_t next = at + 1;
  int minute = 0;
  int second = 0;
  bool colon = false;
  while (rest.empty() && tokens[next].is_symbol(':') && tokens[next].glued && tokens.joined(next)) {
    std::string_view part = tokens[next + 1].lower;
    const auto number = take_number(part, 2, 2);
    if (!number || *number > 59) return std::nullopt;
    (colon ? second : minute) = *number;
    const bool third = std::exchange(colon, true);
    rest = part;
    next += 2;
    if (third) break;
  }
  if (rest.empty() && (tokens[next].is("am") || tokens[next].is("pm"))) rest = tokens[next++].lower;
  ClockTime time{0ms, {}, next};
  int hours = *hour;
  if (rest == "am" || rest == "pm") {
    if (hours < 1 || hours > 12) return std::nullopt;
    hours = hours % 12 + (rest == "pm" ? 12 : 0);
  } else if (rest == "z" && colon) {
    time.utc_offset = 0s;
  } else if (!rest.empty() || !colon) {
    return std::nullopt;
  }
  if (hours > 23) return std::nullopt;
  time.time_of_day = std::chrono::hours(hours) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  if (const auto zone = zone_named(tokens[next].lower); zone && !time.utc_offset && tokens[next].is_word()) {
    time.utc_offset = zone;
    ++time.next;
  }
  return time;
}

std::optional<Date> read_date(const Tokens& tokens, std::size_t at, LocalDay today) {
  if (const auto iso = read_iso_date(tokens, at)) return iso;
  return read_named_date(tokens, at, today);
}

std::optional<std::size_t> named_date_end(const Tokens& tokens, std::size_t at) {
  const auto named = read_month_and_day(tokens, at);
  if (!named) return std::nullopt;
  return named->next;
}

unsigned weekday_number(std::string_view word, bool short_names) {
  static constexpr std::array<std::string_view, 7> kDays{"monday", "tuesday",  "wednesday", "thursday",
                                                         "friday", "saturday", "sunday"};
  for (unsigned i = 0; i < kDays.size(); ++i) {
    if (word == kDays[i] || (short_names && word.size() >= 3 && word.size() <= 5 && kDays[i].starts_with(word))) {
      return i + 1;
    }
  }
  return 0;
}

}  // namespace deputy::intent
