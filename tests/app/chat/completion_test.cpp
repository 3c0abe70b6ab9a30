#include "app/chat/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

using testing::ElementsAre;

class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    folder_.write("notes.txt", "");
    folder_.write("nested/deep.txt", "");
    folder_.write(".hidden", "");
  }
  std::vector<std::string> choices(std::string_view typed) {
    const channel::Completion completion = complete(typed, {.tools = {"shell", "search_logs", "search_code"},
                                                            .services = {"checkout", "cart"},
                                                            .models = {"anthropic/x"},
                                                            .folder = folder_.path()});
    for (const std::string& choice : completion.choices)
      EXPECT_TRUE(choice.starts_with(typed.substr(typed.size() - completion.replaces))) << choice;
    return completion.choices;
  }

  test::TemporaryFolder folder_;
};

TEST_F(CompletionTest, CommandsStandFirst) {
  EXPECT_THAT(choices("/ta"), ElementsAre("/tasks"));
  EXPECT_THAT(choices("see /ta"), ElementsAre());
}

TEST_F(CompletionTest, ToolsFollowCall) {
  EXPECT_THAT(choices("/call search_"), ElementsAre("search_code", "search_logs"));
  EXPECT_THAT(choices("/tasks se"), ElementsAre());
}

TEST_F(CompletionTest, ServicesAndToolsAreNamesInASentence) {
  EXPECT_THAT(choices("restart ch"), ElementsAre("checkout"));
  EXPECT_THAT(choices("use sh"), ElementsAre("shell"));
  EXPECT_THAT(choices("a c"), ElementsAre());
  EXPECT_THAT(choices(""), ElementsAre());
}

TEST_F(CompletionTest, FilesFollowAnAt) {
  EXPECT_THAT(choices("see @n"), ElementsAre("@nested/", "@notes.txt"));
  EXPECT_THAT(choices("@nested/"), ElementsAre("@nested/deep.txt"));
  EXPECT_THAT(choices("@.h"), ElementsAre("@.hidden"));
  EXPECT_THAT(choices("@nowhere/x"), ElementsAre());
}

}  // namespace
}  // namespace deputy::app
