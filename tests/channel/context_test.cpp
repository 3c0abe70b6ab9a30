#include "channel/context.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace deputy::channel {
namespace {

struct Row {
  std::string name;
  int said;
  int most;
  std::string kept;
  std::size_t left_out;
};

class RootAndNewest : public testing::TestWithParam<Row> {};

TEST_P(RootAndNewest, AreKept) {
  std::vector<Said> said;
  for (int i = 1; i <= GetParam().said; ++i)
    said.push_back({.writer = {}, .writer_name = {}, .text = std::to_string(i)});
  const ConversationContext context = root_and_newest(std::move(said), GetParam().most);
  std::vector<std::string> kept;
  kept.reserve(context.said.size());
  for (const Said& one : context.said) kept.push_back(one.text);
  EXPECT_EQ(join(kept, " "), GetParam().kept);
  EXPECT_EQ(context.left_out, GetParam().left_out);
}

INSTANTIATE_TEST_SUITE_P(Conversations, RootAndNewest,
                         testing::Values(Row{"Nothing", 0, 3, "", 0}, Row{"All", 3, 3, "1 2 3", 0},
                                         Row{"Some", 6, 3, "1 5 6", 3}, Row{"TheRootAlone", 6, 1, "1", 5},
                                         Row{"None", 6, 0, "", 6}, Row{"FewerThanNone", 6, -1, "", 6}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::channel
