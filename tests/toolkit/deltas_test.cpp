#include <gtest/gtest.h>

#include "base/text.h"
#include "toolkit/bounded.h"

namespace deputy::toolkit {
namespace {

using namespace std::chrono_literals;

const Deltas::Time kStart{};

TEST(Deltas, TheFirstPassesAtOnceAndWhatComesTooFastIsJoined) {
  Deltas deltas;
  deltas.offer("one");
  EXPECT_EQ(deltas.take(kStart), "one");
  deltas.offer("two");
  deltas.offer(" three");
  EXPECT_EQ(deltas.take(kStart + 99ms), "");
  EXPECT_EQ(deltas.due(), kStart + 100ms);
  EXPECT_EQ(deltas.take(kStart + 100ms), "two three");
  EXPECT_EQ(deltas.due(), std::nullopt);
  EXPECT_EQ(deltas.take(kStart + 300ms), "");
}

TEST(Deltas, WhatIsTooMuchAtOnceIsCountedAndMarked) {
  Deltas deltas({.at_once = 10});
  deltas.offer("0123456789abc");
  deltas.offer("de");
  EXPECT_EQ(deltas.take(kStart), "0123456789… [5 more characters]");
  deltas.offer("next");
  EXPECT_EQ(deltas.take(kStart + 1s), "next");
}

TEST(Deltas, WhatIsTooMuchInAllEndsThem) {
  Deltas deltas({.in_all = 10});
  deltas.offer("01234567");
  EXPECT_EQ(deltas.take(kStart), "01234567… [output limit reached]");
  deltas.offer("more");
  EXPECT_EQ(deltas.due(), std::nullopt);
  EXPECT_EQ(deltas.take(kStart + 1h), "");
  EXPECT_EQ(deltas.close(), "");
}

TEST(Deltas, AfterTheEndNothingPasses) {
  Deltas deltas;
  deltas.offer("one");
  EXPECT_EQ(deltas.take(kStart), "one");
  deltas.offer("two");
  EXPECT_EQ(deltas.close(), "two");
  deltas.offer("three");
  EXPECT_EQ(deltas.take(kStart + 1h), "");
  EXPECT_EQ(deltas.close(), "");
}

TEST(Deltas, AreRedactedBeforeTheyAreCut) {
  // Holds back a word until it has ended, as the redactor's stream does.
  const auto held = std::make_shared<std::string>();
  const auto clean = [](std::string text) {
    if (const auto at = text.find("hunter2"); at != std::string::npos) text.replace(at, 7, "***");
    return text;
  };
  const DeltaRedact redact{.feed =
                               [=](std::string_view part) {
                                 *held += part;
                                 const std::size_t end = held->rfind(' ') + 1;
                                 std::string out = clean(held->substr(0, end));
                                 held->erase(0, end);
                                 return out;
                               },
                           .finish = [=] { return clean(std::exchange(*held, {})); }};
  Deltas deltas({.at_once = 8}, redact);
  deltas.offer("key hunt");
  EXPECT_EQ(deltas.take(kStart), "key ");
  deltas.offer("er2 hunter2");
  EXPECT_EQ(deltas.take(kStart + 1s), "*** ");
  EXPECT_EQ(deltas.close(), "***");
}

TEST(Deltas, EndWhenTheyCannotBeRedacted) {
  const auto throwing = []() -> std::string { throw std::runtime_error("a bug"); };
  Deltas deltas({}, {.feed = [=](std::string_view) { return throwing(); }, .finish = throwing});
  deltas.offer("hunter2");
  EXPECT_EQ(deltas.take(kStart), "");
  EXPECT_EQ(deltas.close(), "");
}

TEST(Deltas, AreValidText) {
  Deltas deltas({.at_once = 4});
  deltas.offer("äöü\xFF");
  EXPECT_EQ(deltas.take(kStart), "äö… [2 more characters]");
  deltas.offer("\xC3");
  EXPECT_EQ(deltas.take(kStart + 1s), "\uFFFD");
}

}  // namespace
}  // namespace deputy::toolkit
