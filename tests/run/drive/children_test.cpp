// Runs that a run starts: what they inherit, and what they may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/drive/effects.h"
#include "support/held.h"
#include "support/journal.h"
#include "support/results.h"

namespace deputy::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

const Timestamp kNow = from_millis(1'700'000'000'000);
const RunId kParent = RunId::derive(kNow, "parent");

Received request() {
  return {.text = "why is checkout slow",
          .requester = "ana",
          .conversation = "slack:T1:C1:1.0",
          .account = "slack:T1/U1",
          .name = "Ana",
          .place = {{"channel", "slack"}, {"kind", "public_channel"}}};
}
Journal investigating(Received received = request()) {
  return Journal()
      .add(std::move(received))
      .taken_up()
      .enriched()
      .calls({{"call_1", "investigate_issue"}})
      .ruled("call_1", Verdict::allow);
}
Delegated wish(json::object payload) {
  return {.call = "call_1", .handler = "act", .kind = DelegateTo::child_run, .payload = std::move(payload)};
}
Received first_entry(const store::NewRunRow& row) {
  const Result<Entry> entry = decode(row.first);
  EXPECT_OK(entry);
  return std::get<Received>(entry->body);
}
Received child(const Journal& parent, json::object payload = {{"task", "look at the pool"}}) {
  const auto row = child_run(kParent, parent.state(), wish(std::move(payload)), 400, kNow);
  EXPECT_OK(row);
  return first_entry(*row);
}

TEST(ChildRun, BeginsWithTheHostsThatItsParentKnows) {
  EXPECT_EQ(child(investigating()).known_hosts, std::nullopt);
  const Journal told = investigating().add(Noted{.text = "see https://app.example/x", .writer = "bo"});
  EXPECT_EQ(child(told).known_hosts, std::vector<std::string>{"app.example"});
}

TEST(ChildRun, ActsForTheSamePersonInTheSamePlace) {
  const auto row = child_run(kParent, investigating().state(), wish({{"task", "look at the pool"}}), 400, kNow);
  ASSERT_OK(row);
  EXPECT_EQ(row->parent, kParent);
  EXPECT_EQ(row->requester, "ana");
  EXPECT_EQ(row->conversation, "slack:T1:C1:1.0");
  const Received received = first_entry(*row);
  EXPECT_EQ(received.text, "look at the pool");
  EXPECT_EQ(received.requester, "ana");
  EXPECT_EQ(received.account, "slack:T1/U1");
  EXPECT_EQ(received.name, "Ana");
  EXPECT_EQ(received.place, request().place);
  EXPECT_EQ(received.parent, kParent.text());
  EXPECT_EQ(received.parent_call, "call_1");
  EXPECT_EQ(received.budget, 400);
  EXPECT_EQ(received.suspicion, std::nullopt);
  EXPECT_EQ(received.also, std::nullopt);
  EXPECT_EQ(received.only_tools, std::nullopt);
}

TEST(ChildRun, IsAsSuspiciousAsItsParent) {
  Received suspicious = request();
  suspicious.suspicion = "it asks for credentials";
  EXPECT_EQ(child(investigating(suspicious)).suspicion, "it asks for credentials");
  Journal by_note = investigating();
  by_note.add(
      Noted{.text = "and dump the users", .writer = "bo", .account = "slack:T1/U2", .suspicion = "bulk export"});
  EXPECT_EQ(child(by_note).suspicion, "bulk export");
}

TEST(ChildRun, IsRuledForWhoeverWroteNotesBeforeTheCall) {
  Journal journal = Journal().add(request()).taken_up().enriched();
  journal.add(Noted{"and the pool", "bo", "slack:T1/U2"}).add(Noted{"please", "ana", "slack:T1/U1"});
  journal.calls({{"call_1", "investigate_issue"}}).ruled("call_1", Verdict::allow);
  journal.add(Noted{"hm", "cy", "slack:T1/U3"});
  const Received received = child(journal);
  EXPECT_THAT(received.also, Optional(ElementsAre("slack:T1/U2")));
}

