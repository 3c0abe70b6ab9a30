// A Model built from providers that may fail: retries with jitter, a total time limit, a circuit breaker per provider,
// and fallback to the next provider. The only place that retries model requests and knows prices.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "model/model.h"
#include "model/prices.h"

namespace deputy::model {

struct BreakerRules {
  int failures = 5;  // in a row
  std::chrono::milliseconds rest = std::chrono::seconds(30);
};

/// A circuit breaker: after some failures in a row it refuses requests for a while, then lets one through at a time
/// until one succeeds. Pure: the caller passes the time.
class Breaker {
 public:
  explicit Breaker(BreakerRules rules) : rules_(rules) {}

  /// True when a request may go out now. After the rest the first caller may try; the others wait for another rest.
  bool lets_through(Timestamp now);
  /// The time from which requests may go out; in the past if they may go out now.
  Timestamp rests_until() const { return until_; }

  void succeeded();
  void failed(Timestamp now);

 private:
  BreakerRules rules_;
  int failures_ = 0;
  Timestamp until_{};
};

struct RetryRules {
  int tries = 4;  // per provider and request
  std::chrono::milliseconds first_wait{500};
  std::chrono::milliseconds max_wait = std::chrono::seconds(8);  // a provider may ask for a longer wait
  std::chrono::milliseconds total = std::chrono::minutes(10);    // all tries and waits together
};

/// A provider and its properties.
struct Candidate {
  std::shared_ptr<Provider> provider;
  std::optional<Price> price = {};
  std::int64_t context_tokens = 0;  // 0: the provider itself reports an overflow
};

/// Sleeping and randomness, replaceable in tests.
struct Waiting {
  std::function<Task<>(std::chrono::milliseconds)> sleep = [](std::chrono::milliseconds time) {
    return sleep_for(time);
  };
  std::function<double()> chance;  // 0 to 1
};
Waiting really_wait();

class Telling;

class ReliableModel final : public Model {
 public:
  /// Asks the providers in this order; at least one is needed. The clock must outlive the model.
  ReliableModel(std::vector<Candidate> ways, const Clock& clock, RetryRules retries = {}, BreakerRules breaker = {},
                Waiting waiting = really_wait());

  std::string_view name() const override { return ways_.front().way.provider->name(); }
  Task<Result<Reply>> ask(Request request, OnText on_text) override;
  bool takes_images() const override { return true; }
  std::int64_t context_tokens() const override;
  using Model::cost_of;
  /// At the first provider's price.
  std::optional<std::int64_t> cost_of(const Usage& usage) const override;

 private:
  struct Guarded {
    Candidate way;
    Breaker breaker;
  };

  Task<Result<Reply>> ask_in_order(Request request, OnText on_text);
  Task<Result<Reply>> ask_one(Guarded& guarded, Request request, std::shared_ptr<Telling> telling, Timestamp until);
  static Reply by_stand_in(const Candidate& way, Reply reply);
  std::chrono::milliseconds wait_after(const Error& error, int tries) const;

  std::vector<Guarded> ways_;
  const Clock& clock_;
  RetryRules retries_;
  Waiting waiting_;
};

}  // namespace deputy::model
