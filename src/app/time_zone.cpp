#include "app/time_zone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <memory>
#include <ranges>

#include "base/text.h"
#include "config/files.h"

namespace deputy::app {

namespace {

constexpr std::size_t kLargestZoneFile = 256UL * 1024;
constexpr std::size_t kMaxName = 64;
constexpr Timestamp kAfterAllTables = std::chrono::sys_days(std::chrono::year(2500) / 1 / 1);

std::unexpected<Error> no_zone(std::string_view zone) {
  return fail(ErrorKind::not_found, fmt::format("there is no time zone `{}`", cut_with_mark(zone, 60)),
              "write an IANA name such as Europe/Berlin or UTC");
}

std::unexpected<Error> broken() { return fail(ErrorKind::invalid_input, "this is not a time zone file"); }

// No dots: a name stays inside the database.
bool looks_like_a_name(std::string_view name) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '_' || c == '-' || c == '+';
  };
  return !name.empty() && name.size() <= kMaxName && name.front() != '/' && std::ranges::all_of(name, allowed);
}

// A big-endian number of `size` bytes. The caller has checked that they exist.
std::int64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = (static_cast<unsigned char>(bytes[at]) & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < size; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return static_cast<std::int64_t>(number);
}

// A block of the file: a header of 44 bytes, then tables one after the other. The file has two; the first has times of
// 4 bytes, for old readers.
struct Block {
  std::size_t time_size = 4;
  std::size_t transitions = 0;
  std::size_t types = 0;
  std::size_t times_at = 0;
  std::size_t indices_at = 0;
  std::size_t types_at = 0;
  std::size_t end = 0;
};

constexpr std::size_t kHeader = 44;
constexpr std::size_t kTypeSize = 6;

Result<Block> block_at(std::string_view bytes, std::size_t at, std::size_t time_size) {
  if (bytes.size() < at + kHeader || bytes.substr(at, 4) != "TZif") return broken();
  std::array<std::size_t, 6> counts{};  // UT flags, standard flags, leap seconds, transitions, types, characters
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t count = number_at(bytes, at + 20 + 4 * i, 4);
    if (count < 0 || static_cast<std::size_t>(count) > bytes.size()) return broken();
    counts[i] = static_cast<std::size_t>(count);
  }
  const auto [ut, standard, leaps, transitions, types, characters] = counts;
  Block block{time_size, transitions, types};
  block.times_at = at + kHeader;
  block.indices_at = block.times_at + transitions * time_size;
  block.types_at = block.indices_at + transitions;
  block.end = block.types_at + types * kTypeSize + characters + leaps * (time_size + 4) + standard + ut;
  if (block.end > bytes.size()) return broken();
  return block;
}

Result<std::chrono::seconds> offset_of_type(std::string_view bytes, const Block& block, std::size_t type) {
  if (type >= block.types) return broken();
  return std::chrono::seconds(number_at(bytes, block.types_at + type * kTypeSize, 4));
}

