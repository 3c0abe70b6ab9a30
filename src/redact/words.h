// The tables of words that a name or a value is judged by.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace deputy::redact {

using Words = std::span<const std::string_view>;

inline bool among(std::string_view word, Words words) { return std::ranges::find(words, word) != words.end(); }

}  // namespace deputy::redact
