#include "app/chat/folded.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/plain_text.h"

namespace deputy::app {

std::string folded(std::string_view text, std::string_view indent) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string shown;
  std::size_t lines = 0;
  while (!text.empty() && lines < kFoldedLines) {
    const std::size_t end = text.find('\n');
    shown += fmt::format("{}{}\n", indent, channel::shown_line(cut_with_mark(text.substr(0, end), kLongestFoldedLine)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++lines;
  }
  if (text.empty()) return shown;
  const auto more = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  return shown + fmt::format("{}… {} more line{}\n", indent, more, more == 1 ? "" : "s");
}

}  // namespace deputy::app
