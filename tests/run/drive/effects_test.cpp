// The rows that come with the end of a call and of a run.
#include "run/drive/effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fields_codec.h"
#include "run/drive/judge.h"
#include "run/journal/delivery.h"
#include "run/journal/interaction_body.h"
#include "support/journal.h"
#include "support/results.h"

namespace deputy::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Timestamp kNow = from_millis(1'700'000'060'000);
const RunId kRun = RunId::derive(kNow, "run");
const RunId kChild = RunId::derive(kNow, "child");
const RunId kParent = RunId::derive(kNow, "parent");
const InteractionId kInteraction = InteractionId::derive(kNow, "interaction");

template <class Body>
Body body_of(const store::DeliveryRow& row) {
  EXPECT_EQ(row.kind, Body::kKind);
  const auto parsed = parse_arguments<Body>(*parse_json_object(row.body));
  EXPECT_OK(parsed);
  return parsed.value_or(Body{});
}
std::vector<std::string> audit_kinds(const store::Effects& effects) {
  std::vector<std::string> kinds;
  kinds.reserve(effects.audit.size());
  for (const store::AuditRow& row : effects.audit) kinds.push_back(row.kind);
  return kinds;
}
Journal asked() {
  return begun()
      .calls({{"c1", "restart"}})
      .ruled("c1", Verdict::ask, {{"act"}}, 0)
      .add(Asked{"c1", kInteraction.text(), AskKind::approval, "d1", kInteraction.text()});
}
Journal with_child() {
  Journal journal = begun().calls({{"c1", "investigate"}}).ruled("c1", Verdict::allow).started("c1", "act");
  journal.add(
      Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::child_run, .payload = {}, .child = kChild.text()});
  return journal;
}

TEST(EndOfCall, IsAudited) {
  const Journal journal = begun().calls({{"c1", "search"}}).ruled("c1", Verdict::allow);
  const store::Effects effects = effects_of_call(kRun, journal.state(), {"c1", CallStatus::success, "12 errors"}, kNow);
  ASSERT_THAT(effects.audit, SizeIs(1));
  EXPECT_EQ(effects.audit[0].kind, "call_finished");
  EXPECT_EQ(effects.audit[0].person, "ana");
  EXPECT_EQ(effects.audit[0].run, kRun);
  EXPECT_EQ(effects.audit[0].body, R"({"call":"c1","tool":"search","status":"success"})");
  EXPECT_THAT(effects.deliveries, IsEmpty());
  EXPECT_THAT(effects.settled, IsEmpty());
}

TEST(EndOfCall, ClosesAQuestionThatNobodyAnswered) {
  const store::Effects effects =
      effects_of_call(kRun, asked().add(CancelRequested{"bo"}).state(), {"c1", CallStatus::cancelled, "x"}, kNow);
  ASSERT_THAT(effects.settled, SizeIs(1));
  EXPECT_EQ(effects.settled[0].first, kInteraction);
  EXPECT_EQ(effects.settled[0].second.state, store::InteractionState::cancelled);
  EXPECT_EQ(effects.settled[0].second.by, "bo");
  ASSERT_THAT(effects.deliveries, SizeIs(1));
  EXPECT_EQ(body_of<RedrawDelivery>(effects.deliveries[0]).card, kInteraction.text());
  EXPECT_EQ(effects.dues_ended, dues_of(kInteraction.text()));
}

TEST(EndOfCall, LeavesAnAnsweredQuestionAlone) {
  Journal journal = asked();
  journal.add(
      Answered{.interaction = kInteraction.text(), .call = "c1", .state = interaction::State::denied, .by = "bo"});
  const store::Effects effects = effects_of_call(kRun, journal.state(), {"c1", CallStatus::denied, "x"}, kNow);
  EXPECT_THAT(effects.settled, IsEmpty());
  EXPECT_THAT(effects.deliveries, IsEmpty());
}

TEST(EndOfCall, ThatMayHaveHappenedIsRememberedAndSaid) {
  Journal journal = begun().calls({{"c1", "restart"}});
  journal.add(Ruled{.call = "c1", .verdict = Verdict::allow, .digest = "d1", .wish = "w1", .steps = {{"act"}}});
  const store::Effects effects = effects_of_call(kRun, journal.state(), {"c1", CallStatus::unknown, "x"}, kNow);
  ASSERT_THAT(effects.texts, SizeIs(1));
  EXPECT_EQ(effects.texts[0].digest, unknown_key("slack:T1:C1:1.0", "w1"));
  ASSERT_THAT(effects.deliveries, SizeIs(1));
  EXPECT_EQ(effects.deliveries[0].conversation, "slack:T1:C1:1.0");
  EXPECT_EQ(body_of<NoticeDelivery>(effects.deliveries[0]).text,
            "`restart`: it may have happened; check before doing it again.");
  EXPECT_EQ(effects.audit[0].digest, "d1");
  journal.add(CancelRequested{"bo"});
  EXPECT_THAT(effects_of_call(kRun, journal.state(), {"c1", CallStatus::unknown, "x"}, kNow).deliveries, IsEmpty())
      << "the answer of a run that was stopped says it";
}

