// Random bytes as text that a person can read aloud: digits and lower-case letters without i, l, o and u. Reading minds
// neither case nor those letters: i and l are 1, o is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace deputy::interaction {

/// `length` characters, five bits of the bytes each; there are enough bytes for them.
std::string random_text(std::span<const std::uint8_t> bytes, std::size_t length);

/// The one spelling of what was typed, or nothing when it has a character that no such text has.
std::optional<std::string> read_random_text(std::string_view typed);

}  // namespace deputy::interaction
