// A Model made of providers that may fail: retries with jitter, a total time, a breaker for each, the next one when one
// does not answer. It is the only place that retries a model, and the only one that knows prices.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "model/model.h"
#include "model/prices.h"

namespace deputy::model {

// Keeps from asking what does not answer: after some failures in a row there is a rest, then one try at a time until
// one succeeds. Pure; time comes in.

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

struct RetryRules {
  int tries = 4;  // of one provider, for one request
  std::chrono::milliseconds first_wait{500};
  std::chrono::milliseconds longest_wait = std::chrono::seconds(8);  // what the provider itself asks for may be longer
  std::chrono::milliseconds total = std::chrono::minutes(10);        // all tries and waits together
};

/// One provider with what is known of it.
struct Way {
  std::shared_ptr<Provider> provider;
  std::optional<Price> price = {};
  std::int64_t context_tokens = 0;  // how much fits; 0: it will say so itself
};

/// How waiting is done and what chance says; tests have their own.
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
  /// Asked in this order; there is at least one. The clock outlives it.
  ReliableModel(std::vector<Way> ways, const Clock& clock, RetryRules retries = {}, BreakerRules breaker = {},
                Waiting waiting = really_wait());

  std::string_view name() const override { return ways_.front().way.provider->name(); }
  Task<Result<Reply>> ask(Request request, OnText on_text) override;
  std::int64_t context_tokens() const override;
  using Model::cost_of;
  /// At the price of the first.
  std::optional<std::int64_t> cost_of(const Usage& usage) const override;

 private:
  struct Guarded {
    Way way;
    Breaker breaker;
  };

  Task<Result<Reply>> ask_in_order(Request request, OnText on_text);
  Task<Result<Reply>> ask_one(Guarded& guarded, Request request, std::shared_ptr<Telling> telling, Timestamp until);
  static Reply by_stand_in(const Way& way, Reply reply);
  std::chrono::milliseconds wait_after(const Error& error, int tries) const;

  std::vector<Guarded> ways_;
  const Clock& clock_;
  RetryRules retries_;
  Waiting waiting_;
};

}  // namespace deputy::model
