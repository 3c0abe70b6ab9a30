// Who sees what (behaviour 14), through the whole engine: tools that read the past, and those who read runs.
#include <gmock/gmock.h>

#include "e2e/engine.h"
#include "tools/common_steps.h"
#include "tools/history/history.h"
#include "tools/tasks/tasks.h"

namespace deputy::test {
namespace {

using policy::PlaceKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct PlacesParams {
  template <class Fields>
  static void fields(Fields&) {}
};

/// A tool that would read four channels, and says which of them it may.
std::shared_ptr<const toolkit::Tool> list_channels() {
  toolkit::ToolSpec spec{.name = "list_channels",
                         .version = 1,
                         .description = "Lists the channels that may be read",
                         .category = "doc_tools",
                         .effect = toolkit::Effect::read};
  return toolkit::make_tool<PlacesParams>(std::move(spec), [](const PlacesParams&) {
    json::array places;
    for (const char* id : {"C1", "C2", "P1", "P2"})
      places.push_back(json::object{{"id", id}, {"public", std::string_view(id).starts_with("C")}});
    return Result<toolkit::Pipeline>(
        tools::delegating(toolkit::DelegateKind::visibility, {{"channel", "scripted"}, {"places", std::move(places)}}));
  });
}

// C1 and C2 are public; P1 is ana's and bo's, P2 bo's alone. Everybody has a direct conversation.
class Visibility : public Engine {
 protected:
  Visibility() {
    for (const auto& tool : {tools::search_history(), tools::get_background_task(), list_channels()})
      EXPECT_OK(registry_.add(tool));
    set([](policy::Settings& settings) {
      settings.channels["C1"].categories.reset();
      settings.access.people->push_back("dee");
      settings.people["dee"] = {.accounts = {{"scripted", "U6"}}};
      settings.roles["admin"] = {.people = {"dee"}};
    });
    channel_->knows("scripted:U6", {.standing = policy::AccountKind::member});
    for (const char* id : {"P1", "P2"}) channel_->is(id, PlaceKind::private_channel);
    channel_->has_members("P1", {"U1", "U2"});
    channel_->has_members("P2", {"U2"});
  }
  /// A request that was answered.
  void has_asked(std::string account, std::string conversation, std::string answer) {
    clock_.advance(std::chrono::milliseconds(1));  // so that runs are listed in the order they were asked
    script(ModelScript().says(std::move(answer)));
    says(std::move(account), "what about the pool?", std::move(conversation));
    until_finished(++asked_);
  }
  /// In every kind of conversation.
  void all_have_asked() {
    has_asked("U2", "scripted:C2:1", "pool in public");
    has_asked("U2", "scripted:P1:1", "pool of the team");
    has_asked("U2", "scripted:P2:1", "pool of bo");
    has_asked("U1", "scripted:DU1", "pool told to ana");
  }
  std::string calls_in(std::string conversation, std::string tool, json::object arguments) {
    clock_.advance(std::chrono::milliseconds(1));
    script(ModelScript().calls(std::move(tool), std::move(arguments)).then_says("That is it."));
    says("U1", "look it up", std::move(conversation));
    until_finished(++asked_);
    // Ids of calls go on in a conversation that was asked before.
    const run::RunState state = this->state(static_cast<std::size_t>(asked_ - 1));
    EXPECT_EQ(state.calls.size(), 1U);
    if (state.calls.empty()) return "(no call)";
    return result_of(state.calls.begin()->first, static_cast<std::size_t>(asked_ - 1));
  }
  std::string searched_in(std::string conversation) {
    return calls_in(std::move(conversation), "search_history", {{"query", "pool"}});
  }
  gateway::Caller caller(std::string id) const {
    return {.identity = {.account = {"scripted", id}, .standing = policy::AccountKind::member},
            .place = {"scripted", "D" + id, PlaceKind::direct, false, policy::OpenTo::members},
            .name = id};
  }
  template <class T>
  Result<T> tried(Task<Result<T>> task) {
    Result<T> result = fail(ErrorKind::timeout, "it did not end in time");
    bool ended = false;
    asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr&, Result<T> value) {
      result = std::move(value);
      ended = true;
    });
    until([&] { return ended; });
    return result;
  }
  RunId run_in(const std::string& conversation) {
    for (const store::RunRow& row : runs()) {
      if (row.conversation == conversation) return row.run;
    }
    return {};
  }

  int asked_ = 0;
};

TEST_F(Visibility, InAChannelHistoryIsPublicConversationsAndThatChannel) {
  all_have_asked();
  EXPECT_THAT(searched_in("scripted:C1:9"),
              AllOf(HasSubstr("in public"), Not(HasSubstr("of the team")), Not(HasSubstr("of bo")),
                    Not(HasSubstr("told to ana")), HasSubstr("\n3 more hits found in other conversations")));
}

TEST_F(Visibility, InAPrivateChannelHistoryIsAlsoItsOwnThreads) {
  all_have_asked();
  EXPECT_THAT(searched_in("scripted:P1:9"), AllOf(HasSubstr("in public"), HasSubstr("of the team"),
                                                  Not(HasSubstr("of bo")), Not(HasSubstr("told to ana"))));
}

TEST_F(Visibility, InADirectMessageHistoryIsWhatTheRequesterSees) {
  all_have_asked();
  EXPECT_THAT(searched_in("scripted:DU1"), AllOf(HasSubstr("in public"), HasSubstr("of the team"),
                                                 HasSubstr("told to ana"), Not(HasSubstr("of bo"))));
}

