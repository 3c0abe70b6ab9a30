#include "base/secret.h"

#include <gtest/gtest.h>

#include <concepts>
#include <ostream>

#include "base/json.h"
#include "base/log.h"

namespace deputy {
namespace {

template <class T>
concept Streamable = requires(std::ostream& out, const T& value) { out << value; };

static_assert(Streamable<std::string> && !Streamable<Secret>);
static_assert(fmt::is_formattable<std::string>::value && !fmt::is_formattable<Secret>::value);
static_assert(!std::convertible_to<Secret, std::string> && !std::convertible_to<Secret, std::string_view>);
static_assert(!std::convertible_to<std::string, Secret>);
static_assert(!std::equality_comparable<Secret>);
static_assert(!std::constructible_from<log::Value, Secret>);
static_assert(!std::constructible_from<json::value, Secret>);

const std::string kLong(100, 'x');  // beyond what a string keeps inside itself

TEST(Secret, RevealsWhatItHolds) {
  EXPECT_EQ(Secret("hunter2").reveal(), "hunter2");
  EXPECT_FALSE(Secret("hunter2").empty());
  EXPECT_TRUE(Secret().empty());
}

TEST(Secret, EqualsOnlyTheSameBytes) {
  const Secret secret("hunter2");
  EXPECT_TRUE(secret.equals("hunter2"));
  EXPECT_FALSE(secret.equals("hunter3"));
  EXPECT_FALSE(secret.equals("hunter"));
  EXPECT_FALSE(secret.equals("hunter22"));
  EXPECT_FALSE(secret.equals(""));
  EXPECT_TRUE(Secret().equals(""));
  EXPECT_TRUE(Secret(std::string("a\0b", 3)).equals(std::string_view("a\0b", 3)));
  EXPECT_FALSE(Secret(std::string("a\0b", 3)).equals(std::string_view("a\0c", 3)));
}

TEST(Secret, IsEmptyWhenMovedFrom) {
  for (const std::string& value : {std::string("short"), kLong}) {
    Secret first(value);
    Secret second(std::move(first));
    EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): that is the promise
    Secret third("other");
    third = std::move(second);
    EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(third.reveal(), value);
  }
}

TEST(Secret, CopiesAreTheirOwn) {
  const Secret first(kLong);
  Secret second = first;
  Secret third("other");
  third = first;
  second = Secret("changed");
  Secret& same = third;
  third = same;
  EXPECT_EQ(first.reveal(), kLong);
  EXPECT_EQ(second.reveal(), "changed");
  EXPECT_EQ(third.reveal(), kLong);
}

}  // namespace
}  // namespace deputy
