// Whether a range holds a value: what std::ranges::contains does, which the standard library in use has not got yet.
// For short lists and tables; the one way to ask it.
#pragma once

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace deputy {

/// `contains(kWords, word)`, or by a member: `contains(tools, name, &Tool::name)`.
template <std::ranges::input_range Range, class Value, class Projection = std::identity>
constexpr bool contains(const Range& range, const Value& value, Projection projection = {}) {
  return std::ranges::find(range, value, std::move(projection)) != std::ranges::end(range);
}

}  // namespace deputy
