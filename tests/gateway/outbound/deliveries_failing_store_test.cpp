// Deliveries over a store that is busy or full for a while: what went out is recorded, once, and nothing waits for
// ever.
#include <gmock/gmock.h>

#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using store::DeliveryState;
using testing::ElementsAre;

class DeliveriesOverAFailingStore : public DeliveryBench {};

TEST_F(DeliveriesOverAFailingStore, WhatWentOutIsRecordedOnceTheStoreHasTimeAndWhatComesAfterItGoesOut) {
  for (const Error& error : {test::store_is_busy(), test::store_is_full()}) {
    const RunId run = run_that_owes({notice("One."), notice("Two.")});
    failing_->fail("change_delivery", 1, error, 3);
    deliver();
    EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
  }
  EXPECT_EQ(seen(), "[1] deputy: One.\n[2] deputy: Two.\n[3] deputy: One.\n[4] deputy: Two.\n");
  EXPECT_EQ(deliveries_->counts().store_errors, 6);
}

TEST_F(DeliveriesOverAFailingStore, WhatIsNotOursAnyMoreIsNotRecordedByUs) {
  run_that_owes({notice("One.")});
  failing_->fail("change_delivery", 1, {ErrorKind::conflict, "not held by this instance"}, 1000);
  deliver();
  EXPECT_EQ(failing_->failed("change_delivery"), 1);
}

TEST_F(DeliveriesOverAFailingStore, WhatCannotBeReadNowIsSentLater) {
  for (const char* method : {"journal", "deliveries", "runs", "take_deliveries"}) {
    const RunId run = run_that_owes({acknowledgement(), answer("All is well.")});
    failing_->fail(method, 1, test::store_is_busy());
    for (int i = 0; i < 4; ++i) deliver_after(5s);
    EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent)) << method;
    EXPECT_EQ(failing_->failed(method), 1) << method;
  }
  EXPECT_EQ(channel_->shown_in(kHere).size(), 4U) << seen();
}

}  // namespace
}  // namespace deputy::gateway
