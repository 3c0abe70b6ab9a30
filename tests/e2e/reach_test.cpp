// Reaching the people who may approve: whom a card notifies, and where else it is shown.
#include <gmock/gmock.h>

#include <ranges>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using channel::Mentions;
using interaction::Control;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Reach : public Engine {
 protected:
  Reach() {
    channel_->knows("scripted:U5", {.standing = policy::AccountKind::member, .groups = {"S1"}});
    channel_->has_group("S1", {"U5"});
    set([](policy::Settings& settings) { settings.access.people->push_back("scripted:U5"); });
  }
  void ask(std::string conversation = kThread) {
    script(ModelScript()
               .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
               .then_says("That was it."));
    says("U1", "restart checkout in prod", std::move(conversation));
    until_asked();
  }
  void approved_by(std::vector<std::string> entries) {
    set([&](policy::Settings& settings) { settings.policy.approvers["service_tools"] = entries; });
  }
  /// The conversations that have a card with controls, or any card.
  std::vector<std::string> cards_in(bool with_controls = true) {
    std::vector<std::string> conversations;
    for (const ScriptedChannel::Shown& shown : channel_->shown()) {
      if (!shown.card) continue;
      const bool has_controls = std::ranges::any_of(
          shown.card->interactions, [](const channel::ShownInteraction& one) { return !one.controls.empty(); });
      if (has_controls || !with_controls) conversations.push_back(shown.conversation);
    }
    return conversations;
  }
  const ScriptedChannel::Shown* card_in(const std::string& conversation) {
    for (const ScriptedChannel::Shown& shown : channel_->shown()) {
      if (shown.card && shown.conversation == conversation) return &shown;
    }
    return nullptr;
  }
  void until_cards(std::size_t count) {
    must(gateway_->take_due());
    until([&] { return cards_in(false).size() >= count; });
  }
  int restarts() const { return world_->restarts.at("checkout"); }
};

TEST_F(Reach, ACardNotifiesAccountsAndGroupsOfItsChannel) {
  set([](policy::Settings& settings) {
    settings.people["dee"] = {.email = "dee@example.com", .accounts = {{"scripted", "U4"}}};
    settings.people["flo"] = {.accounts = {{"other", "U7"}}};
    settings.roles["oncall"] = {.people = {"bo"}, .groups = {"S1"}, .approve = {"service_tools"}};
  });
  approved_by({"dee@example.com", "flo", "oncall", "scripted:U3"});
  ask();
  EXPECT_EQ(card()->mentions, (Mentions{{{"scripted", "U4"}, {"scripted", "U2"}, {"scripted", "U3"}}, {"S1"}}));
}

TEST_F(Reach, AnIdThatIsNoAccountIsAGroup) {
  approved_by({"S1", "U2"});
  ask();
  EXPECT_EQ(card()->mentions, (Mentions{{{"scripted", "U2"}}, {"S1"}}));
}

TEST_F(Reach, AtMostFiveAccountsAreMentioned) {
  std::vector<std::string> many;
  for (int i = 20; i < 28; ++i) {
    channel_->knows("scripted:U" + std::to_string(i), {.standing = policy::AccountKind::member});
    many.push_back("scripted:U" + std::to_string(i));
  }
  approved_by(many);
  ask();
  EXPECT_EQ(card()->mentions.accounts.size(), 5U);
}

Task<toolkit::Step> shows_commit() { co_return toolkit::Output{"000000 → a1b2c3", {{"change", "a1b2c3"}}}; }
Task<toolkit::Step> starts() { co_return toolkit::Output{"started", {}}; }

