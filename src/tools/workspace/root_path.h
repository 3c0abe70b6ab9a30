// Paths below a root, as text: what may be asked for at all. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::tools {

constexpr std::size_t kLongestPath = 4000;  // bytes

/// The path without empty and `.` parts, "." for the root itself. Absolute paths, `..`, control characters (ends of
/// lines among them) and what is too long are errors that say how a path is given.
Result<std::string> normal_path(std::string_view path);

/// Set in code for a message: cut, and in valid UTF-8.
std::string shown_path(std::string_view path);

}  // namespace deputy::tools
