#include "intent/time_words.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace deputy::intent {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds kMaxLength = 24h * 36'525;
constexpr std::int64_t kMaxUnits = 10'000'000;

struct UnitName {
  std::string_view names;  // separated by spaces
  milliseconds length;
};
constexpr UnitName kUnits[] = {{"s sec secs second seconds", 1s}, {"m min mins minute minutes", 1min},
                               {"h hr hrs hour hours", 1h},       {"d day days", 24h},
                               {"w wk wks week weeks", 24h * 7},  {"month months", 24h * 30}};

std::optional<milliseconds> unit_named(std::string_view name) {
  for (const UnitName& unit : kUnits) {
    if (contains(split(unit.names, " "), name)) return unit.length;
  }
  return std::nullopt;
}

/// The number of the name, counted from 1, when the word is the name or its first letters; 0 for none.
unsigned number_of(std::string_view word, std::span<const std::string_view> names, std::size_t longest_short) {
  for (unsigned i = 0; i < names.size(); ++i) {
    const bool is_short = word.size() >= 3 && word.size() <= longest_short && names[i].starts_with(word);
    if (word == names[i] || is_short) return i + 1;
  }
  return 0;
}

/// Removes the digits at the start of `text` and returns their value; very large numbers are capped.
std::optional<std::int64_t> take_any_number(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text.substr(0, digits)) value = std::min(value * 10 + (c - '0'), kMaxUnits + 1);
  text.remove_prefix(digits);
  return value;
}

/// The same, of `least` to `most` digits.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::string_view rest = text;
  const auto number = take_any_number(rest);
  const std::size_t digits = text.size() - rest.size();
  if (!number || digits < least || digits > most) return std::nullopt;
  text = rest;
  return static_cast<int>(*number);
}

milliseconds times(milliseconds unit, std::int64_t count) {
  return count > kMaxUnits ? kMaxLength : std::min(unit * count, kMaxLength);
}

/// "2h", "90min", "1h30m": a word that is an amount of time.
std::optional<Amount> read_compact(std::string_view word, std::size_t next) {
  Amount amount{0ms, false, next};
  if (word.empty()) return std::nullopt;
  while (!word.empty()) {
    const auto number = take_any_number(word);
    const std::size_t letters = std::min(word.find_first_of("0123456789"), word.size());
    const auto unit = unit_named(word.substr(0, letters));
    if (!number || !unit) return std::nullopt;
    amount.duration = std::min(amount.duration + times(*unit, *number), kMaxLength);
    amount.in_days = amount.in_days || *unit >= 24h;
    word.remove_prefix(letters);
  }
  return amount;
}

std::optional<std::chrono::seconds> zone_named(std::string_view name) {
  static constexpr std::pair<std::string_view, std::chrono::seconds> kZones[] = {
      {"utc", 0h},  {"gmt", 0h},  {"z", 0h},    {"cet", 1h},  {"cest", 2h}, {"bst", 1h},
      {"est", -5h}, {"edt", -4h}, {"cst", -6h}, {"cdt", -5h}, {"pst", -8h}, {"pdt", -7h}};
  for (const auto& [zone, offset] : kZones) {
    if (zone == name) return offset;
  }
  return std::nullopt;
}

unsigned month_number(std::string_view word) {
  static constexpr std::string_view kMonths[] = {"january", "february", "march",     "april",   "may",      "june",
                                                 "july",    "august",   "september", "october", "november", "december"};
  return number_of(word, kMonths, 4);
}

std::optional<LocalDay> make_day(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < 1970 || year > 2200) return std::nullopt;
  return LocalDay(date);
}

/// The token after a group of numbers and signs without white space between them.
std::size_t figures_end(const Tokens& tokens, std::size_t at) {
  while (tokens.joined(at)) {
    const Token& next = tokens[at + 1];
    const bool tie = std::string_view("-/.:+").contains(next.text[0]) && tokens.joined(at + 1);
    if (!tie && !next.is_word()) break;
    ++at;
  }
  return at + 1;
}

/// Three numbers joined by the same sign: 2026-11-17, 31.12.2026.
std::optional<std::array<std::string_view, 3>> three_numbers(const Tokens& tokens, std::size_t at) {
  const Token& tie = tokens[at + 1];
  const bool tied = tokens.joined(at) && tokens.joined(at + 1) && tokens.joined(at + 2) && tokens.joined(at + 3);
  if (!tied || !std::string_view("-/.").contains(tie.text[0]) || !tokens[at + 3].is_symbol(tie.text[0])) {
    return std::nullopt;
  }
  const std::string_view last = tokens[at + 4].lower;
  const std::array parts{tokens[at].lower, tokens[at + 2].lower, last.substr(0, last.find('t'))};  // 17T08
  return std::ranges::all_of(parts, all_digits) ? std::optional(parts) : std::nullopt;
}

