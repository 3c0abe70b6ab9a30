#include "tools/workspace/root_path.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

std::string shown_path(std::string_view path) {
  return fmt::format("`{}`", cut_with_mark(to_valid_utf8(std::string(cut_bytes(path, 1000))), 200));
}

Result<std::string> normal_path(std::string_view path) {
  constexpr auto kHint = "give a path relative to the workspace, such as src/main.cpp";
  if (path.size() > kLongestPath) return fail(ErrorKind::invalid_input, "the path is too long", kHint);
  if (path.contains('\0')) return fail(ErrorKind::invalid_input, "a path cannot contain a NUL byte", kHint);
  if (path.starts_with('/')) {
    return fail(ErrorKind::permission, fmt::format("{} is an absolute path", shown_path(path)), kHint);
  }
  std::string normal;
  for (const std::string_view part : split(path, "/")) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      return fail(ErrorKind::permission, fmt::format("{} leads upwards with `..`", shown_path(path)), kHint);
    }
    normal += normal.empty() ? "" : "/";
    normal += part;
  }
  return normal.empty() ? "." : normal;
}

}  // namespace deputy::tools
