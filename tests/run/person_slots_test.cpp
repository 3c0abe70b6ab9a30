#include "run/person_slots.h"

#include <gtest/gtest.h>

namespace deputy::run {
namespace {

TEST(PersonSlots, AreCountedForEachPersonAndGivenBack) {
  const auto slots = std::make_shared<PersonSlots>();
  PersonSlots::Slot first = slots->try_enter("ana", 1);
  EXPECT_TRUE(first);
  EXPECT_FALSE(slots->try_enter("ana", 1));
  EXPECT_TRUE(slots->try_enter("bo", 1));
  first = PersonSlots::Slot();
  EXPECT_TRUE(slots->try_enter("ana", 1));
}

TEST(PersonSlots, ZeroIsNoLimit) {
  const auto slots = std::make_shared<PersonSlots>();
  const PersonSlots::Slot first = slots->try_enter("ana", 0);
  EXPECT_TRUE(slots->try_enter("ana", 0));
}

TEST(PersonSlots, WhoWaitsIsWokenOnceHoweverOftenTheyAsked) {
  const auto slots = std::make_shared<PersonSlots>();
  int woken = 0;
  const auto wake = std::make_shared<std::function<void()>>([&] { ++woken; });
  {
    const PersonSlots::Slot slot = slots->try_enter("ana", 1);
    for (int i = 0; i < 100; ++i) slots->wait("ana", wake);
  }
  EXPECT_EQ(woken, 1);
}

TEST(PersonSlots, NobodyIsWokenWhoIsGoneOrAfterTheEnd) {
  const auto slots = std::make_shared<PersonSlots>();
  int woken = 0;
  PersonSlots::Slot slot = slots->try_enter("ana", 1);
  slots->wait("ana", std::make_shared<std::function<void()>>([&] { ++woken; }));
  slot = PersonSlots::Slot();
  slot = slots->try_enter("ana", 1);
  const auto wake = std::make_shared<std::function<void()>>([&] { ++woken; });
  slots->wait("ana", wake);
  slots->close();
  slot = PersonSlots::Slot();
  EXPECT_EQ(woken, 0);
}

}  // namespace
}  // namespace deputy::run