// The rule after the second block, between two newlines.
std::string_view rule_after(std::string_view bytes, const Block& block) {
  std::string_view rest = bytes.substr(block.end);
  if (!rest.starts_with('\n')) return {};
  rest.remove_prefix(1);
  const std::size_t end = rest.find('\n');
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

// Reads a rule from left to right. After the first error it stays failed.
class RuleReader {
 public:
  explicit RuleReader(std::string_view rule) : rest_(rule) {}

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) failed_ = true;
  }

  // "CET", or anything between < and >.
  void skip_name() {
    const bool quoted = take('<');
    const auto in_name = [&](char c) { return quoted ? c != '>' : std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto end = std::ranges::find_if_not(rest_, in_name);
    if (end == rest_.begin()) failed_ = true;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
    if (quoted) expect('>');
  }

  int number(int least, int most) {
    int read = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), read);
    if (error != std::errc{} || rest_.front() == '-' || read < least || read > most) {
      failed_ = true;
      return least;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return read;
  }

  // "3", "-1:30", "02:00:00"
  std::chrono::seconds time() {
    const bool negative = take('-');
    if (!negative) take('+');
    std::chrono::seconds time = std::chrono::hours(number(0, 167));
    if (take(':')) time += std::chrono::minutes(number(0, 59));
    if (take(':')) time += std::chrono::seconds(number(0, 59));
    return negative ? -time : time;
  }

  // The day of `year` that "M3.5.0" (the last Sunday of March), "J60" (no leap day is counted) or "59" means, and the
  // time of that day.
  std::chrono::sys_seconds moment(std::chrono::year year) {
    using namespace std::chrono;
    sys_days day = year / January / 1;
    if (take('M')) {
      const month in{static_cast<unsigned>(number(1, 12))};
      expect('.');
      const int week = number(1, 5);
      expect('.');
      const weekday on{static_cast<unsigned>(number(0, 6))};
      day = week == 5 ? sys_days(year / in / on[last]) : sys_days(year / in / on[static_cast<unsigned>(week)]);
    } else if (take('J')) {
      const int count = number(1, 365);
      day += days(count - 1 + (year.is_leap() && count >= 60 ? 1 : 0));
    } else {
      day += days(number(0, 365));
    }
    return day + (take('/') ? time() : seconds(hours(2)));
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

Result<std::chrono::seconds> offset_by_rule(std::string_view rule, Timestamp at) {
  const std::unexpected<Error> bad =
      fail(ErrorKind::invalid_input, fmt::format("`{}` is not a time zone rule", cut_with_mark(rule, 60)));
  RuleReader reader(rule);
  reader.skip_name();
  const std::chrono::seconds standard = -reader.time();  // a rule counts westward
  if (reader.failed()) return bad;
  if (reader.at_end()) return standard;
  reader.skip_name();
  const bool has_own_offset = !reader.at_end() && !reader.take(',');
  const std::chrono::seconds summer = has_own_offset ? -reader.time() : standard + std::chrono::hours(1);
  if (has_own_offset) reader.expect(',');
  const auto days = std::chrono::floor<std::chrono::days>(at + standard);
  const std::chrono::year year = std::chrono::year_month_day(days).year();
  const std::chrono::sys_seconds begins = reader.moment(year) - standard;
  reader.expect(',');
  const std::chrono::sys_seconds ends = reader.moment(year) - summer;
  if (reader.failed() || !reader.at_end()) return bad;
  const bool is_summer = begins < ends ? begins <= at && at < ends : at < ends || begins <= at;
  return is_summer ? summer : standard;
}

Result<std::chrono::seconds> offset_in_zone_file(std::string_view bytes, Timestamp at) {
  TRY(const Block old, block_at(bytes, 0, 4));
  if (bytes[4] < '2') return broken();
  TRY(const Block block, block_at(bytes, old.end, 8));
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  const auto indices = std::views::iota(std::size_t{0}, block.transitions);
  const auto after = std::ranges::upper_bound(indices, seconds, {}, [&](std::size_t i) {
    return number_at(bytes, block.times_at + i * block.time_size, block.time_size);
  });
  const auto passed = static_cast<std::size_t>(after - indices.begin());
  const std::string_view rule = rule_after(bytes, block);
  if (passed == block.transitions && !rule.empty()) return offset_by_rule(rule, at);
  if (passed == 0) return offset_of_type(bytes, block, 0);
  return offset_of_type(bytes, block, static_cast<unsigned char>(bytes[block.indices_at + passed - 1]));
}

std::optional<interaction::Zone> KnownZones::find(std::string_view name) {
  constexpr std::size_t kMost = 1000;  // a profile may name anything
  if (const auto known = zones_.find(name); known != zones_.end()) return known->second;
  Result<interaction::Zone> read = zone_named(name);
  const std::optional<interaction::Zone> zone = read ? std::optional(*std::move(read)) : std::nullopt;
  if (zones_.size() < kMost) zones_.emplace(name, zone);
  return zone;
}

Result<interaction::Zone> zone_named(std::string_view name, const std::filesystem::path& database) {
  if (name == "UTC") return interaction::Zone{};
  if (!looks_like_a_name(name)) return no_zone(name);
  std::error_code failed;
  if (!std::filesystem::is_directory(database, failed)) {
    return fail(ErrorKind::not_configured, fmt::format("there is no time zone database in {}", database.string()),
                "install tzdata, or use UTC");
  }
  Result<config::FileContent> content = config::read_bounded(database / name, kLargestZoneFile);
  if (!content) return no_zone(name);
  const auto bytes = std::make_shared<const std::string>(std::move(content->text));
  // Check the table and the rule for later times: a file with both has an offset for every time.
  for (const Timestamp at : {Timestamp{}, kAfterAllTables}) {
    if (!offset_in_zone_file(*bytes, at)) return no_zone(name);
  }
  return interaction::Zone{std::string(name), [bytes](Timestamp at) {
                             return offset_in_zone_file(*bytes, at).value_or(std::chrono::seconds(0));
                           }};
}

}  // namespace deputy::app
