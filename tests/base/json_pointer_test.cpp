#include "base/json_pointer.h"

#include <gtest/gtest.h>

namespace deputy {
namespace {

TEST(JsonPointer, FindsWhatIsThereAndIsEmptyWhereNothingIs) {
  const json::value document = json::parse(R"({"a": {"b": ["x", 2, true, null]}, "": 5})");
  EXPECT_EQ(text_in(document, "/a/b/0"), "x");
  EXPECT_EQ(text_in(document, "/a/b/1"), "2");
  EXPECT_EQ(text_in(document, "/a/b/3"), "");
  EXPECT_EQ(text_in(document, "/a/b"), "");
  EXPECT_EQ(text_in(document, "/a/c/d"), "");
  EXPECT_EQ(text_in(document, "not a pointer"), "");
  EXPECT_EQ(whole_in(document, "/a/b/1"), 2);
  EXPECT_EQ(whole_in(document, "/a/b/0"), std::nullopt);
  EXPECT_TRUE(is_true_in(document, "/a/b/2"));
  EXPECT_FALSE(is_true_in(document, "/a/b/1"));
  EXPECT_EQ(items_in(document, "/a/b").size(), 4);
  EXPECT_TRUE(items_in(document, "/a").empty());
}

}  // namespace
}  // namespace deputy