TEST(EndOfCall, StopsItsChildrenOnlyWhenTheRunEnds) {
  EXPECT_THAT(effects_of_call(kRun, with_child().state(), {"c1", CallStatus::error, "x"}, kNow).mail, IsEmpty());
  const store::Effects effects =
      effects_of_call(kRun, with_child().add(CancelRequested{"bo"}).state(), {"c1", CallStatus::cancelled, "x"}, kNow);
  ASSERT_THAT(effects.mail, SizeIs(1));
  EXPECT_EQ(effects.mail[0].run, kChild);
  EXPECT_EQ(std::get<CancelRequested>(decode(effects.mail[0].entry)->body).by, "bo");
}

TEST(EndOfRun, OwesTheAnswerToTheThread) {
  const store::Effects effects = effects_of_reply(kRun, begun().says("x").state(), {"Two errors."}, kNow);
  ASSERT_THAT(effects.deliveries, SizeIs(1));
  EXPECT_EQ(effects.deliveries[0].conversation, "slack:T1:C1:1.0");
  EXPECT_EQ(effects.deliveries[0].run, kRun);
  const auto answer = body_of<AnswerDelivery>(effects.deliveries[0]);
  EXPECT_EQ(answer.text, "Two errors.");
  EXPECT_THAT(answer.footer, HasSubstr(kRun.text()));
}

TEST(EndOfRun, StoresWhichHostsTheAnswerMayLinkTo) {
  const Journal journal = Journal().received("why does https://app.example fail?").taken_up();
  const store::Effects effects =
      effects_of_reply(kRun, journal.state(), {"See https://app.example/1 and https://evil.example."}, kNow);
  EXPECT_EQ(body_of<AnswerDelivery>(effects.deliveries.at(0)).known_hosts, std::vector<std::string>{"app.example"});
  const store::Effects none = effects_of_reply(kRun, journal.state(), {"It works."}, kNow);
  EXPECT_EQ(body_of<AnswerDelivery>(none.deliveries.at(0)).known_hosts, std::vector<std::string>{});
}

TEST(EndOfRun, SendsTheNewestPlotsOfCallsThatSucceeded) {
  Journal journal = begun().calls({{"c1", "query"}, {"c2", "query"}, {"c3", "query"}, {"c4", "query"}});
  for (const std::string call : {"c1", "c2", "c3", "c4"}) {
    StepDone done{.call = call, .handler = "act", .outcome = StepOutcome::output, .output = "x"};
    done.data = json::object{{"plot", {{"title", call}}}};
    journal.ruled(call, Verdict::allow).started(call, "act").add(done);
    journal.finished_call(call, call == "c3" ? CallStatus::error : CallStatus::success);
  }
  const store::Effects effects = effects_of_reply(kRun, journal.state(), {"Busy."}, kNow);
  const auto answer = body_of<AnswerDelivery>(effects.deliveries.at(0));
  EXPECT_EQ(answer.plots, (std::vector<json::object>{{{"title", "c2"}}, {{"title", "c4"}}}));
  EXPECT_EQ(body_of<AnswerDelivery>(effects_of_reply(kRun, begun().state(), {"x"}, kNow).deliveries.at(0)).plots,
            std::nullopt);
}

Journal child(std::optional<OnlyCall> only_call = {}) {
  Received received{.text = "`restart` in the background", .requester = "ana", .conversation = "t"};
  received.parent = kParent.text();
  received.parent_call = "c7";
  received.only_call = std::move(only_call);
  return Journal().add(received).taken_up();
}

TEST(EndOfRun, OfAChildGoesToItsParentAndNotToTheThread) {
  Journal journal = child().enriched().says("the pool");
  store::Effects effects = effects_of_reply(kRun, journal.state(), {"the pool"}, kNow);
  EXPECT_THAT(effects.deliveries, IsEmpty());
  add_effects_of_finish(kRun, journal.state(), {"the pool"}, {RunOutcome::answered}, kNow, effects);
  ASSERT_THAT(effects.mail, SizeIs(1));
  EXPECT_EQ(effects.mail[0].run, kParent);
  const auto told = std::get<ChildFinished>(decode(effects.mail[0].entry)->body);
  EXPECT_EQ(told.child, kRun.text());
  EXPECT_EQ(told.call, "c7");
  EXPECT_EQ(told.outcome, RunOutcome::answered);
  EXPECT_EQ(told.text, "the pool");
  EXPECT_EQ(told.cost, 10);
}

