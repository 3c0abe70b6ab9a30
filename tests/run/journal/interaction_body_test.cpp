#include "run/journal/interaction_body.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::run {
namespace {

TEST(InteractionBody, ThatIsDamagedIsNoMistakeOfWhoAnswers) {
  store::InteractionRow row;
  for (const char* body : {"", "[]", "{}", R"({"card": 1})"}) {
    row.body = body;
    EXPECT_FAILS(read_interaction_body(row), internal) << body;
  }
}

}  // namespace
}  // namespace deputy::run
