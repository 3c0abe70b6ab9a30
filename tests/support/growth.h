// Whether work grows with its input or faster, told by one run of it against another: no machine is too slow for it,
// however busy.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace deputy::test {

/// How many times longer the work takes on eight times the text, in processor time: about 8 when it is linear, 64 when
/// it is quadratic. The longer text is `piece` again and again, `size` bytes of it.
double growth(std::string_view piece, std::size_t size, const std::function<void(const std::string& text)>& work);

inline constexpr double kMaxGrowth = 30;

}  // namespace deputy::test
