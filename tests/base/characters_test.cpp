#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/text.h"

namespace deputy {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kLarge = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::string members_of(bool (*is_member)(char)) {
  std::string members;
  for (int byte = 0; byte < 256; ++byte) {
    if (is_member(static_cast<char>(byte))) members += static_cast<char>(byte);
  }
  return members;
}

TEST(Characters, OfAllBytesOnlyThoseOfAsciiAreInAClass) {
  EXPECT_EQ(members_of(is_digit), kDigits);
  EXPECT_EQ(members_of(is_lower), kSmall);
  EXPECT_EQ(members_of(is_upper), kLarge);
  EXPECT_EQ(members_of(is_letter), std::string(kLarge) + std::string(kSmall));
  EXPECT_EQ(members_of(is_letter_or_digit), std::string(kDigits) + std::string(kLarge) + std::string(kSmall));
}

}  // namespace
}  // namespace deputy
