// The shape of a message: what stays when numbers, ids, times and quoted values are taken out, so that entries that say
// the same count together: "took 31 ms for 'a'" and "took 7 ms for 'b'" are both `took {n} ms for "…"`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace deputy::tools {

inline constexpr std::size_t kLongestShape = 240;    // bytes
inline constexpr std::size_t kMostOfAMessage = 400;  // bytes that are looked at

/// Appends the shape of any bytes to `into`. Linear; adds at most kLongestShape bytes and a mark where it was cut. The
/// shape is as valid as the message is: who shows it makes it UTF-8.
void append_shape(std::string_view message, std::string& into);

inline std::string shape_of(std::string_view message) {
  std::string shape;
  append_shape(message, shape);
  return shape;
}

}  // namespace deputy::tools
