#include "tools/logs/files/scan.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/task.h"

namespace deputy::tools::files {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr int kSampleLines = 200;

std::size_t line_end(std::string_view text, std::size_t from) {
  const void* found = from < text.size() ? std::memchr(text.data() + from, '\n', text.size() - from) : nullptr;
  return found == nullptr ? kNone : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// The beginning of the line that contains `at`, but not before `least`.
std::size_t line_begin(std::string_view text, std::size_t at, std::size_t least) {
  const void* found = at > least ? ::memrchr(text.data() + least, '\n', at - least) : nullptr;
  return found == nullptr ? least : static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
}

std::int64_t count_newlines(std::string_view text) {
  // Counts in many one-byte counters at once, which the compiler vectorizes, and adds them up before one overflows.
  constexpr std::size_t kLanes = 32;
  std::int64_t count = 0;
  std::size_t at = 0;
  while (text.size() - at >= kLanes) {
    std::array<std::uint8_t, kLanes> lanes{};
    const std::size_t rounds = std::min<std::size_t>((text.size() - at) / kLanes, 255);
    for (std::size_t round = 0; round < rounds; ++round, at += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += text[at + lane] == '\n' ? 1 : 0;
    }
    for (const std::uint8_t lane : lanes) count += lane;
  }
  return count + std::ranges::count(text.substr(at), '\n');
}

std::string_view first_line(std::string_view text) { return text.substr(0, line_end(text, 0)); }

}  // namespace

logs::Times times_in(std::string_view beginning, const logs::TimeRules& rules) {
  for (int lines = 0; lines < kSampleLines && !beginning.empty(); ++lines) {
    const std::string_view line = first_line(beginning);
    if (logs::time_of(line, rules)) return logs::Times::in_lines;
    beginning.remove_prefix(std::min(beginning.size(), line.size() + 1));
  }
  return logs::Times::none;
}

/// The state of reading one unit: what is in the buffer, and how much of it is done.
struct Scanner::Work {
  Scanner& scanner;
  const Unit& unit;
  logs::EntryReader reader;
  logs::Times times = logs::Times::in_lines;
  std::uint64_t base = 0;  // where in the file the buffer begins
  std::size_t held = 0;    // bytes in the buffer
  std::size_t done = 0;    // of them
  bool skipping = false;   // until an entry begins
  bool at_end = false;     // of the file
  bool finished = false;
  Scanned& scanned;

  std::string_view text() const { return {scanner.buffer_.data(), held}; }
  bool begins_at(std::size_t at) const {
    return logs::begins_entry(first_line(text().substr(at, logs::kJudgedWithin)), times, reader.rules());
  }
  /// True if the buffer has enough of the line at `at` to judge it.
  bool can_judge(std::size_t at) const {
    return at_end || held - at >= logs::kJudgedWithin || line_end(text(), at) != kNone;
  }

  /// The first beginning of an entry at or after `at`, which must be the beginning of a line. kNone: none before
  /// `last`.
  std::size_t next_beginning(std::size_t at, std::size_t last) const {
    while (at < last && !begins_at(at)) {
      const std::size_t end = line_end(text(), at);
      if (end == kNone) return kNone;
      at = end + 1;
    }
    return at < last ? at : kNone;
  }

  /// The last beginning of an entry after `done` that can be judged, or `done`.
  std::size_t last_beginning() const {
    for (std::size_t end = held;;) {
      const std::size_t begin = line_begin(text(), end, done);
      if (begin <= done) return done;
      if (begin < held && can_judge(begin) && begins_at(begin)) return begin;
      end = begin - 1;
    }
  }

  void skip() {
    // Starts inside a line or at a newline; an entry begins after a newline.
    std::size_t at = done;
    for (;;) {
      const std::size_t end = line_end(text(), at);
      if (end == kNone) {
        done = held;
        break;
      }
      at = end + 1;
      if (base + at >= unit.end) break;
      if (!can_judge(at)) {
        done = end;  // keep the newline, so that the next line is still recognized as a line
        return;
      }
      if (at < held && begins_at(at)) {
        done = at;
        skipping = false;
        return;
      }
      done = end;
    }
    if (base + at >= unit.end || base + held >= unit.end) finished = true;
  }

