#include "tools/workspace/root_path.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

std::string shown_path(std::string_view path) {
  return fmt::format("`{}`", cut_with_mark(to_valid_utf8(std::string(cut_bytes(path, 1000))), 200));
}

namespace {

// It would make lines of its own where a path is shown: in a diff, in a list.
bool has_control(std::string_view path) {
  while (!path.empty()) {
    const CodePoint point = decode_utf8(path);
    const char32_t c = point.value;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029) return true;
    path.remove_prefix(point.bytes);
  }
  return false;
}

}  // namespace

Result<std::string> normal_path(std::string_view path) {
  constexpr auto kHint = "give a path relative to the workspace, such as src/main.cpp";
  if (path.size() > kLongestPath) return fail(ErrorKind::invalid_input, "the path is too long", kHint);
  if (has_control(path)) return fail(ErrorKind::invalid_input, "a path cannot contain a control character", kHint);
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
