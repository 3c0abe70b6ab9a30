#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace deputy {
namespace {

constexpr std::string_view kWords[] = {"in", "on"};
static_assert(contains(kWords, "on"));
static_assert(!contains(kWords, "of"));

TEST(Contains, ComparesWhatIsOfOtherTypes) {
  EXPECT_TRUE(contains(std::vector<std::string>{"ana", "bo"}, std::string_view("bo")));
  EXPECT_FALSE(contains(std::vector<std::string>{"ana", "bo"}, "b"));
  EXPECT_FALSE(contains(std::vector<std::string>{}, ""));
}

TEST(Contains, LooksAtAMember) {
  struct Tool {
    std::string name;
  };
  const std::array<Tool, 2> tools{{{"shell"}, {"fetch"}}};
  EXPECT_TRUE(contains(tools, "fetch", &Tool::name));
  EXPECT_FALSE(contains(tools, "grep", &Tool::name));
}

}  // namespace
}  // namespace deputy
