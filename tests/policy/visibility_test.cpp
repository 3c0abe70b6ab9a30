#include "policy/visibility.h"

#include <gtest/gtest.h>

#include "policy/world.h"

namespace deputy::policy {
namespace {

const SeenConversation kPublic{"C1", ConversationKind::public_channel};
const SeenConversation kOtherPublic{"C2", ConversationKind::public_channel};
const SeenConversation kPrivate{"G1", ConversationKind::private_channel, std::set<std::string>{"slack:T1/U1"}};
const SeenConversation kOtherPrivate{"G2", ConversationKind::private_channel, std::set<std::string>{"slack:T1/U1"}};
const SeenConversation kUnknown{"G3", ConversationKind::private_channel};
const SeenConversation kDirect{"D1", ConversationKind::direct, std::set<std::string>{"slack:T1/U1"}};
const SeenConversation kForeignDirect{"D2", ConversationKind::direct, std::set<std::string>{"slack:T1/U2"}};

const SeenConversation kShared{"X1", ConversationKind::public_channel, std::nullopt, true};

const Viewer kAna{{"slack:T1/U1", "telegram:42"}, true, false};
const Viewer kCy{{"slack:T1/U3"}, true, false};
const Viewer kGuest{{"slack:T1/U7"}, true, false, true};
const SeenConversation kPublicWithGuest{"C3", ConversationKind::public_channel, std::set<std::string>{"slack:T1/U7"}};
const Viewer kNobody{{"slack:T1/U9"}, false, false};
const Viewer kAdmin{{"slack:T1/U5"}, true, true};

struct Row {
  std::string name;
  Viewer viewer;
  SeenConversation conversation;
  Visible sight;
};

class Visibility : public testing::TestWithParam<Row> {};

TEST_P(Visibility, OfAConversation) {
  EXPECT_EQ(may_see(GetParam().viewer, GetParam().conversation), GetParam().sight);
}

INSTANTIATE_TEST_SUITE_P(Policy, Visibility,
                         testing::Values(Row{"APublicChannelToPeopleWithAccess", kCy, kPublic, Visible::yes},
                                         Row{"APublicChannelToNobodyElse", kNobody, kPublic, Visible::no},
                                         Row{"APublicChannelToAGuestInIt", kGuest, kPublicWithGuest, Visible::yes},
                                         Row{"NoOtherPublicChannelToAGuest", kGuest, kPublic, Visible::no},
                                         Row{"APrivateChannelToItsMembers", kAna, kPrivate, Visible::yes},
                                         Row{"APrivateChannelToNobodyElse", kCy, kPrivate, Visible::no},
                                         Row{"ADirectMessageToItsMembers", kAna, kDirect, Visible::yes},
                                         Row{"ADirectMessageToNobodyElse", kAna, kForeignDirect, Visible::no},
                                         Row{"MembersThatAreNotKnownAreNone", kAna, kUnknown, Visible::no},
                                         Row{"EverythingToAnAdminWhichIsAudited", kAdmin, kUnknown, Visible::as_admin},
                                         Row{"WhatAnAdminSeesAnywayIsNotAudited", kAdmin, kPublic, Visible::yes}),
                         test::name_of<Row>);

TEST(VisibilityOfInteractions, AlsoToWhoMayAnswer) {
  EXPECT_EQ(may_see_interaction(kCy, kPrivate, true), Visible::yes);
  EXPECT_EQ(may_see_interaction(kCy, kPrivate, false), Visible::no);
  EXPECT_EQ(may_see_interaction(kAna, kPrivate, false), Visible::yes);
  EXPECT_EQ(may_see_interaction(kAdmin, kPrivate, false), Visible::as_admin);
}

TEST(Viewers, LookThroughAllTheirAccounts) {
  const Settings settings = test::settings(test::with_people(R"("roles": {"admin": {"people": ["bo"]}})"));
  const Viewer ana = viewer_of(test::ana_on_telegram(), true, settings);
  EXPECT_EQ(ana.accounts, (std::set<std::string>{"slack:T1/U1", "telegram:42"}));
  EXPECT_FALSE(ana.is_admin);
  EXPECT_TRUE(viewer_of(test::bo(), true, settings).is_admin);
  EXPECT_FALSE(viewer_of(test::bo(), false, settings).is_admin) << "without access nobody is an admin";
  EXPECT_FALSE(viewer_of(test::cy(), true, settings).sees_own_only);
  EXPECT_TRUE(viewer_of(test::guest(), true, settings).sees_own_only);
  EXPECT_TRUE(viewer_of(test::outsider(), true, settings).sees_own_only);
  EXPECT_EQ(may_see(viewer_of(test::deactivated(test::ana()), true, settings), kPrivate), Visible::no);
}

struct Use {
  std::string name;
  SeenConversation source;
  SeenConversation answer;
  Viewer requester;
  bool may;
};

class Usable : public testing::TestWithParam<Use> {};

TEST_P(Usable, ForAnAnswer) {
  EXPECT_EQ(may_be_used(GetParam().source, GetParam().requester, GetParam().answer), GetParam().may);
}

INSTANTIATE_TEST_SUITE_P(
    Visibility, Usable,
    testing::Values(Use{"InAChannelPublicConversations", kOtherPublic, kPublic, kAna, true},
                    Use{"InAChannelThatChannel", kPublic, kPublic, kAna, true},
                    Use{"InAPrivateChannelThatChannel", kPrivate, kPrivate, kAna, true},
                    Use{"InAPrivateChannelPublicOnes", kPublic, kPrivate, kAna, true},
                    Use{"InAChannelNoPrivateOneThoughTheRequesterSeesIt", kPrivate, kPublic, kAna, false},
                    Use{"InAPrivateChannelNoOtherPrivateOne", kOtherPrivate, kPrivate, kAna, false},
                    Use{"InAChannelNoDirectMessages", kDirect, kPublic, kAna, false},
                    Use{"InASharedChannelThatChannelAlone", kShared, kShared, kAna, true},
                    Use{"InASharedChannelNothingPublic", kPublic, kShared, kAna, false},
                    Use{"InADirectMessageWhatTheRequesterSees", kPrivate, kDirect, kAna, true},
                    Use{"InADirectMessageNothingElse", kPrivate, kDirect, kCy, false},
                    Use{"NothingWhoseMembersAreNotKnown", kUnknown, kDirect, kAna, false},
                    Use{"NothingPublicWithoutAccess", kPublic, kDirect, kNobody, false},
                    Use{"BeingAnAdminWidensNothing", kPrivate, kDirect, kAdmin, false}),
    test::name_of<Use>);

TEST(VisibilityOfResults, WhatWasLeftOutIsCountedNotNamed) {
  const std::vector<SeenConversation> found{kPublic, kPrivate, kOtherPublic, kUnknown};
  const auto shown = keep_usable(found, kAna, kPublic, [](const SeenConversation& one) { return one; });
  ASSERT_EQ(shown.items.size(), 2U);
  EXPECT_EQ(shown.items[0].id, "C1");
  EXPECT_EQ(shown.items[1].id, "C2");
  EXPECT_EQ(shown.left_out, 2U);
}

}  // namespace
}  // namespace deputy::policy
