#include "interaction/lifecycle.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::interaction {
namespace {

constexpr Timestamp at(int minute) { return Timestamp{std::chrono::minutes{minute}}; }

TEST(ToldToModel, APersonSaidNoAndWhy) {
  EXPECT_EQ(told_to_model({State::denied, "Bo", at(1), Scope::once, "too risky"}),
            "Denied by Bo: too risky. It did not run and changed nothing.");
  EXPECT_EQ(told_to_model({State::denied, "Bo", at(1), Scope::once, ""}),
            "Denied by Bo, without a reason. It did not run and changed nothing.");
}

TEST(ToldToModel, ARuleSaidNo) {
  EXPECT_EQ(told_of_rule("shell may not `rm -rf`"),
            "Denied by a rule, not by a person: shell may not `rm -rf`. It did not run, and asking again will not "
            "change that.");
}

TEST(ToldToModel, NobodyAnsweredInTime) {
  EXPECT_EQ(told_to_model({State::expired, "", at(30), Scope::once, ""}),
            "Denied because nobody who may approve it answered in time. It did not run and changed nothing.");
}

TEST(ToldToModel, WhoApproved) {
  EXPECT_EQ(told_to_model({State::approved, "Bo", at(1), Scope::once, ""}), "Approved by Bo.");
  EXPECT_EQ(told_to_model({State::approved, "Bo", at(1), Scope::for_thread, ""}), "Approved by Bo for this thread.");
}

TEST(AnsweredMail, OfAnApproval) {
  const Answered mail = answered("I1", "c1", Settled{State::approved, "Bo", at(1), Scope::for_thread, ""}, "G1");
  EXPECT_EQ(to_json(mail), parse_json_object(R"({"interaction":"I1","call":"c1","state":"approved","by":"Bo",
                                                 "response":{"scope":"thread"},"grant":"G1"})"));
  EXPECT_EQ(parse_arguments<Answered>(to_json(mail)), mail);
}

TEST(AnsweredMail, OfADenial) {
  const Answered mail = answered("I1", "c1", Settled{State::denied, "Bo", at(1), Scope::once, "no"}, std::nullopt);
  EXPECT_EQ(mail, (Answered{"I1", "c1", State::denied, "Bo", {{"reason", "no"}}, std::nullopt}));
  EXPECT_EQ(parse_arguments<Answered>(to_json(mail)), mail);
}

TEST(AnsweredMail, OfAForm) {
  const Answered mail =
      answered("I1", "c1", FormResult{{{"a", "x", true, std::nullopt}}, true, "", State::answered}, "Ana");
  EXPECT_EQ(mail.state, State::answered);
  EXPECT_EQ(
      mail.response,
      parse_json_object(R"({"answers":[{"question_label":"a","answer":"x","is_custom":true}],"completed":true})"));
  EXPECT_EQ(answered("I1", "c1", unanswered(Unanswered::expired, "", {}), "").state, State::expired);
}

TEST(InteractionDues, AnApprovalRemindsAtHalfTimeAndExpires) {
  EXPECT_EQ(dues(Kind::approval, at(10), at(40)),
            (std::vector<Due>{{Due::Kind::expiry, at(40)}, {Due::Kind::reminder, at(25)}}));
}

TEST(InteractionDues, AFormOnlyExpires) {
  EXPECT_EQ(dues(Kind::questions, at(10), at(40)), (std::vector<Due>{{Due::Kind::expiry, at(40)}}));
}

}  // namespace
}  // namespace deputy::interaction
