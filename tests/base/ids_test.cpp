#include "base/ids.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <barrier>
#include <thread>
#include <unordered_set>
#include <vector>

#include "support/results.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;

static_assert(!std::equality_comparable_with<RunId, InteractionId>);
static_assert(!std::convertible_to<Ulid, RunId>);

// Later than any time another test gives, so that the ids made here begin afresh. The first of 2200, and on.
Timestamp fresh_time() {
  static Timestamp next = from_millis(7'258'118'400'000);
  next += 1h;
  return next;
}

TEST(Ulid, HoldsTheTimeItWasMadeAt) {
  const Timestamp at = fresh_time();
  EXPECT_EQ(Ulid::make(at).time(), at);
  EXPECT_EQ(Ulid::make(at).text().size(), Ulid::kLength);
}

TEST(Ulid, IsWrittenAsTheSpecificationSays) {
  // The time part of the specification's own example: 01ARYZ6S41 is 1469918176385.
  EXPECT_EQ(Ulid::derive(from_millis(1'469'918'176'385), "seed").text().substr(0, 10), "01ARYZ6S41");
  ASSERT_OK(Ulid::parse("01ARYZ6S41TSV4RRFFQ69G5FAV"));
  EXPECT_EQ(Ulid::parse("01ARYZ6S41TSV4RRFFQ69G5FAV")->time(), from_millis(1'469'918'176'385));
  EXPECT_EQ(Ulid{}.text(), "00000000000000000000000000");
}

TEST(Ulid, GrowsWithinOneMillisecond) {
  const Timestamp at = fresh_time();
  std::vector<Ulid> ids;
  ids.reserve(1'000);
  for (int i = 0; i < 1'000; ++i) ids.push_back(Ulid::make(at));
  EXPECT_TRUE(std::ranges::is_sorted(ids));
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  EXPECT_EQ(ids.back().time(), at);
}

TEST(Ulid, GrowsWhenTheClockGoesBack) {
  const Timestamp at = fresh_time();
  const Ulid before = Ulid::make(at);
  const Ulid after = Ulid::make(at - 1h);
  EXPECT_LT(before, after);
  EXPECT_EQ(after.time(), at);
  EXPECT_LT(after, Ulid::make(at + 1ms));
}

TEST(Ulid, GrowsOnEveryThreadAndNeverRepeats) {
  constexpr int kThreads = 4;
  const Timestamp at = fresh_time();
  std::vector<std::vector<Ulid>> made(kThreads);
  std::barrier all_ready(kThreads);
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (std::vector<Ulid>& mine : made) {
      threads.emplace_back([&] {
        all_ready.arrive_and_wait();
        for (int i = 0; i < 500; ++i) mine.push_back(Ulid::make(at));
      });
    }
  }
  std::unordered_set<std::string> distinct;
  for (const std::vector<Ulid>& each : made) {
    EXPECT_TRUE(std::ranges::is_sorted(each));
    for (const Ulid& id : each) distinct.insert(id.text());
  }
  EXPECT_EQ(distinct.size(), kThreads * 500U);
}

TEST(Ulid, SortsAsTextLikeAsBytes) {
  const Ulid earlier = Ulid::make(fresh_time());
  const Ulid later = Ulid::make(fresh_time());
  EXPECT_LT(earlier, later);
  EXPECT_LT(earlier.text(), later.text());
}

TEST(Ulid, DeriveGivesTheSameIdForTheSameSeed) {
  const Timestamp at = from_millis(1'700'000'000'000);
  EXPECT_EQ(Ulid::derive(at, "run/call"), Ulid::derive(at, "run/call"));
  EXPECT_NE(Ulid::derive(at, "run/call"), Ulid::derive(at, "run/call2"));
  EXPECT_NE(Ulid::derive(at, "run/call"), Ulid::derive(at + 1ms, "run/call"));
  EXPECT_EQ(Ulid::derive(at, "run/call").time(), at);
}

TEST(Ulid, ParsesLowerCase) {
  const Ulid id = Ulid::make(fresh_time());
  std::string lower = id.text();
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  EXPECT_EQ(Ulid::parse(lower), id);
}

TEST(Ulid, RefusesWhatIsNoId) {
  for (const std::string& text : {
           std::string(""),
           std::string("01ARYZ6S41TSV4RRFFQ69G5FA"),    // one short
           std::string("01ARYZ6S41TSV4RRFFQ69G5FAVX"),  // one more
           std::string("81ARYZ6S41TSV4RRFFQ69G5FAV"),   // past 128 bits
           std::string("ZZZZZZZZZZZZZZZZZZZZZZZZZZ"),   // past 128 bits
           std::string("01ARYZ6S41TSV4RRFFQ69G5FAI"),   // letters Crockford left out
           std::string("01ARYZ6S41TSV4RRFFQ69G5FAL"),
           std::string("01ARYZ6S41TSV4RRFFQ69G5FAO"),
           std::string("01ARYZ6S41TSV4RRFFQ69G5FAU"),
           std::string("01ARYZ6S41-TSV4RRFFQ69G5FA"),
           std::string(" 1ARYZ6S41TSV4RRFFQ69G5FAV"),
           std::string(26, '\0'),
           std::string("01ARYZ6S41TSV4RRFFQ69G5F€"),
       }) {
    EXPECT_EQ(Ulid::parse(text), fail(ErrorKind::invalid_input, "`" + text + "` is not an id"));
  }
  EXPECT_OK(Ulid::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
}

TEST(Ulid, ShowsOnlyTheBeginningOfWhatItRefusesAndBreaksNoCharacter) {
  EXPECT_EQ(Ulid::parse(std::string(39, 'x') + "€€€").error().message,
            "`" + std::string(39, 'x') + "€… [2 more characters]` is not an id");
}

TEST(Id, IsAUlidOfOneKind) {
  const RunId run = RunId::make(fresh_time());
  EXPECT_EQ(RunId::parse(run.text()), run);
  EXPECT_FAILS(RunId::parse("run"), invalid_input);
  EXPECT_EQ(RunId::derive(Timestamp{}, "a"), RunId::derive(Timestamp{}, "a"));
  EXPECT_EQ((std::unordered_set<RunId>{run, run}).size(), 1U);
}

RC_GTEST_PROP(UlidProperty, WhatIsWrittenReadsBack, (const std::string& seed)) {
  const auto at = from_millis(*rc::gen::inRange<std::int64_t>(0, (std::int64_t{1} << 48) - 1));
  const Ulid id = Ulid::derive(at, seed);
  RC_ASSERT(Ulid::parse(id.text()).value() == id);
  RC_ASSERT(id.time() == at);
}

RC_GTEST_PROP(UlidProperty, WhatIsReadWritesBack, ()) {
  const auto letter = rc::gen::elementOf(std::string("0123456789ABCDEFGHJKMNPQRSTVWXYZ"));
  std::string text = *rc::gen::container<std::string>(Ulid::kLength - 1, letter);
  text.insert(text.begin(), *rc::gen::elementOf(std::string("01234567")));
  RC_ASSERT(Ulid::parse(text)->text() == text);
}

}  // namespace
}  // namespace deputy
