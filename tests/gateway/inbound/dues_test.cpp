#include "gateway/inbound/dues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/inbound/settle.h"
#include "gateway/people.h"

namespace deputy::gateway {
namespace {

using interaction::Control;
using store::InteractionState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DuesTest : public GatewayTest {
 protected:
  void after(std::chrono::minutes time) {
    clock_.advance(time);
    must(dues_.take());
  }
  Task<> take_dues() { EXPECT_OK(co_await dues_.take()); }
};

TEST_F(DuesTest, AnApprovalIsRemindedOfOnceAtHalfTime) {
  ask(ana_asks(), restart(), "k7q2mx");
  after(std::chrono::minutes(14));
  EXPECT_THAT(sent(), IsEmpty());
  after(std::chrono::minutes(1));
  EXPECT_THAT(sent(), ElementsAre(HasSubstr("Still waiting for approval: Ana asks: restart_service")));
  after(std::chrono::minutes(2));
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(DuesTest, AnExpiredApprovalIsSettledRedrawnAndToldInTheThread) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  after(std::chrono::minutes(30));
  EXPECT_EQ(row_of(asked).state, InteractionState::expired);
  EXPECT_EQ(row_of(asked).responded_by, "");
  EXPECT_EQ(last_of<run::Answered>(lease.run).state, interaction::State::expired);
  const std::vector<std::string> shown = sent();
  EXPECT_THAT(shown, testing::IsSupersetOf({testing::Matcher<std::string>("redraw"),
                                            testing::Matcher<std::string>(HasSubstr("Nobody approved in time"))}));
  EXPECT_THAT(audited(), testing::Contains("expired "));
  EXPECT_GT(mailed_, 0);
  after(std::chrono::minutes(2));
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(DuesTest, AnExpiredFormKeepsItsAnswersSoFar) {
  const store::Lease lease = ana_asks();
  const Asked first = ask(lease, form(), "");
  clicks(kAna, first.token("option:0:1"));
  after(std::chrono::minutes(30));
  EXPECT_EQ(json::serialize(last_of<run::Answered>(lease.run).response),
            R"({"answers":[{"question_label":"env","answer":"staging","is_custom":false}],)"
            R"("completed":false,"reason":"expired: nobody answered in time"})");
}

TEST_F(DuesTest, AnExpiryThatComesWhileAClickIsJudgedWins) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  clock_.advance(std::chrono::minutes(30));
  // Looking the clicker up takes a while, and the due is taken meanwhile.
  people_.meanwhile = [this]() { return take_dues(); };
  const channel::Verdict verdict = clicks(kBo, asked.token(Control::approve_once));
  EXPECT_FALSE(std::holds_alternative<channel::AnswerTaken>(verdict));
  EXPECT_EQ(row_of(asked).state, InteractionState::expired);
  EXPECT_THAT(kinds(lease.run), ElementsAre("received", "asked", "answered"));
}

TEST_F(DuesTest, AClickThatIsStoredBeforeTheExpiryWins) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  clock_.advance(std::chrono::minutes(30) - std::chrono::milliseconds(1));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks(kBo, asked.token(Control::approve_once))));
  after(std::chrono::minutes(1));
  EXPECT_EQ(row_of(asked).state, InteractionState::approved);
  EXPECT_THAT(kinds(lease.run), ElementsAre("received", "asked", "answered"));
}

TEST_F(DuesTest, ADueOfWhatIsOverEnds) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  // As a run does that ends its own question without a word about dues.
  must(store_->admit(message(*store_, "over"), store::ToNobody{},
                     {.settled = {{asked.id, {InteractionState::cancelled, "", "", clock_.now()}}}}));
  after(std::chrono::minutes(31));
  clock_.advance(std::chrono::hours(1));
  EXPECT_THAT(must(store_->take_due(10)).dues, IsEmpty());
}

TEST_F(DuesTest, AFormThatWaitedIsShownWhenItsDueFindsRoom) {
  const Asked waits = ask(ana_asks(), form(), "", false);
  clock_.advance(std::chrono::minutes(1));
  must(store_->admit(message(*store_, "due"), store::ToNobody{},
                     {.dues = {{std::string(run::kShowFormDue), waits.id.text(), clock_.now()}}}));
  must(dues_.take());
  EXPECT_EQ(must(store_->views(waits.id)).size(), 1U);
}

TEST_F(DuesTest, ADueThatNobodyActsOnIsLeftAndTheOthersGoOn) {
  ask(ana_asks(), restart(), "k7q2mx");
  must(store_->admit(message(*store_, "odd"), store::ToNobody{}, {.dues = {{"odd", "1", clock_.now()}}}));
  after(std::chrono::minutes(15));
  EXPECT_THAT(sent(), ElementsAre(HasSubstr("Still waiting")));
}

}  // namespace
}  // namespace deputy::gateway
