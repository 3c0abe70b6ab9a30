// Who is refused in Slack: nothing runs, they alone are told, once, and it is audited.
#include <mutex>

#include "base/log.h"
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr const char* kShared = "C0SHARED001";  // with another organisation
constexpr const char* kHidden = "U0HIDDEN001";  // whom the app may not look up

struct RefusedRow {
  std::string name;
  std::string user;
  std::string channel;
  std::string why;
};
void PrintTo(const RefusedRow& row, std::ostream* out) { *out << row.name; }

class SlackRefusal : public SlackService, public testing::WithParamInterface<RefusedRow> {
 protected:
  std::size_t whispers_to(const std::string& user) {
    const std::string all = whispered_to(user);
    return static_cast<std::size_t>(std::ranges::count(all, '\n'));
  }
};

TEST_P(SlackRefusal, StartsNothingTellsThemAloneOnceAndIsAudited) {
  const auto& [name, user, channel, why] = GetParam();
  control("person", {{"id", kHidden}, {"hidden", true}});
  control("invite", {{"user", kHidden}, {"channel", kOps}});
  script(ModelScript().says("Hello."));
  serve();
  const std::string first = mention(user, "restart checkout", channel);
  until_whispered(user, why);
  const std::string second = mention(user, "restart checkout, now", channel);
  until_shown(mention(kAna, "hello?"), "Hello.");
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
  EXPECT_EQ(whispers_to(user), 1U) << whispered_to(user);
  EXPECT_EQ(find("", first, channel) + find("", second, channel), "") << "others see nothing of it";
  EXPECT_THAT(audited("message_refused"), SizeIs(2));
}

INSTANTIATE_TEST_SUITE_P(
    Of, SlackRefusal,
    testing::Values(RefusedRow{"AGuest", kGuest, kGeneral, "uests have no access"},
                    RefusedRow{"AGuestOfOneChannel", "U0DEE000001", kIncidentRoom, "uests have no access"},
                    RefusedRow{"SomebodyOfAnotherOrganisation", "U0FINN00001", kShared, "eople from other teams"},
                    RefusedRow{"AMemberInAChannelSharedWithOthers", kAna, kShared, "hannels shared with other teams"},
                    RefusedRow{"ABot", kAlerts, kOps, "ots have no access"},
                    RefusedRow{"SomebodyUnknown", kHidden, kOps, "could not find out who you are"}),
    [](const auto& row) { return row.param.name; });

TEST_F(SlackRefusal, OfAnAccountThatWasDeactivatedMeanwhile) {
  script(ModelScript().says("Hello."));
  serve();
  control("person", {{"id", "U0GONE00001"}, {"name", "gone"}});
  control("invite", {{"user", "U0GONE00001"}, {"channel", kOps}});
  for (const char* event : {"app_mention", "message"})
    control("fault", {{"on", "delivery"}, {"name", event}, {"kind", "delay"}, {"ms", 100}});
  mention("U0GONE00001", "restart checkout");
  control("person", {{"id", "U0GONE00001"}, {"deleted", true}});
  until_whispered("U0GONE00001", "his account is deactivated");
  until_shown(mention(kAna, "hello?"), "Hello.");
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
  EXPECT_THAT(audited("message_refused"), SizeIs(1));
}

TEST_F(SlackRefusal, HoldsForCommandsAndClicksToo) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes."));
  serve();
  const std::string asked = mention(kAna, "what about checkout?", kGeneral);
  until_shown(asked, "Two notes.", kGeneral);
  const std::string answer = until_found("Details", asked, kGeneral);
  click(kGuest, answer, "control0", kGeneral);
  until_whispered(kGuest, "uests have no access");
  EXPECT_TRUE(newest_view().empty()) << "a guest sees no details";
  command(kGuest, "status", kGeneral);
  ASSERT_TRUE(until([&] { return whispers_to(kGuest) == 2; }));
  command(kGuest, "what about checkout?", kGeneral);
  until_shown(mention(kAna, "status"), "Nothing is running here.");
  EXPECT_THAT(whispered_to(kGuest), Not(HasSubstr("checkout")));
  stop();
  EXPECT_EQ(model_->requests().size(), 2U);
}

TEST_F(SlackRefusal, OfAnInstallationForAWholeOrganisationSaysWhatToDo) {
  std::mutex held;
  std::string logged;
  log::set_sink([&](std::string_view line) {
    const std::scoped_lock lock(held);
    logged += line;
  });
  control("app", {{"org_wide", true}});
  start();
  EXPECT_TRUE(until([&] {
    const std::scoped_lock lock(held);
    return logged.contains("installed for a whole organisation") && logged.contains("install it in one workspace");
  }));
  stop();
  log::set_sink({});
  EXPECT_EQ(calls_of("apps.connections.open"), 0U);
}

}  // namespace
}  // namespace deputy::test
