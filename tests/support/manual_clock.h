// A clock that stands still until the test moves it.
#pragma once

#include "base/clock.h"

namespace deputy::test {

class ManualClock final : public Clock {
 public:
  explicit ManualClock(Timestamp start = from_millis(1'700'000'000'000)) : now_(start) {}
  Timestamp now() const override { return now_; }
  void advance(std::chrono::milliseconds by) { now_ += by; }

 private:
  Timestamp now_;
};

}  // namespace deputy::test