/// A write whose preview says in a word what changes.
std::shared_ptr<const toolkit::Tool> run_pipeline() {
  toolkit::ToolSpec spec{.name = "run_pipeline",
                         .version = 1,
                         .description = "Runs the pipeline of a service",
                         .category = "service_tools",
                         .effect = toolkit::Effect::write,
                         .primary_param = "service"};
  return toolkit::make_tool<RestartServiceParams>(std::move(spec), [](const RestartServiceParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "preview", .repeatable = true, .call = [](toolkit::CallContext&) { return shows_commit(); }})
        .await_approval()
        .then({.name = "run", .call = [](toolkit::CallContext&) { return starts(); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

TEST_F(Reach, TheNotificationSaysAll) {
  EXPECT_OK(registry_.add(run_pipeline()));
  script(ModelScript()
             .calls("run_pipeline", {{"service", "cast-core"}, {"environment", "prod"}})
             .then_says("That was it."));
  says("U1", "deploy cast-core to prod");
  until_asked();
  EXPECT_EQ(card_shown().notification, "U1 asks: run_pipeline cast-core prod → a1b2c3");
}

TEST_F(Reach, WhereAnApproverIsAMemberThereIsOneCard) {
  channel_->has_members("C1", {"U1", "U3"});
  ask();
  must(gateway_->take_due());
  clicks("U3", Control::approve_once);
  until_finished();
  EXPECT_THAT(cards_in(false), ElementsAre(kThread));
}

TEST_F(Reach, WhereNoApproverIsAMemberEachGetsADirectMessageAndOneAnswerSettlesAll) {
  channel_->has_members("C1", {"U1", "U4"});
  ask();
  until_cards(3);
  EXPECT_THAT(cards_in(), ElementsAre(kThread, "scripted:DU2", "scripted:DU3"));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(
      must(channel_->clicks("U2", card_in("scripted:DU2")->ref, Control::approve_once))));
  until_finished();
  EXPECT_EQ(restarts(), 1);
  until([&] { return cards_in().empty(); });
  EXPECT_THAT(card_in("scripted:DU3")->text, HasSubstr("**Approved** by **U2**"));
  EXPECT_EQ(cards_in(false).size(), 3U);
}

TEST_F(Reach, ACodeIsTypedWhereASecondViewStands) {
  channel_->has_members("C1", {"U1"});
  ask();
  until_cards(3);
  says("U2", "approve " + must(store_->interactions({})).at(0).code, "scripted:DU2");
  until_finished();
  EXPECT_EQ(restarts(), 1);
}

// As in Slack, where each message of a direct message begins a conversation of its own.
TEST_F(Reach, ACodeIsTypedAnywhereInTheChannelOfASecondView) {
  channel_->has_members("C1", {"U1"});
  ask();
  until_cards(3);
  says("U2", "approve " + must(store_->interactions({})).at(0).code, "scripted:DU2:7");
  until_finished();
  EXPECT_EQ(restarts(), 1);
  EXPECT_EQ(runs().size(), 1U) << "it was no request";
}

TEST_F(Reach, AClickAdoptsASecondViewThatNobodyKnewToHaveArrived) {
  channel_->has_members("C1", {"U1"});
  ask();
  until_cards(1);
  channel_->fails(Step::show, {ErrorKind::network, "cut off"}, Posted::yes, 2);
  until_cards(3);
  const ScriptedChannel::Shown* const view = card_in("scripted:DU2");
  ASSERT_NE(view, nullptr);
  const auto is_in_doubt = [](const store::DeliveryRow& row) { return row.state == store::DeliveryState::unknown; };
  const auto doubted = [&] {
    return std::ranges::count_if(must(store_->deliveries({.run = runs()[0].run})), is_in_doubt);
  };
  until([&] { return doubted() == 2; });
  std::string deny;
  for (const channel::ShownControl& one : view->card->interactions.at(0).controls) {
    if (one.action.control == Control::deny) deny = one.token;
  }
  channel::InboundAnswer click;
  click.conversation = "scripted:DU2:" + view->ref;
  click.sender.id = "U2";
  click.token = deny;
  click.view = view->ref;
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(must(channel_->sends(click))));
  EXPECT_EQ(doubted(), 1) << "that of the other approver";
}

TEST_F(Reach, MembersOfAGroupAreReachedToo) {
  approved_by({"S1"});
  channel_->has_members("C1", {"U1"});
  ask();
  until_cards(2);
  EXPECT_THAT(cards_in(), ElementsAre(kThread, "scripted:DU5"));
}

TEST_F(Reach, APublicConversationsCardIsShownInTheApprovalsChannel) {
  set([](policy::Settings& settings) { settings.approvals.channel = "C8"; });
  channel_->has_members("C1", {"U1"});
  ask();
  until_cards(2);
  EXPECT_THAT(cards_in(), ElementsAre(kThread, "scripted:C8"));
}

TEST_F(Reach, APrivateConversationsCardIsNotShownInTheApprovalsChannel) {
  set([](policy::Settings& settings) { settings.approvals.channel = "C8"; });
  channel_->has_members("C1", {"U1"});
  channel_->is("C1", policy::PlaceKind::private_channel);
  ask();
  until_cards(3);
  EXPECT_THAT(cards_in(), ElementsAre(kThread, "scripted:DU2", "scripted:DU3"));
}

TEST_F(Reach, WhoMayNotApproveThisGetsNoDirectMessage) {
  set([](policy::Settings& settings) { settings.policy.requester_may_approve = false; });
  approved_by({"ana", "bo"});
  channel_->has_members("C1", {"U4"});
  ask();
  until_cards(2);
  EXPECT_THAT(cards_in(), ElementsAre(kThread, "scripted:DU2"));
}

TEST_F(Reach, SecondViewsAreOwedOnceHoweverOftenItIsDue) {
  channel_->has_members("C1", {"U1"});
  ask();
  until_cards(3);
  restart();
  must(gateway_->take_due());
  must(gateway_->take_due());
  EXPECT_EQ(cards_in(false).size(), 3U);
}

TEST_F(Reach, AnAnswerWhileASecondViewIsOnItsWaySettlesThatViewToo) {
  channel_->has_members("C1", {"U1", "U4"});
  std::string token;
  bool answered_already = false;
  channel_->before = [&](Step step) {
    // The card in the thread stands; a view elsewhere is being shown.
    if (step != Step::show || token.empty() || std::exchange(answered_already, true)) return;
    asio::co_spawn(loop_, channel_->sends_token("U2", kThread, token),
                   [](const std::exception_ptr&, const Result<channel::Verdict>& verdict) { EXPECT_OK(verdict); });
  };
  ask();
  token = card_shown().interactions.at(0).controls.at(0).token;
  must(gateway_->take_due());
  until_finished();
  until([&] { return cards_in().empty(); });
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Reach, TheReminderAtHalfTimeNotifiesWhereverTheCardStands) {
  channel_->has_members("C1", {"U1", "U4"});
  ask();
  until_cards(3);
  pass(std::chrono::minutes(16));
  const auto reminded = [&](const std::string& conversation) {
    return std::ranges::any_of(channel_->shown_in(conversation), [](const ScriptedChannel::Shown& shown) {
      return shown.text.starts_with("Still waiting for approval: U1 asks: restart_service checkout") &&
             shown.mentions == Mentions{{{"scripted", "U2"}, {"scripted", "U3"}}, {}};
    });
  };
  until([&] { return reminded(kThread) && reminded("scripted:DU2") && reminded("scripted:DU3"); });
}

TEST_F(Reach, AnExpiredCardIsRedrawnInEveryView) {
  channel_->has_members("C1", {"U1", "U4"});
  ask();
  until_cards(3);
  pass(std::chrono::minutes(31));
  until_finished();
  until([&] { return card_in("scripted:DU2")->text.find("xpired") != std::string::npos; });
  EXPECT_EQ(restarts(), 0);
}

TEST_F(Reach, WithoutDirectMessagesTheCardStaysWhereItIs) {
  channel_->can.direct = false;
  channel_->has_members("C1", {"U1"});
  ask();
  must(gateway_->take_due());
  clicks("U2", Control::deny);
  until_finished();
  EXPECT_THAT(cards_in(), IsEmpty());
  EXPECT_EQ(cards_in(false).size(), 1U);
}

}  // namespace
}  // namespace deputy::test
