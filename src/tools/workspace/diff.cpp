#include "tools/workspace/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kContext = 3;
// Comparing takes the product of both sides: beyond this the middle is shown as replaced.
constexpr std::size_t kMostCompared = 4'000'000;

using Lines = std::vector<std::string_view>;

// Each with its end, so that a missing last end is a difference too.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Change {
  char mark;  // ' ', '-', '+'
  std::string_view line;
};

// The longest common lines of both middles, by the usual table.
void compare(std::span<const std::string_view> before, std::span<const std::string_view> after,
             std::vector<Change>& changes) {
  if (before.size() * after.size() > kMostCompared) {
    for (const auto line : before) changes.push_back({'-', line});
    for (const auto line : after) changes.push_back({'+', line});
    return;
  }
  const std::size_t width = after.size() + 1;
  std::vector<std::uint32_t> common((before.size() + 1) * width, 0);
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      common[i * width + j] = before[i] == after[j] ? common[(i + 1) * width + j + 1] + 1
                                                    : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      changes.push_back({' ', before[i]});
      ++i, ++j;
    } else if (j == after.size() || (i < before.size() && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      changes.push_back({'-', before[i++]});
    } else {
      changes.push_back({'+', after[j++]});
    }
  }
}

std::vector<Change> changes_between(const Lines& before, const Lines& after) {
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < before.size() - head && tail < after.size() - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<Change> changes;
  changes.reserve(before.size() + after.size() - head - tail);
  for (std::size_t i = 0; i < head; ++i) changes.push_back({' ', before[i]});
  compare(std::span(before).subspan(head, before.size() - head - tail),
          std::span(after).subspan(head, after.size() - head - tail), changes);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i) changes.push_back({' ', before[i]});
  return changes;
}

std::string side(std::size_t first, std::size_t count) {
  return count == 1 ? std::to_string(first) : fmt::format("{},{}", count == 0 ? first - 1 : first, count);
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after, std::size_t most) {
  if (before == after) return {};
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::vector<Change> changes = changes_between(old_lines, new_lines);
  std::string diff = fmt::format("--- {}\n+++ {}\n", name, name);
  std::size_t missing = 0;
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t at = 0; at < changes.size();) {
    std::size_t first = at;
    while (first < changes.size() && changes[first].mark == ' ') ++first;
    if (first == changes.size()) break;
    const std::size_t begin = std::max(at, first - std::min(first, kContext));
    // The hunk goes on while the next change is near.
    std::size_t last = first;
    for (std::size_t i = first; i < changes.size() && i <= last + 2 * kContext + 1; ++i) {
      if (changes[i].mark != ' ') last = i;
    }
    const std::size_t end = std::min(changes.size(), last + kContext + 1);
    old_line += begin - at;
    new_line += begin - at;
    const auto hunk = std::span(changes).subspan(begin, end - begin);
    const auto with = [&](char other) {
      return static_cast<std::size_t>(std::ranges::count_if(hunk, [&](const Change& c) { return c.mark != other; }));
    };
    const std::size_t old_count = with('+');
    const std::size_t new_count = with('-');
    std::string text = fmt::format("@@ -{} +{} @@\n", side(old_line, old_count), side(new_line, new_count));
    for (const Change& change : hunk) {
      text += change.mark;
      text += change.line;
      if (!change.line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    }
    if (missing == 0 && diff.size() + text.size() <= most) {
      diff += text;
    } else {
      // As many whole lines as fit; what is left out is counted.
      for (const std::string_view line : lines_of(text)) {
        if (missing == 0 && diff.size() + line.size() <= most) {
          diff += line;
        } else {
          ++missing;
        }
      }
    }
    old_line += old_count;
    new_line += new_count;
    at = end;
  }
  if (missing > 0) diff += fmt::format("… {} more lines of this change are not shown\n", missing);
  return diff;
}

}  // namespace deputy::tools
