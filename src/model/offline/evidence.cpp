#include "model/offline/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/text.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kLeastOfASection = 80;  // characters; with less, only the beginning of the whole is shown
constexpr std::size_t kRoomForAMark = 30;     // characters
constexpr std::string_view kOldestFirst = "oldest first";
constexpr std::string_view kHowToSeeTheRest =
    "ask for less to see the rest, such as a shorter time or one service; the run keeps what the tool said "
    "(`deputy runs show RUN --json`)";

using Lines = std::vector<std::string_view>;

/// Longer than any run of backticks in the text, so that the text cannot end it.
std::string fence_for(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max<std::size_t>(3, longest + 1), '`');
}

std::size_t length_of(std::string_view line) { return count_characters(line) + 1; }

std::size_t length_of(std::span<const std::string_view> lines) {
  std::size_t length = 0;
  for (const std::string_view line : lines) length += length_of(line);
  return length;
}

/// A heading begins one, and so does what stands behind an empty line; the empty line ends the one before.
std::vector<Lines> sections_of(std::string_view text) {
  std::vector<Lines> sections;
  bool ended = true;
  for (const std::string_view line : split(text, "\n")) {
    const bool blank = trim(line).empty();
    const bool heading = line.starts_with('#') && !sections.empty() && sections.back().size() > 1;
    if ((ended && !blank) || heading || sections.empty()) sections.emplace_back();
    sections.back().push_back(line);
    ended = blank;
  }
  return sections;
}

/// What each may have: who needs less than its share leaves the rest to the others.
std::vector<std::size_t> shares_of(const std::vector<Lines>& sections, std::size_t most) {
  std::vector<std::size_t> shares(sections.size(), 0);
  std::vector<std::size_t> by_length(sections.size());
  for (std::size_t at = 0; at < by_length.size(); ++at) by_length[at] = at;
  std::ranges::sort(by_length, {}, [&](std::size_t at) { return length_of(sections[at]); });
  std::size_t left = most;
  for (std::size_t taken = 0; taken < by_length.size(); ++taken) {
    const std::size_t share = left / (by_length.size() - taken);
    shares[by_length[taken]] = std::min(share, length_of(sections[by_length[taken]]));
    left -= shares[by_length[taken]];
  }
  return shares;
}

std::string mark(std::size_t lines) { return fmt::format("(… {} line{} left out …)\n", lines, lines == 1 ? "" : "s"); }

/// How many lines fit, from the first on, or from the last back.
std::size_t how_many_fit(std::span<const std::string_view> lines, std::size_t most, bool from_the_end) {
  std::size_t count = 0;
  std::size_t length = 0;
  for (; count < lines.size(); ++count) {
    length += length_of(from_the_end ? lines[lines.size() - 1 - count] : lines[count]);
    if (length > most) break;
  }
  return count;
}

void add_lines(std::span<const std::string_view> lines, std::string& into) {
  for (const std::string_view line : lines) into += fmt::format("{}\n", line);
}

/// Its beginning; of what is oldest first, the line that says so and the end.
void add_section(std::span<const std::string_view> lines, std::size_t share, std::string& into) {
  if (length_of(lines) <= share) return add_lines(lines, into);
  while (!lines.empty() && trim(lines.back()).empty()) lines = lines.first(lines.size() - 1);
  if (lines.empty()) return;
  const bool newest_last = lines.size() > 1 && lines.front().contains(kOldestFirst);
  // The line may be any text of a log: what it says is not worth more than the rest.
  const std::size_t head = newest_last ? std::min(length_of(lines.front()), share / 2) : 0;
  const std::size_t room = share - std::min(share, head + kRoomForAMark);
  if (newest_last) into += fmt::format("{}\n", cut_with_mark(lines.front(), head));
  const std::span<const std::string_view> rest = lines.subspan(newest_last ? 1 : 0);
  const std::size_t count = how_many_fit(rest, room, newest_last);
  if (count == 0) {  // one line is longer than all there is room for
    const std::string_view line = newest_last ? rest.back() : rest.front();
    if (newest_last && rest.size() > 1) into += mark(rest.size() - 1);
    into += fmt::format("{}\n", cut_with_mark(line, std::max<std::size_t>(room, 1)));
    if (!newest_last && rest.size() > 1) into += mark(rest.size() - 1);
    return;
  }
  const std::string left_out = count < rest.size() ? mark(rest.size() - count) : std::string();
  if (newest_last) {
    into += left_out;
    add_lines(rest.last(count), into);
  } else {
    add_lines(rest.first(count), into);
    into += left_out;
  }
}

std::string most_telling(std::string_view text, std::size_t most) {
  std::vector<Lines> sections = sections_of(text);
  if (sections.size() * kLeastOfASection > most) {  // too many to show something of each
    sections = {Lines()};
    for (const std::string_view line : split(text, "\n")) sections.front().push_back(line);
  }
  const std::vector<std::size_t> shares = shares_of(sections, most);
  std::string shown;
  for (std::size_t at = 0; at < sections.size(); ++at) add_section(sections[at], shares[at], shown);
  while (shown.ends_with('\n')) shown.pop_back();
  return shown;
}

}  // namespace

std::string quote(std::string_view text, std::size_t most) {
  const std::size_t all = count_characters(text);
  const bool is_whole = all <= most;
  const std::string shown = is_whole ? std::string(text) : most_telling(text, most);
  const std::string fence = fence_for(shown);
  std::string quoted = fmt::format("{0}\n{1}\n{0}", fence, shown);
  if (!is_whole) {
    quoted +=
        fmt::format("\n(cut: about {} of {} characters are shown; {})", count_characters(shown), all, kHowToSeeTheRest);
  }
  return quoted;
}

}  // namespace deputy::model::offline
