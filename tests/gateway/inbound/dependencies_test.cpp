#include "gateway/inbound/dependencies.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace deputy::gateway {
namespace {

struct Taken {
  std::string key;
  std::optional<int> put;  // nothing: it is forgotten
};

Taken put(std::string key, int value) { return {std::move(key), value}; }
Taken forget(std::string key) { return {std::move(key), std::nullopt}; }

using Held = std::vector<std::pair<std::string, int>>;  // the oldest first

struct Row {
  std::string name;
  std::vector<Taken> steps;
  Held held;
};

constexpr std::size_t kMax = 2;
const std::vector<std::string> kKeys{"a", "b", "c", "d"};

void take(RecentMap<int>& remembered, const Taken& step) {
  if (step.put) {
    remembered.put(step.key, *step.put);
  } else {
    remembered.forget(step.key);
  }
}

// The rule written once more, as slowly as it reads.
void take(Held& held, const Taken& step) {
  const auto found = std::ranges::find(held, step.key, &std::pair<std::string, int>::first);
  if (!step.put) {
    if (found != held.end()) held.erase(found);
    return;
  }
  if (found != held.end()) {
    found->second = *step.put;
    return;
  }
  held.emplace_back(step.key, *step.put);
  if (held.size() > kMax) held.erase(held.begin());
}

Held sorted(Held held) {
  std::ranges::sort(held);
  return held;
}

Held held_by(const RecentMap<int>& remembered) {
  Held held;
  for (const std::string& key : kKeys) {
    if (const int* value = remembered.find(key)) held.emplace_back(key, *value);
  }
  return held;
}

class RecentMapTest : public testing::TestWithParam<Row> {};

TEST_P(RecentMapTest, HoldsTheNewest) {
  RecentMap<int> remembered(kMax);
  for (const Taken& step : GetParam().steps) take(remembered, step);
  EXPECT_EQ(held_by(remembered), GetParam().held);
  EXPECT_EQ(remembered.size(), GetParam().held.size());
}

INSTANTIATE_TEST_SUITE_P(
    Table, RecentMapTest,
    testing::Values(
        Row{"Nothing", {}, {}}, Row{"WhatWasPut", {put("a", 1), put("b", 2)}, {{"a", 1}, {"b", 2}}},
        Row{"ANewValueInPlaceOfTheOld", {put("a", 1), put("a", 2)}, {{"a", 2}}},
        Row{"NoMoreThanTheMost", {put("a", 1), put("b", 2), put("c", 3)}, {{"b", 2}, {"c", 3}}},
        Row{"ANewValueMakesItNoYounger", {put("a", 1), put("b", 2), put("a", 3), put("c", 4)}, {{"b", 2}, {"c", 4}}},
        Row{"NothingThatWasForgotten", {put("a", 1), forget("a")}, {}},
        Row{"WhatIsUnknownIsForgottenWithoutHarm", {put("a", 1), forget("b")}, {{"a", 1}}},
        Row{"WhatWasForgottenTakesNoPlace", {put("a", 1), put("b", 2), forget("a"), put("c", 3)}, {{"b", 2}, {"c", 3}}},
        Row{"WhatWasPutAgainIsAsYoungAsThat",
            {put("a", 1), forget("a"), put("b", 2), put("a", 3), put("c", 4)},
            {{"a", 3}, {"c", 4}}},
        Row{"ForgettingOftenMakesNothingElseOlder",
            {put("a", 1), put("b", 1), forget("b"), put("b", 2), forget("b"), put("b", 3)},
            {{"a", 1}, {"b", 3}}}),
    [](const auto& row) { return row.param.name; });

RC_GTEST_PROP(RememberedProperty, WhateverIsPutAndForgottenTheNewestAreHeld, ()) {
  RecentMap<int> remembered(kMax);
  Held held;
  const int steps = *rc::gen::inRange(0, 40);
  for (int i = 0; i < steps; ++i) {
    const std::string key = *rc::gen::elementOf(kKeys);
    const Taken step = *rc::gen::inRange(0, 3) == 0 ? forget(key) : put(key, i);
    take(remembered, step);
    take(held, step);
    RC_ASSERT(held_by(remembered) == sorted(held));
    RC_ASSERT(remembered.size() == held.size());
  }
}

}  // namespace
}  // namespace deputy::gateway
