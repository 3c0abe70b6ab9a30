#include "model/reliable.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"

namespace deputy::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Price kPrice{.input = 3, .output = 15, .cache_read = 0.3, .cache_write = 3.75};

Error overloaded() { return {ErrorKind::upstream, "it is overloaded", "", true}; }
Error limited(milliseconds wait) { return {ErrorKind::rate_limit, "too many requests", "", true, wait}; }
Error refused() { return {ErrorKind::authentication, "the key is wrong", "set another"}; }

/// Gives what it was told to, one after the other; the last again and again.
class PlayedProvider final : public Provider {
 public:
  struct Play {
    std::string text;
    std::optional<Error> error;  // after the text
  };

  PlayedProvider(std::string name, std::deque<Play> plays) : name_(std::move(name)), plays_(std::move(plays)) {}

  std::string_view name() const override { return name_; }
  Task<Result<Reply>> attempt(Request, OnText on_text) override {
    ++asked;
    const Play play = plays_.front();
    if (plays_.size() > 1) plays_.pop_front();
    if (!play.text.empty()) on_text(play.text);
    if (play.error) co_return std::unexpected(*play.error);
    co_return Reply{.blocks = {Text{play.text}}, .usage = usage};
  }

  int asked = 0;
  Usage usage{.input_tokens = 1000, .output_tokens = 100};

 private:
  std::string name_;
  std::deque<Play> plays_;
};

using Plays = std::deque<PlayedProvider::Play>;

class ReliableTest : public testing::Test {
 protected:
  std::shared_ptr<PlayedProvider> add(std::string name, Plays plays, std::int64_t context_tokens = 0) {
    auto provider = std::make_shared<PlayedProvider>(std::move(name), std::move(plays));
    ways_.push_back({provider, kPrice, context_tokens});
    return provider;
  }

  ReliableModel make(RetryRules retries = {}, BreakerRules breaker = {}) {
    Waiting waiting{.sleep =
                        [this](milliseconds time) {
                          waits_.push_back(time);
                          clock_.advance(time);
                          return nothing();
                        },
                    .chance = [] { return 1.0; }};
    return {ways_, clock_, retries, breaker, waiting};
  }

  Result<Reply> ask(ReliableModel& model) {
    heard_.clear();
    return test::run(model.ask({.system = std::string(4000, 'x'), .max_tokens = 100},
                               [this](std::string_view part) { heard_ += part; }));
  }

  static Task<> nothing() { co_return; }

  test::ManualClock clock_;
  std::vector<Candidate> ways_;
  std::vector<milliseconds> waits_;
  std::string heard_;
};

TEST_F(ReliableTest, WhatMayDoBetterLaterIsTriedAgainWithLongerWaits) {
  const auto provider = add("a/one", {{"", overloaded()}, {"", overloaded()}, {"", overloaded()}, {"well"}});
  ReliableModel model = make();
  const auto reply = ask(model);
  ASSERT_OK(reply);
  EXPECT_EQ(text_of(*reply), "well");
  EXPECT_EQ(provider->asked, 4);
  EXPECT_EQ(waits_, (std::vector<milliseconds>{milliseconds(500), milliseconds(1000), milliseconds(2000)}));
}

TEST_F(ReliableTest, TokensAreBoundedByWhatWasSentAndAskedFor) {
  constexpr std::int64_t kMany = 1'000'000'000'000'000'000;
  const auto provider = add("a/one", {{"well"}});
  ReliableModel model = make();
  for (const Usage& claimed : {Usage{.input_tokens = kMany, .output_tokens = kMany},
                               Usage{.cache_read_tokens = kMany, .cache_write_tokens = kMany},
                               Usage{.input_tokens = -kMany, .output_tokens = -kMany}}) {
    provider->usage = claimed;
    const auto reply = ask(model);
    ASSERT_OK(reply);
    EXPECT_GE(reply->usage.tokens(), 0);
    EXPECT_LE(reply->usage.tokens(), 4000 + 100 + 2000);
  }
}

TEST_F(ReliableTest, ItGivesUpAfterItsTries) {
  const auto provider = add("a/one", {{"", overloaded()}});
  ReliableModel model = make({.tries = 3});
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "it is overloaded");
  EXPECT_EQ(provider->asked, 3);
}