/// "2026-11-17T08:00", with or without seconds and a time zone.
std::optional<Date> read_iso_moment(const Tokens& tokens, std::size_t at) {
  const std::size_t next = figures_end(tokens, at);
  std::string text(tokens.text(at, next));
  if (text.size() < 16 || (text[10] != 'T' && text[10] != 't')) return std::nullopt;
  text[10] = 'T';
  if (text.size() == 16 || text[16] != ':') text.insert(16, ":00");
  if (text.ends_with('z')) text.back() = 'Z';
  const bool zoned = text.find_first_of("Z+-", 11) != std::string::npos;
  const auto moment = parse_timestamp(zoned ? text : text + "Z");
  if (!moment) return std::nullopt;
  const auto day = std::chrono::floor<std::chrono::days>(*moment);
  const ClockTime time{*moment - day, zoned ? std::optional<std::chrono::seconds>(0s) : std::nullopt, next};
  return Date{LocalDay(day.time_since_epoch()), time, next};
}

std::optional<Date> read_iso_date(const Tokens& tokens, std::size_t at) {
  const auto numbers = three_numbers(tokens, at);
  if (!numbers || numbers->front().size() != 4 || tokens[at + 1].is_symbol('.')) return std::nullopt;
  if (figures_end(tokens, at) != at + 5 || !all_digits(tokens[at + 4].lower)) return read_iso_moment(tokens, at);
  std::array<int, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string_view part = (*numbers)[i];
    values[i] = take_number(part, 1, 4).value_or(0);
  }
  const auto day = make_day(values[0], values[1], values[2]);
  return day ? std::optional(Date{*day, std::nullopt, at + 5}) : std::nullopt;
}

struct MonthAndDay {
  unsigned month = 0;
  int day = 0;
  std::size_t next = 0;
};

/// "Nov 3", "3rd of November".
std::optional<MonthAndDay> read_month_and_day(const Tokens& tokens, std::size_t at) {
  const bool month_first = month_number(tokens[at].lower) != 0;
  const std::size_t month_at = month_first ? at : tokens[at + 1].is("of") ? at + 2 : at + 1;
  const unsigned month = month_number(tokens[month_at].lower);
  std::string_view word = tokens[month_first ? at + 1 : at].lower;
  const auto day = take_number(word, 1, 2);
  static constexpr std::string_view kEndings[] = {"", "st", "nd", "rd", "th"};
  if (month == 0 || !day || *day < 1 || *day > 31 || !contains(kEndings, word)) return std::nullopt;
  return MonthAndDay{month, *day, month_first ? at + 2 : month_at + 1};
}

std::optional<Date> read_named_date(const Tokens& tokens, std::size_t at, LocalDay today) {
  const auto named = read_month_and_day(tokens, at);
  if (!named) return std::nullopt;
  const int month = static_cast<int>(named->month);
  const std::size_t year_at = tokens[named->next].is_symbol(',') ? named->next + 1 : named->next;
  std::string_view digits = tokens[year_at].lower;
  if (all_digits(digits) && digits.size() == 4 && digits.starts_with("20")) {
    const auto local = make_day(take_number(digits, 4, 4).value_or(0), month, named->day);
    if (!local) return std::nullopt;
    return Date{*local, std::nullopt, year_at + 1};
  }
  const int this_year = static_cast<int>(std::chrono::year_month_day(today).year());
  auto local = make_day(this_year, month, named->day);
  if (local && *local > today) local = make_day(this_year - 1, month, named->day);
  if (!local) return std::nullopt;
  return Date{*local, std::nullopt, named->next};
}

/// Three numbers of which the first or the last is a year: 2026-02-30, 31.12.2026, 12/31/2026. 1.2.3456 is a version.
bool has_form_of_date(const Tokens& tokens, std::size_t at) {
  const auto numbers = three_numbers(tokens, at);
  if (!numbers) return false;
  const auto& [first, second, last] = *numbers;
  if (second.size() > 2) return false;
  if (first.size() == 4) return last.size() <= 2 && !tokens[at + 1].is_symbol('.');
  return first.size() <= 2 && last.size() == 4 && (last.starts_with("19") || last.starts_with("20"));
}

