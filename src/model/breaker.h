// Keeps from asking what does not answer: after some failures in a row there is a rest, then one try at a time until
// one succeeds. Pure; time comes in.
#pragma once

#include <chrono>

#include "base/clock.h"

namespace deputy::model {

struct BreakerRules {
  int failures = 5;  // in a row
  std::chrono::milliseconds rest = std::chrono::seconds(30);
};

class Breaker {
 public:
  explicit Breaker(BreakerRules rules) : rules_(rules) {}

  /// Whether it may be asked now. After a rest the first who asks is the one try; the others get no for another rest.
  bool lets_through(Timestamp now);
  /// From when on it can be asked; the past when it can be asked at once.
  Timestamp rests_until() const { return until_; }

  void succeeded();
  void failed(Timestamp now);

 private:
  BreakerRules rules_;
  int failures_ = 0;
  Timestamp until_{};
};

}  // namespace deputy::model
