#include "policy/access.h"

#include <gtest/gtest.h>

#include "policy/world.h"
#include "support/results.h"

namespace deputy::policy {
namespace {

Identity unknown() { return {{"slack", "T1/U3"}}; }
Place external(Place place) {
  place.external = true;
  return place;
}

struct Row {
  std::string name;
  std::string access;
  Identity who;
  Place where;
  bool may;
};

class Access : public testing::TestWithParam<Row> {};

TEST_P(Access, OfASender) {
  const auto& [name, access, who, where, may] = GetParam();
  const auto verdict = may_speak(who, where, test::settings(test::with_people("\"access\": {" + access + "}")));
  EXPECT_EQ(verdict.has_value(), may);
  if (verdict) return;
  EXPECT_EQ(verdict.error().kind, ErrorKind::permission);
  EXPECT_FALSE(verdict.error().message.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Policy, Access,
    testing::Values(
        Row{"TheLocalUserInTheTerminal", "", test::local_user(), test::terminal(), true},
        Row{"FullMembersOfTheHomeWorkspace", "", test::cy(), test::channel(), true},
        Row{"FullMembersInDirectMessages", "", test::cy(), test::direct_message(), true},
        Row{"NoGuests", "", test::guest(), test::channel(), false},
        Row{"NoStrangers", "", test::outsider(), test::channel(), false},
        Row{"NoDeactivatedAccounts", "", test::deactivated(test::cy()), test::channel(), false},
        Row{"NobodyOfWhomNothingIsKnown", "", unknown(), test::channel(), false},
        Row{"NotWhereOtherTeamsListen", "", test::cy(), external(test::channel()), false},
        Row{"NotInDirectMessagesWithOtherTeams", "", test::cy(), external(test::direct_message()), false},
        Row{"NobodyWhereTheChannelIsOpenToNobody", "", test::ana_on_telegram(), test::telegram(), false},
        Row{"NotEvenMembersThere", "", test::cy(), test::telegram(), false},
        Row{"WhoeverIsNamed", R"("people": ["ana"])", test::ana(), test::channel(), true},
        Row{"WhoeverIsNamedOnEveryPlatform", R"("people": ["ana"])", test::ana_on_telegram(), test::telegram(), true},
        Row{"WhoeverIsNamedByAccount", R"("people": ["T1/U3"])", test::cy(), test::channel(), true},
        Row{"ANamedGuest", R"("people": ["T1/U7"])", test::guest(), test::channel(), true},
        Row{"ANamedAccountOfUnknownStanding", R"("people": ["T1/U3"])", unknown(), test::channel(), true},
        Row{"NoOtherMembersOnceSomeoneIsNamed", R"("people": ["ana"])", test::cy(), test::channel(), false},
        Row{"WhoeverIsInAGroup", R"("groups": ["S1"])", test::in_group(test::cy()), test::channel(), true},
        Row{"PeopleOrGroupsEitherIsEnough", R"("people": ["ana"], "groups": ["S1"])", test::in_group(test::cy()),
            test::channel(), true},
        Row{"PeopleOrGroupsTheOtherWay", R"("people": ["ana"], "groups": ["S1"])", test::ana(), test::channel(), true},
        Row{"NobodyWhoseGroupsAreNotKnown", R"("groups": ["S1"])", test::cy(), test::channel(), false},
        Row{"AnEmptyListNamesNobody", R"("people": [])", test::ana(), test::channel(), false},
        Row{"ADeactivatedAccountThoughNamed", R"("people": ["ana"])", test::deactivated(test::ana()), test::channel(),
            false},
        Row{"InAListedChannel", R"("channels": ["C1"])", test::cy(), test::channel("C1"), true},
        Row{"InAChannelListedWithItsKind", R"("channels": ["slack:C1"])", test::cy(), test::channel("C1"), true},
        Row{"NotInAnotherChannel", R"("channels": ["C1"])", test::cy(), test::channel("C2"), false},
        Row{"WhoAndWhereMustBothHold", R"("people": ["ana"], "channels": ["C1"])", test::ana(), test::channel("C2"),
            false},
        Row{"WhereAndWhoMustBothHold", R"("people": ["ana"], "channels": ["C1"])", test::cy(), test::channel("C1"),
            false},
        Row{"DirectMessagesDoNotNeedAChannel", R"("channels": ["C1"])", test::cy(), test::direct_message(), true},
        Row{"NoDirectMessagesWhenSwitchedOff", R"("direct_messages": false)", test::cy(), test::direct_message(),
            false},
        Row{"ChannelsStayWhenDirectMessagesAreOff", R"("direct_messages": false)", test::cy(), test::channel(), true},
        Row{"TheTerminalStaysTheLocalUsers", R"("people": ["ana"], "channels": ["C1"], "direct_messages": false)",
            test::local_user(), test::terminal(), true},
        Row{"AnExternalChannelThatIsListed", R"("external": ["C1"])", test::cy(), external(test::channel()), true},
        Row{"AnExternalChannelIsNotOpenedByItsId", R"("channels": ["C1"])", test::cy(), external(test::channel()),
            false},
        Row{"APersonOfAListedTeam", R"("external": ["T2"])", test::outsider(), test::channel(), true},
        Row{"APersonOfAListedTeamStillNeedsThePlace", R"("external": ["T2"])", test::outsider(),
            external(test::channel()), false},
        Row{"AnOutsiderIsNotLetInByName", R"("people": ["T2/U8"])", test::outsider(), test::channel(), false},
        Row{"AnOutsiderInAListedChannelOnly", R"("external": ["C1"])", test::outsider(), external(test::channel()),
            false},
        Row{"NoBots", "", test::bot(), test::channel(), false},
        Row{"NoBotsThoughNamedAmongPeople", R"("people": ["T1/B1"])", test::bot(), test::channel(), false},
        Row{"AListedBot", R"("bots": ["T1/B1"])", test::bot(), test::channel(), true},
        Row{"AListedBotInAListedPlaceOnly", R"("bots": ["T1/B1"], "channels": ["C2"])", test::bot(),
            test::channel("C1"), false}),
    test::name_of<Row>);

TEST(AccessInWords, ARefusalSaysWhatToSet) {
  const auto verdict =
      may_speak(test::cy(), test::channel("C9"), test::settings(R"({"access": {"channels": ["C1"]}})"));
  ASSERT_FALSE(verdict.has_value());
  EXPECT_EQ(verdict.error().hint, "add the channel's id to access.channels");
}

// The next lookup may find the account, its groups and its e-mail address.
TEST(AccessInWords, ALookupThatFailedDecidesNothing) {
  const auto may = [](Identity who, Lookup lookup, const std::string& access) {
    who.lookup = lookup;
    return may_speak(who, test::channel(), test::settings(test::with_people("\"access\": {" + access + "}")));
  };
  for (const Result<>& verdict :
       {may(unknown(), Lookup::failed, ""), may(unknown(), Lookup::failed, R"("people": ["ana"])"),
        may(test::cy(), Lookup::failed, R"("groups": ["S1"])")}) {
    ASSERT_FAILS(verdict, permission);
    EXPECT_TRUE(verdict.error().retryable);
    EXPECT_EQ(verdict.error().message, "I could not find out who you are");
  }
  EXPECT_OK(may(test::cy(), Lookup::failed, "")) << "its groups do not matter here";
  for (const Result<>& verdict : {may(unknown(), Lookup::refused, R"("people": ["ana"])"),
                                  may(test::cy(), Lookup::done, R"("groups": ["S1"])")}) {
    ASSERT_FAILS(verdict, permission);
    EXPECT_FALSE(verdict.error().retryable);
  }
}

TEST(AccessInWords, APlaceThatCannotBeLookedUpMayBeReadByOtherTeams) {
  const auto may = [](Lookup lookup, const std::string& access) {
    Place place = external(test::channel("C1"));
    place.lookup = lookup;
    return may_speak(test::cy(), place, test::settings("{\"access\": {" + access + "}}"));
  };
  const Result<> refused = may(Lookup::refused, "");
  ASSERT_FAILS(refused, permission);
  EXPECT_FALSE(refused.error().retryable);
  EXPECT_EQ(refused.error().hint, "add me to it, or its id to access.external");
  const Result<> failed = may(Lookup::failed, "");
  ASSERT_FAILS(failed, permission);
  EXPECT_TRUE(failed.error().retryable);
  EXPECT_OK(may(Lookup::refused, R"("external": ["C1"])"));
}

TEST(AccessInWords, AConsoleSessionMayUnlessOthersAreNamed) {
  Identity session{{"web", "s1"}, AccountKind::signed_in};
  session.owner = "bo";
  const Place console{"web", "", PlaceKind::own};
  EXPECT_OK(may_speak(session, console, test::settings(test::with_people(""))));
  EXPECT_OK(may_speak(session, console, test::settings(test::with_people(R"("access": {"people": ["bo"]})"))));
  EXPECT_FAILS(may_speak(session, console, test::settings(test::with_people(R"("access": {"people": ["ana"]})"))),
               permission);
}

}  // namespace
}  // namespace deputy::policy
