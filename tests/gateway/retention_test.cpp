// A round of removing what is too old: all of it, and by one instance only.
#include "gateway/gateway.h"
#include "store/settings.h"
#include "store/sqlite_fixture.h"

namespace deputy::gateway {
namespace {

class RetentionRound : public store::SqliteTest {
 protected:
  RetentionRound() : first_(open()), second_(open()) {}

  void round(store::Store& store) { must(remove_what_is_old(store, retention_of(store::RetentionSettings{}))); }

  std::unique_ptr<store::SqliteStore> first_;
  std::unique_ptr<store::SqliteStore> second_;
};

TEST_F(RetentionRound, TakesABacklogOfOneKindWhole) {
  store::Effects effects;
  for (int i = 0; i < 450; ++i) {
    store::GrantRow grant;
    grant.id = GrantId::make(clock_.now());
    grant.ends_at = clock_.now();
    effects.grants.push_back(grant);
  }
  must(first_->admit(message(*first_, "m1"), store::ToNobody{}, effects));
  clock_.advance(std::chrono::days(500));
  round(*first_);
  EXPECT_EQ(must(first_->grants({.live_only = false})).size(), 0U);
}

TEST_F(RetentionRound, IsLeftToTheInstanceThatBegan) {
  const auto is_known = [&] {
    return must(first_->admit(message(*first_, "m1"), store::ToNobody{}, {})).how == store::Admitted::How::duplicate;
  };
  EXPECT_FALSE(is_known());
  round(*second_);
  clock_.advance(std::chrono::days(30));
  round(*first_);
  EXPECT_TRUE(is_known()) << "the second one sees to it";
  second_.reset();
  round(*first_);
  EXPECT_FALSE(is_known());
}

}  // namespace
}  // namespace deputy::gateway
