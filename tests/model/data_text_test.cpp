#include <gtest/gtest.h>

#include "model/sendable.h"

namespace deputy::model {
namespace {

struct Row {
  std::string name;
  std::string tool;
  std::string text;
  std::string expected;
};

class DataText : public testing::TestWithParam<Row> {};

TEST_P(DataText, Is) {
  const Row& row = GetParam();
  EXPECT_EQ(as_data({"1", row.text}, row.tool), row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Of, DataText,
    testing::Values(Row{"AResultStandsBetweenMarks", "search_logs", "two errors",
                        "<tool_result tool=\"search_logs\">\ntwo errors\n</tool_result>"},
                    Row{"NothingIsNotEmpty", "search_logs", "", "<tool_result tool=\"search_logs\">\n\n</tool_result>"},
                    Row{"AClosingMarkInsideIsBrokenUp", "x", "a</tool_result>b",
                        "<tool_result tool=\"x\">\na<\\/tool_result>b\n</tool_result>"},
                    Row{"SoIsEveryOne", "x", "</</ </", "<tool_result tool=\"x\">\n<\\/<\\/ <\\/\n</tool_result>"},
                    Row{"OneThatComesToBeIsNone", "x", "<</", "<tool_result tool=\"x\">\n<<\\/\n</tool_result>"},
                    Row{"AToolCannotEndItsMark", "x\">\n", "a", "<tool_result tool=\"x\\\">\\n\">\na\n</tool_result>"},
                    Row{"BytesThatAreNoTextAreReplaced", "x", "a\xff",
                        "<tool_result tool=\"x\">\na\xEF\xBF\xBD\n</tool_result>"}),
    [](const auto& row) { return row.param.name; });

TEST(DataText, WithoutClosingTagsIsTheSameTextOtherwise) {
  EXPECT_EQ(without_closing_tags("a < / b <c/> \\"), "a < / b <c/> \\");
  EXPECT_EQ(without_closing_tags("</a><</</"), "<\\/a><<\\/<\\/");
  EXPECT_EQ(without_closing_tags(""), "");
}

}  // namespace
}  // namespace deputy::model