TEST_F(Visibility, MembersThatCannotBeLookedUpSeeNothing) {
  all_have_asked();
  channel_->fails(Step::members, {ErrorKind::network, "no line"}, Posted::no, 10);
  clock_.advance(std::chrono::minutes(6));
  EXPECT_THAT(searched_in("scripted:DU1"), AllOf(HasSubstr("in public"), Not(HasSubstr("of the team"))));
}

TEST_F(Visibility, WhoHasLeftSeesItNoMoreAfterFiveMinutes) {
  all_have_asked();
  EXPECT_THAT(searched_in("scripted:DU1"), HasSubstr("of the team"));
  channel_->has_members("P1", {"U2"});
  clock_.advance(std::chrono::minutes(6));
  EXPECT_THAT(searched_in("scripted:DU1"), Not(HasSubstr("of the team")));
}

TEST_F(Visibility, AToolAsksWhatItMayRead) {
  EXPECT_EQ(calls_in("scripted:C1:9", "list_channels", {}), R"({"visible":["C1","C2"],"left_out":2})");
  EXPECT_EQ(calls_in("scripted:P1:9", "list_channels", {}), R"({"visible":["C1","C2","P1"],"left_out":1})");
  EXPECT_EQ(calls_in("scripted:DU1", "list_channels", {}), R"({"visible":["C1","C2","P1"],"left_out":1})");
}

TEST_F(Visibility, AGuestMayReadTheChannelsTheyAreInAlone) {
  channel_->knows("scripted:U1", {.standing = policy::AccountKind::guest});
  channel_->has_members("C1", {"U1", "U2"});
  channel_->has_members("C2", {"U2"});
  EXPECT_EQ(calls_in("scripted:C1:9", "list_channels", {}), R"({"visible":["C1"],"left_out":3})");
  EXPECT_EQ(calls_in("scripted:DU1", "list_channels", {}), R"({"visible":["C1","P1"],"left_out":2})");
}

TEST_F(Visibility, ATaskIsAsVisibleAsItsConversation) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}, {"background", true}}).then_says("It works on."));
  says("U2", "find it in the background", "scripted:P2:1");
  until([&] { return runs().size() == 2; });
  asked_ = 2;
  until_finished(asked_);
  std::string task;
  for (const store::RunRow& row : runs()) {
    if (row.parent) task = row.run.text();
  }
  const auto got = [&](const std::string& conversation) {
    return calls_in(conversation, "get_background_task", {{"task_id", task}});
  };
  EXPECT_THAT(got("scripted:DU1"), HasSubstr("there is no task"));
  channel_->has_members("P2", {"U1", "U2"});
  clock_.advance(std::chrono::minutes(6));
  EXPECT_THAT(got("scripted:DU1"), HasSubstr(task));
  EXPECT_THAT(got("scripted:C1:9"), HasSubstr("there is no task"));
}

TEST_F(Visibility, ARunIsReadByThoseWhoSeeItsConversation) {
  all_have_asked();
  gateway::Requests& requests = gateway_->requests();
  EXPECT_OK(tried(requests.read(caller("U1"), run_in("scripted:P1:1"))));
  EXPECT_FAILS(tried(requests.read(caller("U4"), run_in("scripted:P1:1"))), not_found);
  EXPECT_FAILS(tried(requests.watch(caller("U1"), run_in("scripted:P2:1"))), not_found);
  EXPECT_OK(tried(requests.watch(caller("U1"), run_in("scripted:C2:1"))));
  EXPECT_FAILS(tried(requests.read(caller("U9"), run_in("scripted:C2:1"))), not_found);
  EXPECT_THAT(audited("seen_as_admin"), IsEmpty());
}

TEST_F(Visibility, AnAdminSeesAllAndItIsAudited) {
  all_have_asked();
  EXPECT_OK(tried(gateway_->requests().read(caller("U6"), run_in("scripted:P2:1"))));
  EXPECT_EQ(audited("seen_as_admin").size(), 1U);
  EXPECT_OK(tried(gateway_->requests().read(caller("U6"), run_in("scripted:C2:1"))));
  EXPECT_EQ(audited("seen_as_admin").size(), 1U) << "everybody sees a public conversation";
}

TEST_F(Visibility, WhatWaitsIsSeenByThoseWhoMayAnswerItAndTheRestIsCounted) {
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("That was it."));
  says("U2", "restart checkout in prod", "scripted:P2:1");
  until_asked();
  gateway::Requests& requests = gateway_->requests();
  const InteractionId waiting = card_shown().interactions.at(0).id;
  const auto bo = must(requests.pending(caller("U2"), {}));
  EXPECT_EQ(bo.cards.size(), 1U);
  const auto cy = must(requests.pending(caller("U3"), {}));
  EXPECT_EQ(cy.cards.size(), 1U) << "cy approves it without being a member";
  const auto ana = must(requests.pending(caller("U1"), {}));
  EXPECT_THAT(ana.cards, IsEmpty());
  EXPECT_EQ(ana.left_out, 1U);
  EXPECT_EQ(must(requests.card(caller("U1"), waiting)).has_value(), false);
  EXPECT_EQ(must(requests.card(caller("U3"), waiting)).has_value(), true);
}

}  // namespace
}  // namespace deputy::test
