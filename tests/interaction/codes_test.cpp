#include "interaction/codes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::interaction {
namespace {

using testing::HasSubstr;

struct Row {
  std::string name, text;
  TypedDecision expected;
};

class TypedDecisionText : public testing::TestWithParam<Row> {};

TEST_P(TypedDecisionText, IsReadAs) {
  EXPECT_EQ(read_decision(GetParam().text), GetParam().expected) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Codes, TypedDecisionText,
    testing::Values(Row{"ApproveWithACode", "approve k7m2p9", TypedApprove{"k7m2p9"}},
                    Row{"CaseAndSpaceAreNotMinded", "  APPROVE   K7M2P9 ", TypedApprove{"k7m2p9"}},
                    Row{"LettersThatLookLikeDigitsAreThose", "approve oil2p9", TypedApprove{"0112p9"}},
                    Row{"DenyWithACode", "deny k7m2p9", TypedDeny{"k7m2p9", ""}},
                    Row{"DenyWithAReason", "deny k7m2p9  too risky\ntoday ", TypedDeny{"k7m2p9", "too risky\ntoday"}},
                    Row{"Yes", "yes", TypedElse{}}, Row{"Ok", "ok", TypedElse{}},
                    Row{"TheCodeAlone", "k7m2p9", TypedElse{}},
                    Row{"ApproveInASentence", "please approve k7m2p9", TypedElse{}},
                    Row{"ApprovedIsAnotherWord", "approved k7m2p9", TypedElse{}},
                    Row{"ApproveIt", "approve it", TypedElse{}}, Row{"ApproveAll", "approve all", TypedElse{}},
                    Row{"ACodeTooShort", "approve k7m2p", TypedElse{}},
                    Row{"ACodeTooLong", "approve k7m2p9x", TypedElse{}},
                    Row{"ACodeWithALetterNoCodeHas", "approve k7m2pu", TypedElse{}}, Row{"Nothing", "", TypedElse{}}),
    [](const auto& info) { return info.param.name; });

TEST(Codes, ApproveAloneAnswersNothing) {
  EXPECT_THAT(std::get<TypedWrong>(read_decision("approve")).words, HasSubstr("alone does nothing"));
  EXPECT_THAT(std::get<TypedWrong>(read_decision("Deny ")).words, HasSubstr("alone does nothing"));
}

TEST(Codes, MoreWordsAfterApproveAreRefused) {
  EXPECT_THAT(std::get<TypedWrong>(read_decision("approve k7m2p9 but only staging")).words,
              HasSubstr("Nothing was approved"));
}

TEST(Codes, AReasonIsBoundedAndNotCut) {
  EXPECT_THAT(std::get<TypedWrong>(read_decision("deny k7m2p9 " + std::string(1001, 'x'))).words,
              HasSubstr("at most 1000"));
}

const std::vector<PendingCode> kPending{{"I1", "k7m2p9"}, {"I2", "00000a"}, {"I3", "same00"}, {"I4", "same00"}};

TEST(Codes, ACodeFindsItsInteraction) {
  EXPECT_EQ(find_by_code(kPending, "k7m2p9", 0), "I1");
  EXPECT_EQ(find_by_code(kPending, "OOOOOA", 4), "I2");
}

TEST(Codes, AWrongCodeFindsNothing) {
  EXPECT_EQ(find_by_code(kPending, "k7m2p8", 0), std::unexpected(CodeRefusal::no_such_code));
  EXPECT_EQ(find_by_code(kPending, "", 0), std::unexpected(CodeRefusal::no_such_code));
  EXPECT_EQ(find_by_code(std::vector<PendingCode>{{"I1", ""}}, "", 0), std::unexpected(CodeRefusal::no_such_code));
  EXPECT_EQ(words(CodeRefusal::no_such_code, 0), "No pending approval here has that code; 4 tries are left.");
  EXPECT_EQ(words(CodeRefusal::no_such_code, 3), "No pending approval here has that code; 1 try is left.");
}

TEST(Codes, TwoCardsWithOneCodeAreAnsweredByNeither) {
  EXPECT_EQ(find_by_code(kPending, "same00", 0), std::unexpected(CodeRefusal::no_such_code));
}

TEST(Codes, AfterFiveWrongOnesTheRightOneIsNotTakenEither) {
  EXPECT_EQ(find_by_code(kPending, "k7m2p9", 5), std::unexpected(CodeRefusal::no_tries_left));
  EXPECT_THAT(words(CodeRefusal::no_tries_left, 5), HasSubstr("Too many wrong codes"));
}

TEST(Codes, AreSixCharactersOfThirtyBits) {
  EXPECT_EQ(make_code({0, 0, 0, 0}), "000000");
  EXPECT_EQ(make_code({0xFF, 0xFF, 0xFF, 0xFF}), "zzzzzz");
  // 00001 00010 00011 00100 00101 00110 00
  EXPECT_EQ(make_code({0x08, 0x86, 0x42, 0x98}), "123456");
}

TEST(Tokens, AreTwentyBytesAndKnownByTheirShape) {
  const std::string token = make_token({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  EXPECT_EQ(token.size(), 20U);
  EXPECT_TRUE(is_token(token));
  EXPECT_FALSE(is_token(token + "0"));
  EXPECT_FALSE(is_token("approve:I1:Umlaut ü…"));
  EXPECT_FALSE(is_token("O" + token.substr(1)));
  EXPECT_NE(token, make_token({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 253}));
}

TEST(Tokens, MeanAnAction) {
  const Action all{Control::approve_all, {{"I1", "d1"}, {"I2", "d2"}}, std::nullopt, std::nullopt};
  EXPECT_EQ(read_action(write_action(all)), all);
  const Action option{Control::option, {{"I1", ""}}, 3, 24};
  EXPECT_EQ(read_action(write_action(option)), option);
  EXPECT_FALSE(read_action("approve"));
  EXPECT_FALSE(read_action(R"({"control":"launch","on":[]})"));
}

}  // namespace
}  // namespace deputy::interaction
