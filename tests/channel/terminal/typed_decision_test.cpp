#include "channel/terminal/typed_decision.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::channel {
namespace {

using interaction::Control;

struct Row {
  std::string name;
  std::string typed;
  std::optional<TypedDecision> decision;
};

class TypedAtAnApproval : public testing::TestWithParam<Row> {};

TEST_P(TypedAtAnApproval, Decides) {
  const Result<TypedDecision> read = read_decision(GetParam().typed);
  EXPECT_EQ(read ? std::optional(*read) : std::nullopt, GetParam().decision);
}

INSTANTIATE_TEST_SUITE_P(Lines, TypedAtAnApproval,
                         testing::Values(Row{"Yes", " YES ", {{Control::approve_once}}},
                                         Row{"Letter", "y", {{Control::approve_once}}},
                                         Row{"Always", "a", {{Control::approve_for_thread}}},
                                         Row{"No", "n", {{Control::deny}}},
                                         Row{"NoAndWhy", "no  not today ", {{Control::deny_with_reason, "not today"}}},
                                         Row{"YesAndMore", "yes but later", std::nullopt},
                                         Row{"Else", "maybe", std::nullopt}, Row{"Nothing", "", std::nullopt}),
                         [](const auto& row) { return row.param.name; });

TEST(TypedDecision, KnowsWhatOnlyAsksForMore) {
  EXPECT_TRUE(is_explain(" X "));
  EXPECT_FALSE(is_explain("y"));
  EXPECT_TRUE(is_bare_no("No"));
  EXPECT_FALSE(is_bare_no("no, not today"));
}

}  // namespace
}  // namespace deputy::channel
