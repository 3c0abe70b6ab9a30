#include "tools/workspace/edits.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

Result<std::string> apply_edits(std::string text, const std::vector<Edit>& edits) {
  std::size_t number = 0;
  for (const auto& [old_string, new_string] : edits) {
    ++number;
    const auto refuse = [&](std::string_view why, std::string hint) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("edit {} cannot be made: `{}` {}", number, cut_with_mark(old_string, 80), why),
                  std::move(hint));
    };
    if (old_string.empty()) return refuse("names no passage", "to write a whole file use write_file");
    if (old_string == new_string) return refuse("would be replaced by itself", "leave this edit out");
    const std::size_t at = text.find(old_string);
    if (at == std::string::npos) return refuse("is not in the file", "read the file and copy the passage exactly");
    if (text.find(old_string, at + 1) != std::string::npos) {
      return refuse("stands in the file more than once", "give more of the lines around it");
    }
    text.replace(at, old_string.size(), new_string);
  }
  return text;
}

}  // namespace deputy::tools
