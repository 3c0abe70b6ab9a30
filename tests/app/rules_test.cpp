#include <gtest/gtest.h>

#include "app/at_work.h"
#include "app/build.h"
#include "support/results.h"

namespace deputy::app {
namespace {

using namespace std::chrono_literals;

TEST(Rules, OfDefaultSettingsAreThoseOfTheDesign) {
  const auto rules = make_rules(Settings{});
  ASSERT_OK(rules);
  EXPECT_EQ((*rules)->policy.settings.policy.mode, policy::Mode::ask);
  EXPECT_EQ((*rules)->environments.at("prod"), (std::vector<std::string>{"production", "live"}));
  EXPECT_EQ((*rules)->limits.work, 15min);
  EXPECT_EQ((*rules)->budgets.day_usd, 50);
  EXPECT_EQ((*rules)->zone.name, "UTC");
  EXPECT_FALSE((*rules)->auto_confirm);
}

TEST(Rules, TellTimesAsClocksStoodThen) {
  Settings settings;
  settings.timezone = "America/St_Johns";
  const auto rules = make_rules(settings);
  ASSERT_OK(rules);
  const auto noon = [](std::chrono::month month) {
    return Timestamp(std::chrono::sys_days(std::chrono::year(2026) / month / 1) + 12h);
  };
  EXPECT_EQ(interaction::time_in((*rules)->zone, noon(std::chrono::July)), "2026-07-01 09:30 America/St_Johns");
  EXPECT_EQ(interaction::time_in((*rules)->zone, noon(std::chrono::December)), "2026-12-01 08:30 America/St_Johns");
}

TEST(Rules, ConfirmByThemselvesOnlyWhenTold) { EXPECT_TRUE((*make_rules(Settings{}, AutoConfirm::yes))->auto_confirm); }

TEST(Rules, AreNotMadeOfSettingsThatDoNotHold) {
  Settings settings;
  settings.policy.rules.push_back({"shell", {"rm("}, {}, {}});
  EXPECT_FAILS(make_rules(settings), invalid_input);
  settings = {};
  settings.timezone = "Mars/Olympus";
  EXPECT_FAILS(make_rules(settings), not_found);
}

}  // namespace
}  // namespace deputy::app
