// What changes between two texts, as a unified diff. Small on purpose: for people who approve an edit. Pure.
#pragma once

#include <string>
#include <string_view>

namespace deputy::tools {

constexpr std::size_t kMostDiff = 48'000;  // bytes

/// Empty when nothing changes. Large differences are shown as one block taken out and one put in, and what is longer
/// than `most` bytes is cut with a line that says how many lines are missing.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         std::size_t most = kMostDiff);

}  // namespace deputy::tools