/// "25:00", "10:75", "13pm". Above 29 the first number is not an hour but part of a ratio or a port.
bool has_form_of_clock(const Tokens& tokens, std::size_t at) {
  const std::string_view word = tokens[at].lower;
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  if (digits == 0 || digits > 2 || (tokens[at].glued && !tokens[at - 1].is_symbol('-'))) return false;
  const std::string_view rest = word.substr(digits);
  const std::string_view half = rest.empty() ? tokens[at + 1].lower : rest;
  if (half == "am" || half == "pm") return true;
  const Token& minutes = tokens[at + 2];
  return rest.empty() && tokens[at + 1].is_symbol(':') && tokens[at + 1].glued && minutes.glued &&
         all_digits(minutes.lower) && minutes.lower.size() == 2 && (digits == 1 || word <= "29");
}

}  // namespace

std::optional<Amount> read_amount(const Tokens& tokens, std::size_t at, CountNeeded count_needed) {
  if (const auto compact = read_compact(tokens[at].lower, at + 1)) return compact;
  std::string_view digits = tokens[at].lower;
  const auto count = all_digits(digits) ? Count{static_cast<int>(*take_any_number(digits)), at + 1}
                                        : read_count(tokens, at).value_or(Count{0, at});
  const bool counted = count.next != at;
  if (!counted && count_needed == CountNeeded::yes) return std::nullopt;
  const Token& unit_word = tokens[count.next];
  const auto unit = unit_word.line_start && counted ? std::nullopt : unit_named(unit_word.lower);
  if (!unit || (!counted && unit_word.lower.size() < 3)) return std::nullopt;
  return Amount{times(*unit, counted ? count.value : 1), *unit >= 24h, count.next + 1};
}

std::optional<ClockTime> read_clock(const Tokens& tokens, std::size_t at) {
  if (tokens[at].is("noon")) return ClockTime{12h, {}, at + 1};
  if (tokens[at].is("midnight")) return ClockTime{0h, {}, at + 1};
  if (tokens[at].glued && (tokens[at - 1].is_symbol(':') || tokens[at - 1].is_symbol('.'))) return std::nullopt;
  std::string_view rest = tokens[at].lower;
  const auto hour = take_number(rest, 1, 2);
  if (!hour) return std::nullopt;
  std::size_t next = at + 1;
  std::array<int, 2> parts{};  // minutes, seconds
  std::size_t count = 0;
  while (count < parts.size() && rest.empty() && tokens[next].is_symbol(':') && tokens[next].glued &&
         tokens.joined(next)) {
    rest = tokens[next + 1].lower;
    const auto number = take_number(rest, 2, 2);
    if (!number || *number > 59) return std::nullopt;
    parts[count++] = *number;
    next += 2;
  }
  if (rest.empty() && (tokens[next].is("am") || tokens[next].is("pm"))) rest = tokens[next++].lower;
  ClockTime time{0ms, {}, next};
  int hours = *hour;
  if (rest == "am" || rest == "pm") {
    if (hours < 1 || hours > 12) return std::nullopt;
    hours = hours % 12 + (rest == "pm" ? 12 : 0);
  } else if (rest == "z" && count > 0) {
    time.utc_offset = 0s;
  } else if (!rest.empty() || count == 0) {
    return std::nullopt;
  }
  if (hours > 23) return std::nullopt;
  time.time_of_day = std::chrono::hours(hours) + std::chrono::minutes(parts[0]) + std::chrono::seconds(parts[1]);
  if (const auto zone = zone_named(tokens[next].lower); zone && !time.utc_offset) {
    time.utc_offset = zone;
    ++time.next;
  }
  return time;
}

std::optional<Date> read_date(const Tokens& tokens, std::size_t at, LocalDay today) {
  if (const auto iso = read_iso_date(tokens, at)) return iso;
  return read_named_date(tokens, at, today);
}

std::optional<std::size_t> unreadable_time(const Tokens& tokens, std::size_t at, LocalDay today) {
  if (tokens[at].glued && tokens[at - 1].kind == TokenKind::symbol && !tokens[at - 1].is_symbol('-'))
    return std::nullopt;  // part of a URL, a version or a path
  if (has_form_of_date(tokens, at) && !read_date(tokens, at, today)) return figures_end(tokens, at);
  if (const auto named = read_month_and_day(tokens, at); named && !read_date(tokens, at, today)) return named->next;
  if (has_form_of_clock(tokens, at) && !read_clock(tokens, at)) return figures_end(tokens, at);
  return std::nullopt;
}

unsigned weekday_number(std::string_view word, bool short_names) {
  static constexpr std::string_view kDays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                               "friday", "saturday", "sunday"};
  return number_of(word, kDays, short_names ? 5 : 0);
}

}  // namespace deputy::intent