TEST(EndOfRun, OfABackgroundCallIsToldToTheThread) {
  const Journal journal = child(OnlyCall{.call = {"c1", "restart"}});
  const store::Effects effects = effects_of_reply(kRun, journal.state(), {"restarted"}, kNow);
  ASSERT_THAT(effects.deliveries, SizeIs(1));
  EXPECT_EQ(body_of<NoticeDelivery>(effects.deliveries[0]).text,
            "`restart` in the background ended (task " + kRun.text() + "): restarted");
}

TEST(EndOfRun, OfABackgroundCallStoresWhichHostsItMayLinkTo) {
  Received received{.text = "`restart` in the background", .requester = "ana", .conversation = "t"};
  received.parent = kParent.text();
  received.only_call = OnlyCall{.call = {"c1", "restart"}};
  received.known_hosts = {"app.example"};
  const Journal journal = Journal().add(received).taken_up();
  const store::Effects effects =
      effects_of_reply(kRun, journal.state(), {"https://app.example https://evil.example"}, kNow);
  EXPECT_EQ(body_of<NoticeDelivery>(effects.deliveries.at(0)).known_hosts, std::vector<std::string>{"app.example"});
}

TEST(EndOfRun, OfAPoisonRunIsToldToTheOperatorsWhoeverStartedIt) {
  for (Journal journal : {begun(), child()}) {
    journal.taken_up(TakenAfter::crash).taken_up(TakenAfter::crash).taken_up(TakenAfter::crash);
    const store::Effects effects = effects_of_reply(kRun, journal.state(), {"x"}, kNow);
    std::vector<std::string> alerts;
    for (const store::DeliveryRow& row : effects.deliveries) {
      if (row.conversation == kAlertConversation) alerts.push_back(body_of<NoticeDelivery>(row).text);
    }
    EXPECT_THAT(alerts, ElementsAre("Run " + kRun.text() + " crashed three times in a row and was given up."));
  }
}

TEST(EndOfRun, ClosesTheRun) {
  store::Effects effects;
  add_effects_of_finish(kRun, begun().state(), {"Two errors."}, {RunOutcome::answered}, kNow, effects);
  const store::RunChange change = effects.run.value_or(store::RunChange{});
  EXPECT_EQ(change.to, store::RunStatus::finished);
  EXPECT_EQ(change.outcome, "answered");
  EXPECT_THAT(effects.dues_ended, ElementsAre(store::DueKey{"deadline", kRun.text()}));
  ASSERT_THAT(effects.search, SizeIs(1));
  EXPECT_EQ(effects.search[0].text, "show me errors\nTwo errors.");
  EXPECT_THAT(audit_kinds(effects), ElementsAre("finished"));
  EXPECT_THAT(effects.mail, IsEmpty());
}

TEST(EndOfRun, ThatIsStoppedStopsItsBackgroundCallsToo) {
  Journal journal = with_child().finished_call("c1");
  store::Effects answered;
  add_effects_of_finish(kRun, journal.state(), {"x"}, {RunOutcome::answered}, kNow, answered);
  EXPECT_THAT(answered.mail, IsEmpty());
  journal.add(CancelRequested{"bo"});
  store::Effects cancelled;
  add_effects_of_finish(kRun, journal.state(), {"x"}, {RunOutcome::cancelled}, kNow, cancelled);
  ASSERT_THAT(cancelled.mail, SizeIs(1));
  EXPECT_EQ(cancelled.mail[0].run, kChild);
}

TEST(Footer, NamesEachToolOnceAndNotTheTalk) {
  Journal journal = begun().calls({{"c1", "search"}, {"c2", "restart"}, {"c3", "ask_user"}});
  journal.finished_call("c1").finished_call("c2").finished_call("c3").calls({{"c4", "search"}}).finished_call("c4");
  const Timestamp now = journal.state().taken_up_at + std::chrono::milliseconds(2340);
  EXPECT_EQ(footer_of(kRun, journal.state(), now), "restart, search · 2.3 s · <$0.01 · " + kRun.text());
  const Journal plain = begun();
  EXPECT_EQ(footer_of(kRun, plain.state(), plain.state().taken_up_at), "0.0 s · " + kRun.text());
}

}  // namespace
}  // namespace deputy::run
