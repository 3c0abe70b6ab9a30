#include "tools/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace deputy::tools {

Result<std::string> lines_of_file(std::string_view text, std::string_view name, std::optional<int> first,
                                  std::optional<int> last) {
  if (text.contains('\0')) return fail(ErrorKind::invalid_input, fmt::format("{} is not a text file", name));
  const int from = first.value_or(1);
  const int to = last.value_or(std::numeric_limits<int>::max());
  std::string wanted;
  int line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (++line >= from && line <= to) wanted += text.substr(0, end);
    text.remove_prefix(end);
  }
  if (line < from && from > 1) return fail(ErrorKind::invalid_input, fmt::format("{} has {} lines", name, line));
  if (!wanted.empty() && !wanted.ends_with('\n')) wanted += '\n';
  if (from > 1 || to < line) wanted += fmt::format("[lines {} to {} of {}]\n", from, std::min(to, line), line);
  return wanted.empty() ? "(the file is empty)" : to_valid_utf8(std::move(wanted));
}

}  // namespace deputy::tools
