#include "app/rules.h"

#include <gtest/gtest.h>

#include "app/at_work.h"
#include "support/results.h"

namespace deputy::app {
namespace {

using namespace std::chrono_literals;

TEST(Rules, OfDefaultSettingsAreThoseOfTheDesign) {
  const auto rules = make_rules(Settings{}, test::kNow);
  ASSERT_OK(rules);
  EXPECT_EQ((*rules)->policy.settings.policy.mode, policy::Mode::ask);
  EXPECT_EQ((*rules)->environments.at("prod"), (std::vector<std::string>{"production", "live"}));
  EXPECT_EQ((*rules)->limits.work, 15min);
  EXPECT_EQ((*rules)->budgets.day_usd, 50);
  EXPECT_EQ((*rules)->zone.name, "UTC");
  EXPECT_EQ((*rules)->zone.offset, 0min);
  EXPECT_FALSE((*rules)->auto_confirm);
}

TEST(Rules, ShowTimesAsClocksStandNow) {
  Settings settings;
  settings.timezone = "America/St_Johns";
  const Timestamp summer = std::chrono::sys_days(std::chrono::year(2026) / 7 / 1);
  EXPECT_EQ((*make_rules(settings, summer))->zone.offset, -(2h + 30min));
  EXPECT_EQ((*make_rules(settings, test::kNow))->zone.offset, -(3h + 30min));
}

TEST(Rules, ConfirmByThemselvesOnlyWhenTold) {
  EXPECT_TRUE((*make_rules(Settings{}, test::kNow, AutoConfirm::yes))->auto_confirm);
}

TEST(Rules, AreNotMadeOfSettingsThatDoNotHold) {
  Settings settings;
  settings.policy.rules.push_back({"shell", {"rm("}, {}, {}});
  EXPECT_FAILS(make_rules(settings, test::kNow), invalid_input);
  settings = {};
  settings.timezone = "Mars/Olympus";
  EXPECT_FAILS(make_rules(settings, test::kNow), not_found);
}

}  // namespace
}  // namespace deputy::app