TEST_F(ReliableTest, WhatCannotDoBetterIsNotTriedAgain) {
  const auto provider = add("a/one", {{"", refused()}});
  ReliableModel model = make();
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), refused());
  EXPECT_EQ(provider->asked, 1);
  EXPECT_TRUE(waits_.empty());
}

TEST_F(ReliableTest, TheTimeTheProviderAsksForIsWaited) {
  add("a/one", {{"", limited(seconds(17))}, {"well"}});
  ReliableModel model = make();
  ASSERT_OK(ask(model));
  EXPECT_EQ(waits_, std::vector<milliseconds>{seconds(17)});
}

TEST_F(ReliableTest, ATimeBeyondTheTotalIsNotWaited) {
  const auto provider = add("a/one", {{"", limited(std::chrono::hours(1))}});
  ReliableModel model = make();
  ASSERT_FALSE(ask(model));
  EXPECT_EQ(provider->asked, 1);
  EXPECT_TRUE(waits_.empty());
}

TEST_F(ReliableTest, TheFallbackAnswersAndIsNamedAndPaidFor) {
  const auto first = add("a/one", {{"", overloaded()}});
  add("b/two", {{"well"}});
  ways_[1].price = Price{.input = 1, .output = 5};
  ReliableModel model = make({.tries = 2});
  const auto reply = ask(model);
  ASSERT_OK(reply);
  EXPECT_EQ(reply->by, (Fallback{"b/two", 1500}));
  EXPECT_EQ(model.cost_of(*reply), 1500);
  EXPECT_EQ(first->asked, 2);
  EXPECT_EQ(model.name(), "a/one");
}

TEST_F(ReliableTest, WithAFallbackALongWaitIsNotWaited) {
  add("a/one", {{"", limited(seconds(30))}});
  add("b/two", {{"well"}});
  ReliableModel model = make();
  ASSERT_OK(ask(model));
  EXPECT_TRUE(waits_.empty());
}

TEST_F(ReliableTest, AFallbackThatAsksForTimeIsWaitedFor) {
  add("a/one", {{"", refused()}});
  add("b/two", {{"", limited(seconds(10))}, {"well"}});
  ReliableModel model = make();
  ASSERT_OK(ask(model));
  EXPECT_EQ(waits_, std::vector<milliseconds>{seconds(10)});
}

TEST_F(ReliableTest, WhenTheFallbackIsBrokenTheFirstIsWaitedForAfterAll) {
  const auto first = add("a/one", {{"", limited(seconds(20))}, {"well"}});
  add("b/two", {{"", refused()}});
  ReliableModel model = make();
  const auto reply = ask(model);
  ASSERT_OK(reply);
  EXPECT_EQ(reply->by, std::nullopt);
  EXPECT_EQ(first->asked, 2);
  EXPECT_EQ(waits_, std::vector<milliseconds>{seconds(20)});
}

TEST_F(ReliableTest, WaitsAreHeldToTheTimeThatIsLeft) {
  const auto only = add("a/one", {{"", limited(std::chrono::minutes(6))}});
  ReliableModel model = make();
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::rate_limit);
  EXPECT_EQ(only->asked, 2);
}

TEST_F(ReliableTest, WhenNobodyAnswersTheFirstOnesErrorIsTold) {
  add("a/one", {{"", refused()}});
  add("b/two", {{"", overloaded()}});
  ReliableModel model = make({.tries = 1});
  const auto reply = ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), refused());
}

TEST_F(ReliableTest, AReplyThatBrokeOffSaysSoAndBeginsAgain) {
  add("a/one", {{"Two err", overloaded()}, {"Two errors."}});
  ReliableModel model = make();
  const auto reply = ask(model);
  ASSERT_OK(reply);
  EXPECT_EQ(text_of(*reply), "Two errors.");
  EXPECT_EQ(heard_, "Two err\n\n(The reply was cut off; it starts again.)\n\nTwo errors.");
}

