// Secrets, random bytes and signatures. A Secret cannot be printed, formatted, compared in variable time or serialised:
// it has no operator for any of these, and `reveal` is easy to find in a review.
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

  /// The value itself: only for the code that sends it where it belongs.
  const std::string& reveal() const { return value_; }

  /// True when both hold the same bytes. Takes the same time wherever they differ.
  bool equals(std::string_view other) const;

 private:
  void wipe();

  std::string value_;
};

/// Fills `bytes` from the operating system's random generator, for salts, codes and tokens. Aborts when there is none:
/// nothing weaker is acceptable.
void fill_random(std::span<unsigned char> bytes);

std::string random_bytes(std::size_t count);

/// The HMAC-SHA256 of a text: 32 bytes.
Secret hmac_sha256(const Secret& key, std::string_view text);

/// Bytes in hexadecimal, lower case.
std::string to_hex(std::string_view bytes);

}  // namespace deputy

// Deleted on purpose, so that formatting a secret does not compile.
template <>
struct fmt::formatter<deputy::Secret> {
  formatter() = delete;
};
