#include "model/tool_list.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::model {
namespace {

const ToolList kTools{{"a", "Looks", {{"type", "object"}}}, {"b", "Acts", {}}};

TEST(ToolList, IsReadBackAsItWasWritten) {
  EXPECT_EQ(kTools.text(), R"([{"name":"a","description":"Looks","params":{"type":"object"}},)"
                           R"({"name":"b","description":"Acts","params":{}}])");
  const Result<ToolList> read = read_tools(kTools.text());
  ASSERT_OK(read);
  EXPECT_EQ(*read, kTools);
  EXPECT_EQ(read->digest(), kTools.digest());
  EXPECT_EQ(std::vector(read->begin(), read->end()), std::vector(kTools.begin(), kTools.end()));
}

TEST(ToolList, WithoutToolsIsOneListHoweverItWasMade) {
  EXPECT_EQ(ToolList().text(), "[]");
  EXPECT_EQ(ToolList(std::vector<ToolDescription>{}), ToolList());
  EXPECT_EQ(read_tools("[]").value().digest(), ToolList().digest());
  EXPECT_TRUE(ToolList().empty());
}

TEST(ToolList, WhatIsNoListIsAnError) {
  EXPECT_FAILS(read_tools("{}"), internal);
  EXPECT_FAILS(read_tools("[1]"), internal);
  EXPECT_FAILS(read_tools("[{}]"), invalid_input);
}

}  // namespace
}  // namespace deputy::model
