// The words that ask about runs, costs, grants and tasks, through the whole engine: each shows what its sender may see.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using policy::PlaceKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// C1 is public, P1 ana's and bo's. eve (U4) is in neither private conversation, dee (U6) is an admin.
class Reports : public Engine {
 protected:
  static constexpr const char* kPrivate = "scripted:P1:1";

  Reports() {
    set([](policy::Settings& settings) {
      settings.channels["C1"].categories.reset();
      settings.access.people->push_back("dee");
      settings.people["dee"] = {.accounts = {{"scripted", "U6"}}};
      settings.roles["admin"] = {.people = {"dee"}};
    });
    channel_->knows("scripted:U6", {.standing = policy::AccountKind::member});
    channel_->is("P1", PlaceKind::private_channel);
    channel_->has_members("P1", {"U1", "U2"});
  }
  void ana_asks(const std::string& conversation) {
    script(ModelScript()
               .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
               .then_says("The pool is full."));
    says("U1", "what about the pool?", conversation);
    until_asked();
  }
  void bo_approves(interaction::Control control = interaction::Control::approve_once) {
    EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", control)));
    until_finished();
  }
  std::string told(const std::string& account, const std::string& words, const std::string& conversation = kThread) {
    const std::size_t before = channel_->shown_in(conversation).size();
    says(account, words, conversation);
    until([&] { return channel_->shown_in(conversation).size() > before; });
    return channel_->shown_in(conversation).back().text;
  }
  std::string show() { return "show " + runs()[0].run.text(); }
};

TEST_F(Reports, ShowTellsRequestCallsRulingAndAnswer) {
  ana_asks(kThread);
  bo_approves();
  const std::string words = told("U4", show());
  EXPECT_THAT(words, AllOf(HasSubstr("asked by ana"), HasSubstr("what about the pool?"), HasSubstr("restart_service"),
                           HasSubstr("checkout"), HasSubstr("success"), HasSubstr("The pool is full.")));
  EXPECT_EQ(channel_->shown_in(kThread).back().only_for, "U4");
  EXPECT_EQ(runs().size(), 1U) << "it is no request";
}

TEST_F(Reports, ARunOfAPrivateChannelIsShownToItsMembersOnly) {
  ana_asks(kPrivate);
  bo_approves();
  const std::string refused = told("U4", show());
  EXPECT_THAT(refused, HasSubstr("There is no run"));
  EXPECT_THAT(refused, Not(HasSubstr("pool")));
  EXPECT_THAT(told("U2", show()), HasSubstr("The pool is full.")) << "only bo sees the reply";
  EXPECT_THAT(told("U4", "show 01M7F7M2T84A07M63ZHG8NJ2JA"), HasSubstr("There is no run"));
}

TEST_F(Reports, WhereOthersReadTheReplyAPrivateRunIsNotShown) {
  channel_->can.whisper = false;
  ana_asks(kPrivate);
  bo_approves();
  const std::string refused = told("U2", show());
  EXPECT_THAT(refused, HasSubstr("Ask me in a direct message"));
  EXPECT_THAT(refused, Not(HasSubstr("pool")));
  EXPECT_THAT(told("U2", show(), kPrivate), HasSubstr("The pool is full."));
}

TEST_F(Reports, WhatOnlyAnAdminSeesIsAudited) {
  ana_asks(kPrivate);
  bo_approves();
  EXPECT_THAT(told("U6", show()), HasSubstr("The pool is full."));
  EXPECT_THAT(audited("seen_as_admin"), SizeIs(1));
}

TEST_F(Reports, CostIsThatOfTheThreadAndOnesOwnOfTheDay) {
  EXPECT_THAT(told("U1", "cost"), HasSubstr("Nothing was asked in this thread."));
  ana_asks(kThread);
  bo_approves();
  const std::string words = told("U1", "cost");
  EXPECT_THAT(words, HasSubstr("in 1 run."));
  EXPECT_THAT(words, HasSubstr("Your requests today: $"));
  EXPECT_THAT(words, HasSubstr(" of $10.00."));
  channel_->can.whisper = false;
  EXPECT_THAT(told("U1", "cost"), Not(HasSubstr("Your requests")));
}

TEST_F(Reports, GrantsAreThoseOfTheThreadOrOnesOwn) {
  EXPECT_EQ(told("U1", "grants"), "You have no grants.");
  ana_asks(kThread);
  bo_approves(interaction::Control::approve_for_thread);
  const std::string here = told("U4", "grants");
  EXPECT_THAT(here, AllOf(HasSubstr("Granted in this thread:"), HasSubstr("restart_service"),
                          HasSubstr("for ana by bo"), HasSubstr("0 of 5 uses")));
  EXPECT_THAT(told("U1", "grants", "scripted:C1:2"), HasSubstr("Your grants:"));
  EXPECT_EQ(told("U4", "grants", "scripted:C1:3"), "You have no grants.");
  channel_->can.whisper = false;
  EXPECT_THAT(told("U1", "grants", "scripted:C1:4"), Not(HasSubstr("restart_service")));
}

TEST_F(Reports, TasksAreTheBackgroundWorkOfTheThread) {
  EXPECT_EQ(told("U1", "tasks"), "There are no background tasks in this thread.");
  script(ModelScript()
             .calls("search_notes", {{"query", "pool"}, {"background", true}})
             .then_says("It runs in the background."));
  says("U1", "search in the background");
  until([&] { return runs().size() == 2; });
  const std::string words = told("U4", "tasks");
  EXPECT_THAT(words, HasSubstr("Background tasks of this thread:"));
  EXPECT_THAT(words, HasSubstr("search_notes"));
}

}  // namespace
}  // namespace deputy::test
