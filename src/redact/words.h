// The tables of words that a name or a value is judged by.
#pragma once

#include <span>
#include <string_view>

namespace deputy::redact {

using Words = std::span<const std::string_view>;

}  // namespace deputy::redact
