// A value that must never be seen. It cannot be printed, formatted, compared in variable time or serialised: there is
// no operator for any of these, and `reveal` is easy to find in a review.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace deputy {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret();

  bool empty() const { return value_.empty(); }

  /// The value itself: for the one place that sends it where it belongs.
  const std::string& reveal() const { return value_; }

  /// True when both hold the same bytes; takes the same time wherever they differ.
  bool equals(std::string_view other) const;

 private:
  void wipe();

  std::string value_;
};

}  // namespace deputy

// On purpose: it is the one formatter that cannot be made.
template <>
struct fmt::formatter<deputy::Secret> {
  formatter() = delete;
};

namespace deputy {

// Bytes nobody can guess: for salts, codes and tokens.

/// Fills `bytes` from the operating system's generator; ends the process when there is none, because nothing may go on
/// with less.
void fill_random(std::span<unsigned char> bytes);

std::string random_bytes(std::size_t count);

}  // namespace deputy
