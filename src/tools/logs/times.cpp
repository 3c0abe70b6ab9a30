#include "tools/logs/times.h"

#include <array>

#include "base/text.h"

namespace deputy::tools::logs {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kDateWithin = 64;  // where a date that is not in brackets may begin

/// Parses a text from its beginning. A step that fails takes nothing.
class Taker {
 public:
  explicit Taker(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  bool take_any(std::string_view choices) {
    if (at_ >= text_.size() || !choices.contains(text_[at_])) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  /// Exactly `count` digits.
  bool digits(int count, int& into) {
    if (text_.size() - at_ < static_cast<std::size_t>(count)) return false;
    int value = 0;
    for (int i = 0; i < count; ++i) {
      const char c = text_[at_ + static_cast<std::size_t>(i)];
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    at_ += static_cast<std::size_t>(count);
    into = value;
    return true;
  }
  /// The digits of a fraction as milliseconds; finer digits are dropped.
  milliseconds fraction() {
    int value = 0;
    int count = 0;
    while (peek() >= '0' && peek() <= '9') {
      if (count < 3) value = value * 10 + (peek() - '0');
      ++count;
      ++at_;
    }
    for (; count < 3; ++count) value *= 10;
    return milliseconds(value);
  }
  void back_to(std::size_t at) { at_ = at; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

struct Parts {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  milliseconds fraction{0};
};

std::optional<Timestamp> moment(const Parts& parts) {
  using namespace std::chrono;
  const year_month_day date{year{parts.year}, month{static_cast<unsigned>(parts.month)},
                            day{static_cast<unsigned>(parts.day)}};
  if (!date.ok() || parts.hour > 23 || parts.minute > 59 || parts.second > 60) return std::nullopt;
  return Timestamp(sys_days{date}) + hours(parts.hour) + minutes(parts.minute) + seconds(parts.second) + parts.fraction;
}

bool take_month(Taker& taker, int& month) {
  constexpr auto kMonths = std::to_array<std::string_view>(
      {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
  for (std::size_t at = 0; at < kMonths.size(); ++at) {
    if (taker.take(kMonths[at])) {
      month = static_cast<int>(at) + 1;
      return true;
    }
  }
  return false;
}

bool take_clock(Taker& taker, Parts& parts) {
  if (!taker.digits(2, parts.hour) || !taker.take(':') || !taker.digits(2, parts.minute)) return false;
  if (!taker.take(':')) return true;
  if (!taker.digits(2, parts.second)) return false;
  const std::size_t before = taker.at();
  if (taker.take_any(".,")) {
    if (taker.peek() >= '0' && taker.peek() <= '9') {
      parts.fraction = taker.fraction();
    } else {
      taker.back_to(before);
    }
  }
  return true;
}

/// "Z", "+01:00", "+0100", " +0100", " UTC"; takes nothing if there is no zone.
std::optional<std::chrono::minutes> take_zone(Taker& taker) {
  const std::size_t before = taker.at();
  if (taker.take('Z')) return std::chrono::minutes(0);
  taker.take(' ');
  if (taker.take("UTC") || taker.take("GMT")) return std::chrono::minutes(0);
  const char sign = taker.peek();
  int hours = 0;
  int minutes = 0;
  if (taker.take_any("+-") && taker.digits(2, hours)) {
    taker.take(':');
    if (taker.digits(2, minutes) && hours <= 15 && minutes < 60) {
      const std::chrono::minutes offset(hours * 60 + minutes);
      return sign == '-' ? -offset : offset;
    }
  }
  taker.back_to(before);
  return std::nullopt;
}

/// A time at the beginning of a text, and how long it is.
struct Taken {
  Timestamp at;
  std::size_t size;
};

std::optional<Taken> take_iso(std::string_view text, const TimeRules& rules) {
  Taker taker(text);
  Parts parts;
  if (!taker.digits(4, parts.year)) return std::nullopt;
  const char separator = taker.peek();
  if (!taker.take_any("-/") || !taker.digits(2, parts.month) || !taker.take(separator)) return std::nullopt;
  if (!taker.digits(2, parts.day) || !taker.take_any("T t_") || !take_clock(taker, parts)) return std::nullopt;
  const std::chrono::minutes zone = take_zone(taker).value_or(rules.utc_offset);
  const auto at = moment(parts);
  if (!at) return std::nullopt;
  return Taken{*at - zone, taker.at()};
}

std::optional<Taken> take_clf(std::string_view text, const TimeRules& rules) {
  Taker taker(text);
  Parts parts;
  if (!taker.take('[') || !taker.digits(2, parts.day) || !taker.take('/') || !take_month(taker, parts.month) ||
      !taker.take('/') || !taker.digits(4, parts.year) || !taker.take(':') || !take_clock(taker, parts)) {
    return std::nullopt;
  }
  const std::chrono::minutes zone = take_zone(taker).value_or(rules.utc_offset);
  const auto at = moment(parts);
  if (!at || !taker.take(']')) return std::nullopt;
  return Taken{*at - zone, taker.at()};
}

int year_of(Timestamp at) {
  return static_cast<int>(std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(at)}.year());
}

/// Uses the last year in which the time is at most a day after `rules.newest`.
std::optional<Timestamp> without_year(Parts parts, const TimeRules& rules) {
  for (parts.year = year_of(rules.newest) + 1; parts.year > year_of(rules.newest) - 8; --parts.year) {
    const auto at = moment(parts);  // the 29th of February is not in every year
    if (at && *at - rules.utc_offset <= rules.newest + std::chrono::days(1)) return *at - rules.utc_offset;
  }
  return std::nullopt;
}

bool take_day(Taker& taker, int& day) {
  if (taker.take(' ')) return taker.digits(1, day);  // "Nov  5"
  return taker.digits(2, day) || taker.digits(1, day);
}

std::optional<Taken> take_syslog(std::string_view text, const TimeRules& rules) {
  Taker taker(text);
  Parts parts;
  if (!take_month(taker, parts.month) || !taker.take(' ') || !take_day(taker, parts.day) || !taker.take(' ') ||
      !take_clock(taker, parts)) {
    return std::nullopt;
  }
  const auto at = without_year(parts, rules);
  if (!at) return std::nullopt;
  return Taken{*at, taker.at()};
}

std::optional<Taken> take_klog(std::string_view text, const TimeRules& rules) {
  Taker taker(text);
  Parts parts;
  if (!taker.take_any("IWEF") || !taker.digits(2, parts.month) || !taker.digits(2, parts.day) || !taker.take(' ') ||
      !take_clock(taker, parts)) {
    return std::nullopt;
  }
  const auto at = without_year(parts, rules);
  if (!at) return std::nullopt;
  return Taken{*at, taker.at()};
}

std::optional<Taken> take_ctime(std::string_view text, const TimeRules& rules) {
  constexpr auto kDays = std::to_array<std::string_view>({"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "});
  Taker taker(text);
  Parts parts;
  bool is_day = false;
  for (const std::string_view day : kDays) is_day = is_day || taker.take(day);
  if (!is_day || !take_month(taker, parts.month) || !taker.take(' ') || !take_day(taker, parts.day) ||
      !taker.take(' ') || !take_clock(taker, parts) || !taker.take(' ') || !taker.digits(4, parts.year)) {
    return std::nullopt;
  }
  const auto at = moment(parts);
  if (!at) return std::nullopt;
  return Taken{*at - rules.utc_offset, taker.at()};
}

bool is_word(char c) { return is_letter_or_digit(c) || c == '_'; }

/// 10, 13, 16 or 19 digits are seconds, milli-, micro- or nanoseconds, from the year 2001 to 2096. A fraction may
/// follow seconds.
std::optional<Taken> take_epoch(std::string_view text, const TimeRules&) {
  std::size_t count = 0;
  std::uint64_t value = 0;  // 19 digits fit in an unsigned one, not in a signed one
  while (count < text.size() && count < 19 && is_digit(text[count])) {
    value = (value * 10) + static_cast<std::uint64_t>(text[count++] - '0');
  }
  std::uint64_t millis = 0;
  if (count == 10) {
    millis = value * 1000;
  } else if (count == 13) {
    millis = value;
  } else if (count == 16) {
    millis = value / 1000;
  } else if (count == 19) {
    millis = value / 1'000'000;
  } else {
    return std::nullopt;
  }
  if (millis < 1'000'000'000'000 || millis > 3'999'999'999'999) return std::nullopt;
  std::size_t size = count;
  if (count == 10 && size + 1 < text.size() && text[size] == '.' && is_digit(text[size + 1])) {
    Taker taker(text.substr(size + 1));
    millis += static_cast<std::uint64_t>(taker.fraction().count());
    size += 1 + taker.at();
  }
  if (size < text.size() && (is_word(text[size]) || text[size] == '.' || text[size] == '-')) return std::nullopt;
  return Taken{from_millis(static_cast<std::int64_t>(millis)), size};
}

using Take = std::optional<Taken> (*)(std::string_view, const TimeRules&);
struct Row {
  Take take;
  TimeFormat format;
};

std::optional<FoundTime> try_at(std::string_view line, std::size_t begin, Row row, const TimeRules& rules) {
  const auto taken = row.take(line.substr(begin), rules);
  if (!taken) return std::nullopt;
  return FoundTime{taken->at, begin, begin + taken->size, row.format};
}

/// Where the line goes on after a bracket, or after a syslog priority such as "<34>" or "<34>1 ".
std::size_t behind_prefix(std::string_view line) {
  if (line.starts_with('[')) return 1;
  if (!line.starts_with('<')) return 0;
  std::size_t at = 1;
  while (at < line.size() && at < 4 && is_digit(line[at])) ++at;
  if (at == 1 || at >= line.size() || line[at] != '>') return 0;
  ++at;
  if (line.substr(at).starts_with("1 ")) at += 2;
  return at;
}

}  // namespace

std::optional<FoundTime> find_time(std::string_view line, const TimeRules& rules) {
  const std::size_t start = behind_prefix(line);
  if (start >= line.size()) return std::nullopt;
  const char first = line[start];
  if (is_digit(first)) {
    for (const Row row : {Row{take_iso, TimeFormat::iso}, Row{take_epoch, TimeFormat::epoch}}) {
      if (auto found = try_at(line, start, row, rules)) return found;
    }
  } else if (first >= 'A' && first <= 'W') {
    for (const Row row :
         {Row{take_syslog, TimeFormat::syslog}, Row{take_klog, TimeFormat::klog}, Row{take_ctime, TimeFormat::ctime}}) {
      if (auto found = try_at(line, start, row, rules)) return found;
    }
  }
  const std::string_view within = line.substr(0, kTimeWithin);
  for (std::size_t at = 1; at < within.size(); ++at) {
    const char c = within[at];
    if (c == '[') {
      if (auto found = try_at(line, at, {take_clf, TimeFormat::clf}, rules)) return found;
    } else if (at < kDateWithin && is_digit(c) && !is_word(within[at - 1])) {
      if (auto found = try_at(line, at, {take_iso, TimeFormat::iso}, rules)) return found;
      if (within[at - 1] == '=' && (line.substr(0, at).ends_with("ts=") || line.substr(0, at).ends_with("time="))) {
        if (auto found = try_at(line, at, {take_epoch, TimeFormat::epoch}, rules)) return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<Timestamp> parse_time(std::string_view text, const TimeRules& rules) {
  for (const Take take : {take_iso, take_epoch, take_syslog, take_ctime}) {
    if (const auto taken = take(text, rules); taken && taken->size == text.size()) return taken->at;
  }
  return std::nullopt;
}

}  // namespace deputy::tools::logs
