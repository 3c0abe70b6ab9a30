// A result as people see it in passing: its first lines, and how many more there are. Pure.
#pragma once

#include <string>
#include <string_view>

namespace deputy::app {

inline constexpr std::size_t kFoldedLines = 10;
inline constexpr std::size_t kLongestFoldedLine = 400;  // characters

/// Escaped, each line behind `indent`; "… N more lines" at its end where there are more.
std::string folded(std::string_view text, std::string_view indent);

}  // namespace deputy::app