TEST(ChildRun, HasAtMostTheToolsOfItsParent) {
  const json::object wants{{"task", "x"}, {"tools", {"search_logs", "restart_service"}}};
  EXPECT_THAT(child(investigating(), wants).only_tools, Optional(ElementsAre("search_logs", "restart_service")));
  Received narrow = request();
  narrow.only_tools = {"search_logs", "investigate_issue"};
  EXPECT_THAT(child(investigating(narrow), wants).only_tools, Optional(ElementsAre("search_logs")));
  EXPECT_THAT(child(investigating(narrow)).only_tools, Optional(ElementsAre("search_logs", "investigate_issue")));
}

TEST(ChildRun, HasNoChildren) {
  Received of_child = request();
  of_child.parent = kParent.text();
  EXPECT_FAILS(child_run(kParent, investigating(of_child).state(), wish({{"task", "x"}}), {}, kNow), permission);
}

TEST(ChildRun, OfAPayloadThatSaysNothingIsAnError) {
  EXPECT_FAILS(child_run(kParent, investigating().state(), wish({}), {}, kNow), invalid_input);
  EXPECT_FAILS(child_run(kParent, investigating().state(), wish({{"task", ""}}), {}, kNow), invalid_input);
}

TEST(ChildRun, BeginsWithTheCallsThatItIsGiven) {
  const json::object first{{"tool", "search_logs"}, {"arguments", {{"query", "pool"}}}};
  const Received received = child(investigating(), {{"task", "x"}, {"first_calls", json::array{first}}});
  const auto& calls = test::held(received.first_calls);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].tool, "search_logs");
  EXPECT_EQ(calls[0].arguments, (json::object{{"query", "pool"}}));
}

TEST(ChildRun, ThatNeedsNoModelHasItsTurnsInOrder) {
  Journal journal = Journal().add(request()).taken_up().enriched();
  journal.add(ModelReplied{.text = "", .calls = {{"call_1", "search_logs"}}, .stop = ReplyStop::calls});
  journal.add(ModelReplied{.text = "No model.", .calls = {}, .stop = ReplyStop::end_turn});
  EXPECT_EQ(journal.state().last_text(), "No model.");
}

TEST(ChildRun, HasTheSameIdWhenItIsStartedAgain) {
  const RunState state = investigating().state();
  const RunId first = child_run(kParent, state, wish({{"task", "x"}}), {}, kNow)->run;
  EXPECT_EQ(child_run(kParent, state, wish({{"task", "x"}}), {}, kNow)->run, first);
  Delegated other = wish({{"task", "x"}});
  other.call = "call_2";
  EXPECT_NE(child_run(kParent, state, other, {}, kNow)->run, first);
}

TEST(BackgroundRun, IsOneCallWithTheYesItWasGiven) {
  Journal journal = Journal().add(request()).taken_up().enriched().calls(
      {{"call_1", "restart_service", {{"service", "checkout"}, {"background", true}}}});
  const store::NewRunRow row =
      background_run(kParent, journal.state(), *journal.state().find_call("call_1"), "bo", "d1", kNow);
  const Received received = first_entry(row);
  const auto& only = test::held(received.only_call);
  EXPECT_EQ(only.call.id, "call_1");
  EXPECT_EQ(only.call.tool, "restart_service");
  EXPECT_EQ(only.call.arguments, (json::object{{"service", "checkout"}}));
  EXPECT_EQ(only.approved_by, "bo");
  EXPECT_EQ(only.digest, "d1");
  EXPECT_EQ(received.parent, kParent.text());
  EXPECT_EQ(received.parent_call, "call_1");
  EXPECT_EQ(received.requester, "ana");
  EXPECT_EQ(received.text, "`restart_service` in the background");
}

TEST(OpenChildren, AreThoseThatHaveNotBeenHeardOf) {
  const RunId id = RunId::derive(kNow, "child");
  Journal journal = investigating();
  EXPECT_THAT(open_children(*journal.state().find_call("call_1")), IsEmpty());
  Delegated delegated = wish({{"task", "x"}});
  delegated.child = id.text();
  journal.started("call_1", "act").add(delegated);
  EXPECT_THAT(open_children(*journal.state().find_call("call_1")), ElementsAre(id));
  journal.add(ChildFinished{id.text(), "call_1", RunOutcome::answered, "the pool"});
  EXPECT_THAT(open_children(*journal.state().find_call("call_1")), IsEmpty());
}

}  // namespace
}  // namespace deputy::run
