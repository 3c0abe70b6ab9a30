// Brings arguments to one spelling by the kind that their parameters declare: it is judged, shown, digested and done,
// and no handler sees another. Pure: where links lead is found out by the runner (ToolSpec::leads_to).
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

/// The arguments must be complete. Doing it again changes nothing.
Result<> settle(const ToolSpec& spec, json::object& arguments);

/// Another text that means the same as a settled value to whoever gets it: a URL without its escapes. Empty: none.
std::string other_spelling(Kind kind, std::string_view settled);

constexpr std::size_t kMaxPath = 4000;  // bytes

/// The path without empty and `.` parts, "." for the root itself. Absolute paths, `..`, control characters (such as
/// line ends) and paths that are too long are errors.
Result<std::string> normal_path(std::string_view path);

/// The name or id of a channel without the signs that people write around it: `#ops` and `<#C1|ops>` become `ops` and
/// `C1`.
std::string channel_name(std::string_view given);

/// The path in backquotes for a message: cut, and in valid UTF-8.
std::string shown_path(std::string_view path);

}  // namespace deputy::toolkit
