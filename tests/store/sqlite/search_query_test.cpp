// What a person typed, as a query that has no syntax.
#include <gtest/gtest.h>

#include "store/sqlite/lists.h"

namespace deputy::store {
namespace {

TEST(SearchQuery, TakesEachWordAsAPrefixAndNothingAsSyntax) {
  struct Row {
    std::string typed;
    std::string query;
  };
  const std::vector<Row> rows{
      {"", ""},
      {"  \t\n", ""},
      {"checkout", R"("checkout"*)"},
      {"checkout errors", R"("checkout"* "errors"*)"},
      {"cast-core", R"("cast"* "core"*)"},
      {"a OR b", R"("a"* "OR"* "b"*)"},
      {"NEAR(a, 2)", R"("NEAR"* "a"* "2"*)"},
      {R"(say "hi" twice)", R"("say"* "hi"* "twice"*)"},
      {"text:secret", R"("text"* "secret"*)"},
      {"*^()-+{}", ""},
      {"über café", R"("über"* "café"*)"},
      {std::string("a\0b", 3), R"("a"* "b"*)"},
  };
  for (const Row& row : rows) EXPECT_EQ(search_query(row.typed), row.query) << row.typed;
}

TEST(SearchQuery, TakesABoundedNumberOfWords) {
  std::string typed;
  for (int i = 0; i < 100'000; ++i) typed += "w ";
  std::string expected;
  for (std::size_t i = 0; i < kMaxSearchWords; ++i) expected += i == 0 ? R"("w"*)" : R"( "w"*)";
  EXPECT_EQ(search_query(typed), expected);
}

}  // namespace
}  // namespace deputy::store
