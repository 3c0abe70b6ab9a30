#include "intent/time_problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "intent/names.h"
#include "intent/time_words.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kLongestPhrase = 60;  // characters

constexpr std::string_view kLeading[] = {
    "at",      "since", "from", "to",        "until",   "till",   "before", "after",    "and",       "between",
    "through", "today", "on",   "yesterday", "around",  "about",  "errors", "logs",     "seit",      "bis",
    "von",     "ab",    "um",   "monday",    "tuesday", "friday", "sunday", "saturday", "wednesday", "thursday"};
constexpr std::string_view kLast[] = {"last", "past", "previous"};
constexpr std::string_view kNext[] = {"next", "coming", "upcoming"};

/// The token behind the figures that begin at one, as far as signs tie them.
std::size_t figures_end(const Tokens& tokens, std::size_t at) {
  static constexpr std::string_view kTies = "-/.:+";
  while (tokens.joined(at)) {
    const Token& next = tokens[at + 1];
    const bool tie = next.kind == TokenKind::symbol && kTies.contains(next.text[0]) && tokens.joined(at + 1);
    if (!tie && !next.is_word()) break;
    ++at;
  }
  return at + 1;
}

/// Three numbers tied by one kind of sign, one of them a year at an end: 2026-02-30, 31.12.2026, 12/31/2026.
bool has_form_of_date(std::string_view word) {
  std::size_t digits[3] = {0, 0, 0};
  std::size_t part = 0;
  char tie = 0;
  for (const char c : word) {
    if (is_digit(c)) {
      ++digits[part];
      continue;
    }
    const bool ties = (c == '-' || c == '/' || c == '.') && digits[part] > 0 && part < 2 && (tie == 0 || c == tie);
    if (!ties) break;
    tie = c;
    ++part;
  }
  if (part != 2 || digits[2] == 0) return false;
  const std::string_view last = word.substr(digits[0] + digits[1] + 2, digits[2]);
  const bool year_first = digits[0] == 4 && digits[1] <= 2 && digits[2] <= 2 && tie != '.';
  // 1.2.3456 is a version.
  const bool year_last = digits[0] <= 2 && digits[1] <= 2 && (last.starts_with("19") || last.starts_with("20"));
  return year_first || (year_last && digits[2] == 4);
}

bool has_two_digits(const Token& token) { return all_digits(token.lower) && token.lower.size() == 2; }

/// A colon ties what follows to the token.
bool colon_behind(const Tokens& tokens, std::size_t at) {
  return tokens[at + 1].is_symbol(':') && tokens[at + 1].glued && tokens.joined(at + 1);
}

/// "25:00", "10:75", "13pm"; not 80:20 or 42:13, and no address of hardware.
bool has_form_of_clock(const Tokens& tokens, std::size_t at, Behind behind) {
  static constexpr std::string_view kLatestHour = "29";  // a slip of the pen
  const std::string_view word = tokens[at].lower;
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  if (digits == 0 || digits > 2) return false;
  const std::string_view rest = word.substr(digits);
  if (rest == "am" || rest == "pm") return true;
  if (!rest.empty()) return false;
  if (tokens[at + 1].is("am") || tokens[at + 1].is("pm")) return true;
  if (!colon_behind(tokens, at) || !has_two_digits(tokens[at + 2])) return false;
  if (behind != Behind::a_day && digits == 2 && word > kLatestHour) return false;
  if (!colon_behind(tokens, at + 2)) return true;
  return has_two_digits(tokens[at + 4]) && !colon_behind(tokens, at + 4);  // seconds
}

bool follows_a_leading_word(const Tokens& tokens, std::size_t at) {
  const Token& before = tokens[at - 1];
  if (tokens[at].glued) return before.is_symbol('-') && all_digits(tokens[at - 2].lower);
  return contains(kLeading, before.lower) || before.is_symbol('-') || all_digits(before.lower);
}

}  // namespace

std::string in_words(TimeFault fault, std::string_view phrase) {
  std::string shown(cut_characters(phrase, kLongestPhrase));
  std::ranges::replace(shown, '`', '\'');
  std::ranges::replace(shown, '\n', ' ');
  shown = to_valid_utf8(std::move(shown));
  switch (fault) {
    case TimeFault::not_readable:
    case TimeFault::no_such_clock:
      return fmt::format("`{}` is no date or time that can be read", shown);
    case TimeFault::not_past:
      return fmt::format("`{}` does not lie in the past", shown);
    case TimeFault::too_long_ago:
      return fmt::format("`{}` goes back more than ten years", shown);
    case TimeFault::ends_before_it_begins:
      return fmt::format("`{}` does not end after it begins", shown);
  }
  return {};
}

std::optional<TimeProblem> find_time_problem(const Tokens& tokens, std::size_t at, LocalDay today, Behind behind) {
  if (at > 0 && tokens[at].glued && tokens[at - 1].kind == TokenKind::symbol && !tokens[at - 1].is_symbol('-') &&
      !tokens[at - 1].is_symbol('(') && !tokens[at - 1].is_symbol('"')) {
    return std::nullopt;  // inside an address, a version, a path
  }
  if (contains(kLast, tokens[at].lower) && tokens[at + 1].is_symbol('-') && tokens.joined(at + 1)) {
    if (const auto amount = read_amount(tokens, at + 2, CountNeeded::yes)) {
      return TimeProblem{TimeFault::not_past, amount->next};
    }
  }
  if (contains(kNext, tokens[at].lower)) {
    const bool day = weekday_number(tokens[at + 1].lower, true) != 0 || tokens[at + 1].is("weekend");
    if (day) return TimeProblem{TimeFault::not_past, at + 2};
    if (const auto amount = read_amount(tokens, at + 1, CountNeeded::no))
      return TimeProblem{TimeFault::not_past, amount->next};
  }
  if (all_digits(tokens[at].lower) && tokens.joined(at) && has_form_of_date(tokens.rest_from(at)) &&
      !read_date(tokens, at, today)) {
    return TimeProblem{TimeFault::not_readable, figures_end(tokens, at)};
  }
  if (const auto next = named_date_end(tokens, at); next && !read_date(tokens, at, today)) {
    return TimeProblem{TimeFault::not_readable, *next};
  }
  if (follows_a_leading_word(tokens, at) && has_form_of_clock(tokens, at, behind) && !read_clock(tokens, at)) {
    return TimeProblem{TimeFault::no_such_clock, figures_end(tokens, at)};
  }
  return std::nullopt;
}

}  // namespace deputy::intent