  /// Takes the entries from `done` to `region`, which is the beginning of an entry or the end.
  void take(std::size_t region) {
    if (base + region >= unit.end) {
      // The first entry that begins at or after the unit's end belongs to the next unit.
      std::size_t at = static_cast<std::size_t>(unit.end - base);
      if (at > 0 && text()[at - 1] != '\n') {
        const std::size_t end = line_end(text(), at);
        at = end == kNone ? region : end + 1;
      }
      region = std::min(region, next_beginning(std::max(at, done), region));
      finished = true;
    }
    if (scanner.matcher_.takes_all()) {
      take_all(region);
    } else {
      take_found(region);
    }
    done = region;
  }

  void take_all(std::size_t region) {
    for (std::size_t at = done; at < region;) at = take_entry(at, at, region);
  }

  void take_found(std::size_t region) {
    const std::string_view within = text().substr(0, region);
    std::size_t from = done;
    while (from < region) {
      const std::size_t place = scanner.matcher_.find(within, from);
      if (place >= region) break;  // none, or the end of the bytes, which is in no entry
      std::size_t begin = line_begin(within, place, from);
      while (begin > from && !begins_at(begin)) begin = line_begin(within, begin - 1, from);
      from = take_entry(begin, place, region);
    }
  }

  /// Takes the entry that begins at `begin` and contains `place`. Returns where the next one begins.
  std::size_t take_entry(std::size_t begin, std::size_t place, std::size_t region) {
    const std::string_view within = text().substr(0, region);
    std::size_t end = line_end(within, place);
    while (end != kNone && end + 1 < region && !begins_at(end + 1)) end = line_end(within, end + 1);
    const std::size_t next = end == kNone ? region : end + 1;
    const std::string_view whole = within.substr(begin, next - begin);
    const logs::Entry entry = reader.read(first_line(whole));
    const Wanted& wanted = scanner.wanted_;
    const bool in_time = !entry.at || wanted.span.contains(*entry.at);
    if (in_time && entry.level >= wanted.least && scanner.matcher_.matches(whole)) {
      scanner.into_.add(entry, whole, unit.service, {unit.number, base + begin});
    }
    return next;
  }

  /// Counts what was read, without the bytes that belong to another unit.
  void count(const char* data, std::size_t size) const {
    const std::uint64_t begin = std::clamp(base + held, unit.begin, unit.end);
    const std::uint64_t end = std::clamp(base + held + size, unit.begin, unit.end);
    scanned.bytes += static_cast<std::int64_t>(end - begin);
    scanned.lines += count_newlines({data + (begin - std::min(begin, base + held)), end - begin});
  }

  /// Moves what is not done to the front.
  void drop_done() {
    char* data = scanner.buffer_.data();
    if (done > 0 && held > done) std::memmove(data, data + done, held - done);
    base += done;
    held -= done;
    done = 0;
  }
};

Scanner::Scanner(const logs::Matcher& matcher, Wanted wanted, logs::Collector& into)
    : matcher_(matcher), wanted_(wanted), into_(into), buffer_(kBuffer) {}

Result<> Scanner::scan(ByteSource& source, const Unit& unit, const logs::TimeRules& rules, const std::stop_token& stop,
                       Scanned& scanned) {
  Work work{.scanner = *this, .unit = unit, .reader = logs::EntryReader(rules), .scanned = scanned};
  work.base = unit.begin > 0 ? unit.begin - 1 : 0;
  work.skipping = unit.begin > 0;
  bool first = true;
  while (!work.finished) {
    if (stop.stop_requested()) return std::unexpected(cancelled_error());
    char* free = buffer_.data() + work.held;
    const Result<std::size_t> count = source.read(free, buffer_.size() - work.held);
    const std::size_t got = count.value_or(0);
    work.count(free, got);
    work.held += got;
    work.at_end = got == 0;
    if (first) work.times = unit.times.value_or(times_in(work.text(), rules));
    first = false;
    if (work.skipping) work.skip();
    if (!work.skipping && !work.finished) {
      const std::size_t last = work.at_end ? work.held : work.last_beginning();
      if (last > work.done) {
        work.take(last);
      } else if (work.held - work.done >= kMaxEntry) {
        work.take(work.held);
        work.done = work.held - 1;  // it may be a newline, and an entry may begin after it
        work.skipping = true;
        ++scanned.cut_entries;
      }
    }
    if (!count) return std::unexpected(count.error());
    if (work.at_end) break;
    work.drop_done();
  }
  return {};
}

}  // namespace deputy::tools::files
