#include "tools/logs/files/plan_units.h"

#include <algorithm>
#include <optional>

#include "tools/logs/files/scan.h"

namespace deputy::tools::files {

namespace {

constexpr std::size_t kSampleSize = 16 * 1024;
constexpr std::uint64_t kReadWhole = 4 * kSampleEvery;  // smaller files have too few samples to trust their order

/// The first time in `sample`; its first line counts only where it is whole.
std::optional<Timestamp> first_time(std::string_view sample, bool begins_a_line, const TimeRules& rules) {
  if (!begins_a_line) {
    const std::size_t end = sample.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    sample.remove_prefix(end + 1);
  }
  while (!sample.empty()) {
    const std::string_view line = sample.substr(0, sample.find('\n'));
    if (const auto at = time_of(line, rules)) return at;
    sample.remove_prefix(std::min(sample.size(), line.size() + 1));
  }
  return std::nullopt;
}

/// The part of a file with rising times that holds the span; nothing when they do not rise or cannot be seen.
Result<std::optional<FilePart>> part_around(const OpenFile& file, const TimeSpan& span, const TimeRules& rules) {
  std::vector<char> sample(kSampleSize);
  FilePart part{file.size, file.size};
  std::optional<Timestamp> before;
  bool begun = false;
  for (std::uint64_t at = 0; at < file.size; at += kSampleEvery) {
    TRY(const std::size_t count, read_at(file.descriptor, sample.data(), sample.size(), at));
    const auto time = first_time({sample.data(), count}, at == 0, rules);
    if (!time || (before && *time < *before - kDisorder)) return std::nullopt;
    before = std::max(before.value_or(*time), *time);
    // What lies before this sample may still be of the span; what lies behind it is not, once it is past the end.
    if (!begun && *time >= span.from - kDisorder) {
      part.begin = at < kSampleEvery ? 0 : at - kSampleEvery;
      begun = true;
    }
    if (*time > span.to + kDisorder) {
      part.end = std::min(file.size, at + kSampleSize);
      // The rest is still looked at: only a file that rises to its end may be cut.
      for (at += kSampleEvery; at < file.size; at += kSampleEvery) {
        TRY(const std::size_t more, read_at(file.descriptor, sample.data(), sample.size(), at));
        const auto later = first_time({sample.data(), more}, false, rules);
        if (!later || *later < *before - kDisorder) return std::nullopt;
        before = std::max(*before, *later);
      }
      break;
    }
  }
  if (!begun) part.begin = file.size <= kSampleEvery ? 0 : (file.size - 1) / kSampleEvery * kSampleEvery;
  return part;
}

}  // namespace

Result<FilePlan> plan_plain(const OpenFile& file, const TimeSpan& span, const TimeRules& rules,
                            std::uint64_t largest_part) {
  FilePlan plan;
  if (file.size == 0) return plan;
  std::vector<char> head(4 * kSampleSize);
  TRY(const std::size_t count, read_at(file.descriptor, head.data(), head.size(), 0));
  const std::string_view beginning(head.data(), count);
  plan.times = times_in(beginning, rules);
  FilePart part{0, file.size};
  if (plan.times == Times::in_lines && file.size >= kReadWhole) {
    TRY(const std::optional<FilePart> around, part_around(file, span, rules));
    if (around) part = *around;
    // A file that begins after the span, and rises.
    const auto first = first_time(beginning, true, rules);
    if (around && first && *first > span.to + kDisorder) return plan;
  }
  for (std::uint64_t at = part.begin; at < part.end; at += largest_part) {
    plan.parts.push_back({at, std::min(part.end, at + largest_part)});
  }
  return plan;
}

}  // namespace deputy::tools::files