TEST_F(ReliableTest, AfterFailuresInARowTheProviderRestsAndTheFallbackIsAskedAtOnce) {
  const auto first = add("a/one", {{"", overloaded()}});
  add("b/two", {{"well"}});
  ReliableModel model = make({.tries = 1}, {.failures = 2, .rest = seconds(30)});
  for (int i = 0; i < 5; ++i) ASSERT_OK(ask(model));
  EXPECT_EQ(first->asked, 2);
  clock_.advance(seconds(31));
  ASSERT_OK(ask(model));
  ASSERT_OK(ask(model));
  EXPECT_EQ(first->asked, 3);  // one try after a rest
}

TEST_F(ReliableTest, AProviderThatRestsAloneIsWaitedFor) {
  const auto only = add("a/one", {{"", overloaded()}, {"", overloaded()}, {"well"}});
  ReliableModel model = make({.tries = 1}, {.failures = 2, .rest = seconds(30)});
  ASSERT_FALSE(ask(model));
  ASSERT_FALSE(ask(model));
  const auto reply = ask(model);
  ASSERT_OK(reply);
  EXPECT_EQ(only->asked, 3);
  EXPECT_EQ(waits_, std::vector<milliseconds>{seconds(30)});
}

TEST_F(ReliableTest, RateLimitsDoNotMakeItRest) {
  const auto only = add("a/one", {{"", limited(seconds(1))}});
  ReliableModel model = make({.tries = 1}, {.failures = 2, .rest = seconds(30)});
  for (int i = 0; i < 4; ++i) ASSERT_FALSE(ask(model));
  EXPECT_EQ(only->asked, 4);
}

TEST_F(ReliableTest, WhatDoesNotFitIsNotSent) {
  const auto provider = add("a/one", {{"well"}}, 1000);
  ReliableModel model = make();
  const auto reply = ask(model);
  ASSERT_OK(reply);
  EXPECT_EQ(reply->stop, Stop::overflow);
  EXPECT_EQ(provider->asked, 0);
}

TEST(PricesTest, ThePriceIsThatOfTheNameWhateverItsVersion) {
  const Prices prices{
      {"claude-sonnet-4", {1, 1}}, {"claude-sonnet-4-5", {3, 15}}, {"gpt-5", {2, 8}}, {"llama3", {0, 0}}};
  struct Case {
    std::string_view model;
    std::optional<Price> price;
  };
  for (const Case& one :
       {Case{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", Price{3, 15}},
        Case{"claude-sonnet-4-20250514", Price{1, 1}}, Case{"gpt-5-2025-08-07", Price{2, 8}},
        Case{"claude-sonnet-4-6", std::nullopt}, Case{"gpt-5-mini", std::nullopt}, Case{"gpt-5.1", std::nullopt},
        Case{"llama3:70b", Price{0, 0}}, Case{"llama31", std::nullopt}, Case{"", std::nullopt}}) {
    EXPECT_EQ(find_price(prices, one.model), one.price) << one.model;
  }
}

TEST(Prices, OfALongPromptAreOthers) {
  const Price price = find_price(list_prices(), "claude-haiku-5-5").value_or(Price{});
  EXPECT_EQ(cost_of(price, {.input_tokens = 100'000}), 10'000);
  EXPECT_EQ(cost_of(price, {.input_tokens = 100'001}), 50'001);
  EXPECT_EQ(cost_of(price, {.input_tokens = 1, .cache_read_tokens = 200'000}), 10'001) << "the cached count too";
  EXPECT_EQ(cost_of(price, {.input_tokens = 1, .output_tokens = 200'000}), 100'001) << "a reply is no prompt";
}

TEST(PricesTest, EveryKindOfTokenHasItsPrice) {
  struct Case {
    Usage usage;
    std::int64_t millionths;
  };
  for (const Case& one :
       {Case{{.input_tokens = 1'000'000}, 3'000'000}, Case{{.output_tokens = 100}, 1500},
        Case{{.cache_read_tokens = 1000}, 300}, Case{{.cache_write_tokens = 1000}, 3750}, Case{{.input_tokens = 1}, 3},
        Case{{.cache_read_tokens = 1}, 1}, Case{{}, 0}, Case{{.input_tokens = -5}, 0}}) {
    EXPECT_EQ(cost_of(kPrice, one.usage), one.millionths);
  }
  EXPECT_EQ(cost_of({2, 4}, {.cache_read_tokens = 10, .cache_write_tokens = 10}), 40);
}

}  // namespace
}  // namespace deputy::model
