#include <gtest/gtest.h>

#include "run/drive/dependencies.h"

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

TEST(PersonSlots, SayHowManyOfEachPersonWork) {
  const auto slots = std::make_shared<PersonSlots>();
  const PersonSlots::Slot first = slots->try_enter("ana", 2);
  PersonSlots::Slot second = slots->try_enter("ana", 2);
  PersonSlots::Slot other = slots->try_enter("bo", 2);
  EXPECT_FALSE(slots->try_enter("ana", 2));
  EXPECT_EQ(slots->at_work(), (std::map<std::string, int, std::less<>>{{"ana", 2}, {"bo", 1}}));
  second = PersonSlots::Slot();
  other = PersonSlots::Slot();
  EXPECT_EQ(slots->at_work(), (std::map<std::string, int, std::less<>>{{"ana", 1}}));
}

}  // namespace
}  // namespace deputy::run
