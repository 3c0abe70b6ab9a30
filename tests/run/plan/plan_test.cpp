// What a run does next, row by row.
#include "run/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/plan/messages.h"
#include "support/journal.h"

namespace deputy::run {
namespace {

using How = RunStep::How;
using Actions = std::vector<Action>;

const StepInfo kPreview{"preview", true};
const StepInfo kAct{"act", false};
const StepInfo kLookableAct{"act", false, true};

// A write that asks: preview, gate, act, finally clean.
Journal asking(StepInfo act = kAct) {
  return begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::ask, {kPreview, std::move(act)}, 1, {"clean"});
}
Journal previewed(StepInfo act = kAct) {
  return asking(std::move(act)).started("c1", "preview").done("c1", "preview", StepOutcome::output, "will restart");
}
Journal approved(StepInfo act = kAct) { return previewed(std::move(act)).asked("c1").answered("c1"); }

// A write that a grant allowed, before its gate.
Journal granted() {
  return begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::allow, {kPreview, kAct}, 1).done("c1", "preview");
}

struct Row {
  std::string name;
  Journal journal;
  Actions expected;
};

class Plan : public testing::TestWithParam<Row> {};

Journal remembers() {
  return Journal().received().taken_up().add(Enriched{.context = "", .memory = MemoryShown{.runs = {"r1"}}});
}

TEST_P(Plan, Says) { EXPECT_EQ(GetParam().journal.plan(), GetParam().expected); }

// A call whose result does not fit however short it is shown.
Journal too_long() {
  return begun()
      .calls({{"c1", "search"}})
      .finished_call("c1")
      .says("", ReplyStop::overflow)
      .says("", ReplyStop::overflow)
      .says("", ReplyStop::overflow);
}

// A look must not begin after what it looks for.
TEST(Fold, AStepWasBegunWhenItWasBegunFirst) {
  Journal journal = approved(kLookableAct).ruled_after_gate("c1").started("c1", "act");
  const Timestamp first = journal.entries().back().at;
  journal.done("c1", "act", StepOutcome::unknown);
  const CallState* call = journal.state().find_call("c1");
  ASSERT_NE(call, nullptr);
  const auto act = std::ranges::find(call->steps, "act", [](const StepState& step) { return step.info.name; });
  ASSERT_NE(act, call->steps.end());
  EXPECT_EQ(act->begun_at, first);
  EXPECT_GT(act->attempted_at, first);
}

INSTANTIATE_TEST_SUITE_P(
    Turns, Plan,
    testing::ValuesIn(std::vector<Row>{
        {"NothingBeforeAnOwnerHasTakenItUp", Journal().received(), {}},
        {"TheContextComesFirst", Journal().received().taken_up(), {Enrich{}}},
        {"ThenTheModelIsAsked", begun(), {CallModel{16'000}}},
        {"AModelThatIsBeingAskedIsNotAskedAgain", begun().model_called(), {}},
        {"AModelThatWasAskedByADeadOwnerIsAskedAgain",
         begun().model_called().taken_up(TakenAfter::crash),
         {CallModel{16'000}}},
        {"TextWithoutCallsIsTheAnswer", begun().says("Two errors."), {Reply{"Two errors."}}},
        {"AnEmptyAnswerIsSaidInWords",
         begun().says(""),
         {Reply{"The model gave no answer, and there are no results. Asking again may help."}}},
        {"ABlankAnswerIsAnEmptyOne",
         begun().says(" \n"),
         {Reply{"The model gave no answer, and there are no results. Asking again may help."}}},
        {"AnEmptyAnswerAfterNothingButErrorsClaimsNoResults",
         begun().calls({{"c1", "search"}}).finished_call("c1", CallStatus::error, "no").says(""),
         {Reply{"The model gave no answer, and there are no results. Asking again may help. Tools used: "
                "`search`."}}},
        {"AnEmptyAnswerAfterACallThatWasWrongNamesNoTool",
         begun().calls({{"c1", "unnamed_tool", {}, "broken"}}).finished_call("c1", CallStatus::error, "no").says(""),
         {Reply{"The model gave no answer, and there are no results. Asking again may help."}}},
        {"AnEmptyAnswerNamesEveryToolOnce",
         begun()
             .calls({{"c1", "search_logs"}, {"c2", "search"}, {"c3", "search"}})
             .finished_call("c1")
             .finished_call("c2")
             .finished_call("c3")
             .says(""),
         {Reply{"I found results but could not summarise them. Tools used: `search_logs`, `search`."}}},
        {"AnAnswerCutAtItsLimitGoesOnOnce", begun().says("Two err", ReplyStop::max_tokens), {CallModel{16'000}}},
        {"AndIsThenWhole",
         begun().says("Two err", ReplyStop::max_tokens).says("ors: a, b."),
         {Reply{"Two errors: a, b."}}},
        {"StillCutItSaysSoAndNamesTheSetting",
         begun().says("Two err", ReplyStop::max_tokens).says("ors:", ReplyStop::max_tokens),
         {Reply{"Two errors:\n\n_(This answer was cut at its length limit, limits.reply_tokens.)_"}}},
        {"ACutAnswerThatCannotGoOnIsKept",
         begun()
             .says("Two err", ReplyStop::max_tokens)
             .add(ModelReplied{.text = "", .stop = ReplyStop::failed, .error = "it is gone"}),
         {Reply{"Two err\n\nI could not finish: it is gone.\nNothing had been done."}}},
        {"AReplyCutInsideACallIsAskedForAgain", begun().says("", ReplyStop::cut_call), {CallModel{16'000}}},
        {"AReplyUsedUpBeforeItsFirstWordIsAskedForAgain",
         begun().says(" ", ReplyStop::max_tokens),
         {CallModel{16'000}}},
        {"ThenItsAnswerCounts", begun().says("", ReplyStop::max_tokens).says("Two errors."), {Reply{"Two errors."}}},
        {"AReplyUsedUpTwiceIsSaid",
         begun().says("", ReplyStop::max_tokens).says("", ReplyStop::max_tokens),
         {Reply{"I could not finish: the model used up the length of its reply and said nothing "
                "(limits.reply_tokens).\nNothing had been "
                "done."}}},
        {"ARefusalIsSaidWithWhatWasDone",
         begun().calls({{"c1", "search"}}).finished_call("c1").says("", ReplyStop::refusal),
         {Reply{"The model declined to answer this.\n- `search`: done"}}},
        {"ARefusalAfterSomeTextShowsTheText",
         begun().says("Two errors.", ReplyStop::refusal),
         {Reply{"Two errors.\n\nThe model declined to answer this.\nNothing had been done."}}},
        {"AfterTheAnswerTheRunFinishes",
         begun().says("Two errors.").add(Replied{"Two errors."}),
         {Finish{RunOutcome::answered}}},
        {"ANoteDuringTheModelsTurnIsReadBeforeTheRunEnds",
         begun()
             .model_called()
             .add(Noted{"and staging", "ana"})
             .add(ModelReplied{.text = "Two errors.", .calls = {}, .stop = ReplyStop::end_turn}),
         {CallModel{16'000}}},
        {"ANoteAfterTheAnswerGetsAnAnswerOfItsOwn",
         begun().says("Two errors.").add(Replied{"Two errors."}).add(Noted{"and staging", "ana"}),
         {CallModel{16'000}}},
        {"AfterAToolTurnThereIsRoomForMoreProse",
         begun().calls({{"c1", "search"}}).finished_call("c1"),
         {CallModel{16'000}}},
        {"WhatRespondDirectlySaysIsTheAnswer",
         begun().calls({{"c1", "respond_directly"}}).finished_call("c1", CallStatus::success, "Hello."),
         {Reply{"Hello."}}},
        {"AModelThatFailedIsToldToPeople",
         begun().model_called().add(ModelReplied{
             .text = "", .calls = {}, .stop = ReplyStop::failed, .error = "the provider is down"}),
         {Reply{"I could not finish: the provider is down.\nNothing had been done."}}},
        {"WhatDoesNotFitIsShownShorterTwice",
         begun()
             .calls({{"c1", "search"}})
             .finished_call("c1")
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow),
         {CallModel{16'000}}},
        {"WhatDoesNotFitBecauseOfMemoryIsAskedWithoutIt",
         remembers().says("", ReplyStop::overflow).says("", ReplyStop::overflow).says("", ReplyStop::overflow),
         {CallModel{16'000}}},
        {"AndThenItIsSaid",
         remembers()
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow),
         {Reply{"I could not finish: the request does not fit the model.\nNothing had been done."}}},
        {"ThenItIsSummarised", too_long(), {Summarise{16'000}}},
        {"ASummaryThatADeadOwnerAskedForIsAskedForAgain", too_long().taken_up(TakenAfter::crash), {Summarise{16'000}}},
        {"AfterTheSummaryTheModelIsAskedAgain", too_long().add(Summarised{"12 errors.", 1}), {CallModel{16'000}}},
        {"WhatTheSummaryStandsForIsNotSummarisedAgain",
         too_long()
             .add(Summarised{"12 errors.", 1})
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow),
         {Reply{"I could not finish: the request does not fit the model.\n- `search`: done"}}},
        {"WhatCameAfterItIsSummarisedWithIt",
         too_long()
             .add(Summarised{"12 errors.", 1})
             .calls({{"c2", "search"}})
             .finished_call("c2")
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow)
             .says("", ReplyStop::overflow),
         {Summarise{16'000}}},
        {"ASummaryOfTurnsThatAreNotThereIsNone", too_long().add(Summarised{"x", 2}), {Summarise{16'000}}},
        {"ARequestThatDoesNotFitIsSaid",
         begun().says("", ReplyStop::overflow).says("", ReplyStop::overflow).says("", ReplyStop::overflow),
         {Reply{"I could not finish: the request does not fit the model.\nNothing had been done."}}},
        {"ASummaryThatCannotBeHadIsSaid",
         too_long().add(Summarised{.text = "", .items = 0, .error = "neither does a summary of it"}),
         {Reply{"I could not finish: neither does a summary of it.\n- `search`: done"}}},
        {"AFinishedRunPlansNothing", begun().add(Finished{RunOutcome::answered}), {}},
        {"ThreeCrashesWithoutProgressArePoison",
         Journal().received().taken_up(TakenAfter::crash).taken_up(TakenAfter::crash).taken_up(TakenAfter::crash),
         {Reply{message_for_poison()}}},
        {"PoisonGivesOpenCallsTheirResultsAndRunsNothing",
         approved()
             .ruled_after_gate("c1")
             .started("c1", "act")
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash),
         {FinishCall{"c1", CallStatus::unknown, message_for_unknown()}}},
        {"PoisonFinishesAsFailed",
         Journal()
             .received()
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash)
             .add(Replied{"x"}),
         {Finish{RunOutcome::failed}}},
        {"ProgressBetweenCrashesIsNoPoison",
         Journal()
             .received()
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash)
             .enriched()
             .says("", ReplyStop::cut_call)
             .taken_up(TakenAfter::crash),
         {CallModel{16'000}}},
    }),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Calls, Plan,
    testing::ValuesIn(std::vector<Row>{
        {"EveryCallIsRuledFirstAllAtOnce",
         begun().calls({{"c1", "search"}, {"c2", "restart"}}),
         {Rule{"c1"}, Rule{"c2"}}},
        {"ADeniedCallEndsThere",
         begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::deny),
         {FinishCall{"c1", CallStatus::denied, interaction::told_of_rule("the mode says so")}}},
        {"ACallThatCannotBeRunIsAnError",
         begun().calls({{"c1", "restrat"}}).ruled("c1", Verdict::refused),
         {FinishCall{"c1", CallStatus::error, "the mode says so"}}},
        {"AnAllowedReadRunsItsHandler",
         begun().calls({{"c1", "search"}}).ruled("c1", Verdict::allow),
         {RunStep{"c1", "act"}}},
        {"AHandlerThatRunsIsNotStartedAgain",
         begun().calls({{"c1", "search"}}).ruled("c1", Verdict::allow).started("c1", "act"),
         {}},
        {"ARepeatableOrphanRunsAgain",
         begun().calls({{"c1", "search"}}).ruled("c1", Verdict::allow).started("c1", "act").taken_up(TakenAfter::crash),
         {RunStep{"c1", "act"}}},
        {"TheLastOutputIsTheResult",
         begun()
             .calls({{"c1", "search"}})
             .ruled("c1", Verdict::allow)
             .started("c1", "act")
             .done("c1", "act", StepOutcome::output, "12 errors"),
         {FinishCall{"c1", CallStatus::success, "12 errors"}}},
        {"AnErrorEndsTheCall",
         begun()
             .calls({{"c1", "search"}})
             .ruled("c1", Verdict::allow)
             .started("c1", "act")
             .done("c1", "act", StepOutcome::error, "no such host"),
         {FinishCall{"c1", CallStatus::error, "no such host"}}},
        {"ASlowCallBlocksNoOther",
         begun()
             .calls({{"c1", "a"}, {"c2", "b"}})
             .ruled("c1", Verdict::allow)
             .ruled("c2", Verdict::allow)
             .started("c1", "act"),
         {RunStep{"c2", "act"}}},
        {"TheModelWaitsUntilEveryCallHasItsResult",
         begun().calls({{"c1", "a"}, {"c2", "b"}}).finished_call("c1").ruled("c2", Verdict::allow).started("c2", "act"),
         {}},
    }),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Approvals, Plan,
    testing::ValuesIn(std::vector<Row>{
        {"HandlersBeforeTheGateRunFirst", asking(), {RunStep{"c1", "preview"}}},
        {"ThenAPersonIsAsked", previewed(), {Ask{"c1"}}},
        {"AnOpenQuestionIsWaitedFor", previewed().asked("c1"), {}},
        {"AfterAYesPolicyJudgesAnew", approved(), {Rule{"c1", true}}},
        {"OnlyThenItActs", approved().ruled_after_gate("c1"), {RunStep{"c1", "act"}}},
        {"ADenyAfterAYesStillDenies", approved().ruled_after_gate("c1", Verdict::deny), {RunStep{"c1", "clean"}}},
        {"AChangedToolVoidsTheApproval",
         approved().ruled_after_gate("c1", Verdict::refused).started("c1", "clean").done("c1", "clean"),
         {FinishCall{"c1", CallStatus::error, "the mode says so"}}},
        {"ANoCleansUpAndTellsWhoSaidIt",
         previewed().asked("c1").answered("c1", interaction::State::denied, "bo", {{"reason", "not now"}}),
         {RunStep{"c1", "clean"}}},
        {"ANoIsTheResult",
         previewed()
             .asked("c1")
             .answered("c1", interaction::State::denied, "bo", {{"reason", "not now"}})
             .started("c1", "clean")
             .done("c1", "clean"),
         {FinishCall{"c1", CallStatus::denied, "Denied by bo: not now. It did not run and changed nothing."}}},
        {"ANoIsToldWithTheNameThatPeopleKnow",
         previewed()
             .asked("c1")
             .answered("c1", interaction::State::denied, "slack:T1/U2", {{"reason", "not now"}, {"name", "Bo Lee"}})
             .started("c1", "clean")
             .done("c1", "clean"),
         {FinishCall{"c1", CallStatus::denied, "Denied by Bo Lee: not now. It did not run and changed nothing."}}},
        {"SilenceDenies",
         previewed()
             .asked("c1")
             .answered("c1", interaction::State::expired, "")
             .started("c1", "clean")
             .done("c1", "clean"),
         {FinishCall{
             "c1", CallStatus::denied,
             "Denied because nobody who may approve it answered in time. It did not run and changed nothing."}}},
        {"AnAllowedCallWithAGateIsJudgedAgainAtIt",
         begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::allow, {kPreview, kAct}, 1).done("c1", "preview"),
         {Rule{"c1", true}}},
        {"AGrantThatRanOutBeforeTheGateAsksAPerson", granted().ruled_after_gate("c1", Verdict::ask), {Ask{"c1"}}},
        {"AndTheYesIsJudgedLikeAnyOther",
         granted().ruled_after_gate("c1", Verdict::ask).asked("c1").answered("c1"),
         {Rule{"c1", true}}},
        {"AndThenItActs",
         granted().ruled_after_gate("c1", Verdict::ask).asked("c1").answered("c1").ruled_after_gate("c1"),
         {RunStep{"c1", "act"}}},
        {"AYesThatTheJudgeStillAsksAboutIsVoid",
         granted().ruled_after_gate("c1", Verdict::ask).asked("c1").answered("c1").ruled_after_gate("c1", Verdict::ask),
         {FinishCall{"c1", CallStatus::error, message_for_void_approval()}}},
        {"AnAnswerThatComesWhileAnotherCallRunsIsTaken",
         begun()
             .calls({{"c1", "restart"}, {"c2", "search"}})
             .ruled("c1", Verdict::ask, {kAct}, 0)
             .ruled("c2", Verdict::allow)
             .started("c2", "act")
             .asked("c1")
             .answered("c1"),
         {Rule{"c1", true}}},
        {"AnswersTwiceCountOnce",
         previewed().asked("c1").answered("c1").answered("c1", interaction::State::denied, "cy"),
         {Rule{"c1", true}}},
        {"AnActThatMayHaveHappenedIsNeverRepeated",
         approved().ruled_after_gate("c1").started("c1", "act").taken_up(TakenAfter::crash),
         {RunStep{"c1", "act", How::unknown}}},
        {"AnActThatCanBeLookedUpIsLookedUp",
         approved(kLookableAct).ruled_after_gate("c1").started("c1", "act").taken_up(TakenAfter::crash),
         {RunStep{"c1", "act", How::look}}},
        {"AnActThatEndedWithoutAnOutcomeIsLookedAt",
         approved(kLookableAct).ruled_after_gate("c1").started("c1", "act").done("c1", "act", StepOutcome::unknown),
         {RunStep{"c1", "act", How::look}}},
        {"AlsoWhenSomebodySaidStop",
         approved(kLookableAct)
             .ruled_after_gate("c1")
             .started("c1", "act")
             .add(CancelRequested{"ana"})
             .done("c1", "act", StepOutcome::unknown),
         {RunStep{"c1", "act", How::look}}},
        {"WhatALookCouldNotTellIsLookedAtOnce",
         approved(kLookableAct)
             .ruled_after_gate("c1")
             .started("c1", "act")
             .done("c1", "act", StepOutcome::unknown)
             .add(StepDone{.call = "c1", .handler = "act", .outcome = StepOutcome::unknown, .looked = true}),
         {RunStep{"c1", "clean"}}},
        {"WhatALookFoundUndoneEndsAsItsAttemptDid",
         approved(kLookableAct)
             .ruled_after_gate("c1")
             .started("c1", "act")
             .add(StepDone{.call = "c1", .handler = "act", .outcome = StepOutcome::unknown, .error_kind = "timeout"})
             .add(StepDone{.call = "c1", .handler = "act", .outcome = StepOutcome::not_done, .looked = true})
             .started("c1", "clean")
             .done("c1", "clean"),
         {FinishCall{"c1", CallStatus::timeout, "It did not happen: the attempt ended with timeout"}}},
        {"AnActThatIsDoneIsNotDoneAgainAfterACrash",
         approved()
             .ruled_after_gate("c1")
             .started("c1", "act")
             .done("c1", "act", StepOutcome::output, "restarted")
             .taken_up(TakenAfter::crash),
         {RunStep{"c1", "clean"}}},
        {"UnknownIsReportedAsUnknown",
         approved()
             .ruled_after_gate("c1")
             .started("c1", "act")
             .done("c1", "act", StepOutcome::unknown)
             .started("c1", "clean")
             .done("c1", "clean"),
         {FinishCall{"c1", CallStatus::unknown, "It may have happened; check before doing it again. "}}},
        {"ATimeoutBeforeTheGateIsAnError",
         asking()
             .started("c1", "preview")
             .done("c1", "preview", StepOutcome::timeout, "too slow")
             .started("c1", "clean")
             .done("c1", "clean"),
         {FinishCall{"c1", CallStatus::error, "too slow"}}},
        {"WhatAlwaysRunsRunsAgainAfterACrash",
         approved()
             .ruled_after_gate("c1")
             .started("c1", "act")
             .done("c1", "act")
             .started("c1", "clean")
             .taken_up(TakenAfter::crash),
         {RunStep{"c1", "clean"}}},
        {"ItsOwnErrorNeverMasksTheResult",
         approved()
             .ruled_after_gate("c1")
             .started("c1", "act")
             .done("c1", "act", StepOutcome::output, "restarted")
             .started("c1", "clean")
             .done("c1", "clean", StepOutcome::error, "oops"),
         {FinishCall{"c1", CallStatus::success, "restarted"}}},
    }),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Questions, Plan,
    testing::ValuesIn(std::vector<Row>{
        {"AQuestionIsNeitherRuledNorRun", begun().calls({{"c1", "ask_user"}}), {Ask{"c1"}}},
        {"AQuestionWithAFaultIsJudgedLikeAnyCall", begun().calls({{"c1", "ask_user", {}, "broken"}}), {Rule{"c1"}}},
        {"ItIsWaitedFor", begun().calls({{"c1", "ask_user"}}).asked("c1", AskKind::questions), {}},
        {"OtherCallsGoOnMeanwhile",
         begun().calls({{"c1", "ask_user"}, {"c2", "search"}}).asked("c1", AskKind::questions),
         {Rule{"c2"}}},
        {"TheAnswerIsTheResult",
         begun()
             .calls({{"c1", "ask_user"}})
             .asked("c1", AskKind::questions)
             .answered("c1", interaction::State::answered, "ana", {{"completed", true}}),
         {FinishCall{"c1", CallStatus::success, R"({"completed":true})"}}},
        {"AnExpiredFormIsNotCompleted",
         begun()
             .calls({{"c1", "ask_user"}})
             .asked("c1", AskKind::questions)
             .answered("c1", interaction::State::expired, ""),
         {FinishCall{"c1", CallStatus::success, R"({"answers":[],"completed":false,"reason":"expired"})"}}},
    }),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Endings, Plan,
    testing::ValuesIn(std::vector<Row>{
        {"StopBeforeAnythingHappened",
         begun().add(CancelRequested{"ana"}),
         {Reply{"Stopped by ana.\nNothing had been done."}}},
        {"StopWaitsForTheModelToFallSilent", begun().model_called().add(CancelRequested{"ana"}), {}},
        {"StopFinishesAsCancelled",
         begun().add(CancelRequested{"ana"}).add(Replied{"x"}),
         {Finish{RunOutcome::cancelled}}},
        {"StopWaitsForWhatRuns",
         approved().ruled_after_gate("c1").started("c1", "act").add(CancelRequested{"ana"}),
         {}},
        {"StopCleansUp", previewed().asked("c1").add(CancelRequested{"ana"}), {RunStep{"c1", "clean"}}},
        {"StopGivesEveryOpenCallAResult",
         begun().calls({{"c1", "search"}, {"c2", "ask_user"}}).add(CancelRequested{"ana"}),
         {FinishCall{"c1", CallStatus::cancelled, message_for_cancelled_call({})},
          FinishCall{"c2", CallStatus::cancelled, message_for_form_not_answered("cancelled")}}},
        {"StopFindsOutWhatAnOrphanDid",
         approved().ruled_after_gate("c1").started("c1", "act").taken_up(TakenAfter::crash).add(CancelRequested{"ana"}),
         {RunStep{"c1", "act", How::unknown}}},
        {"AnApprovalAfterStopStartsNothing",
         previewed().asked("c1").add(CancelRequested{"ana"}).answered("c1"),
         {RunStep{"c1", "clean"}}},
        {"TheDeadlineEndsItLikeAStop",
         begun().add(Woken{WakeUp::deadline}),
         {Reply{"I ran out of time.\nNothing had been done.\n"}}},
        {"ABudgetThatIsSpentEndsIt",
         begun().add(Limited{LimitKind::budget, "this run has spent its dollar"}),
         {Reply{"I stopped at a budget: this run has spent its dollar.\nNothing had been done.\n"}}},
    }),
    [](const auto& row) { return row.param.name; });

// A word that another version wrote is taken as the least that it can mean.
INSTANTIATE_TEST_SUITE_P(
    UnknownWords, Plan,
    testing::ValuesIn(std::vector<Row>{
        {"ATakingUpForAnUnknownReasonIsNoCrash",
         begun().taken_up(TakenAfter::unknown).taken_up(TakenAfter::unknown).taken_up(TakenAfter::unknown),
         {CallModel{16'000}}},
        {"AReplyThatEndedInAnUnknownWayIsAReply",
         begun().says("Two errors.", ReplyStop::unknown),
         {Reply{"Two errors."}}},
        {"AndItsCallsAreRuledLikeAny",
         begun().model_called().add(ModelReplied{.text = "", .calls = {{"c1", "search"}}, .stop = ReplyStop::unknown}),
         {Rule{"c1", false}}},
        {"AnUnknownVerdictLetsNothingRun",
         begun().calls({{"c1", "search"}}).ruled("c1", Verdict::unknown),
         {FinishCall{"c1", CallStatus::error, "the mode says so"}}},
        {"NorBehindTheGate",
         begun()
             .calls({{"c1", "restart"}})
             .ruled("c1", Verdict::ask, {{"act", false}}, 0)
             .asked("c1")
             .answered("c1")
             .ruled_after_gate("c1", Verdict::unknown),
         {FinishCall{"c1", CallStatus::error, "the mode says so"}}},
        {"AQuestionOfAnUnknownKindIsWaitedForAndNotAskedAgain",
         begun()
             .calls({{"c1", "restart"}})
             .ruled("c1", Verdict::ask, {{"act", false}}, 0)
             .asked("c1", AskKind::unknown),
         {}},
        {"AHandlerThatEndedInAnUnknownWayMayHaveActed",
         begun()
             .calls({{"c1", "restart"}})
             .ruled("c1", Verdict::allow, {{"act", false}})
             .started("c1", "act")
             .done("c1", "act", StepOutcome::unknown),
         {FinishCall{"c1", CallStatus::unknown, "It may have happened; check before doing it again. "}}},
        {"AnUnknownDelegateIsAnsweredAndNotWaitedForLikeAChild",
         begun()
             .calls({{"c1", "search"}})
             .ruled("c1", Verdict::allow)
             .started("c1", "act")
             .add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::unknown, .payload = {}}),
         {AnswerDelegate{"c1", "act"}}},
        {"ACallThatEndedInAnUnknownWayHasItsResult",
         begun().calls({{"c1", "restart"}}).finished_call("c1", CallStatus::unknown),
         {CallModel{16'000}}},
        {"AnUnknownLimitNarrowsAndLetsTheModelAnswer",
         begun().add(Limited{LimitKind::unknown, "x"}),
         {CallModel{16'000, model::Calls::none}}},
        {"AnUnknownDueOnlyWakesTheRun", begun().add(Woken{WakeUp::unknown}), {CallModel{16'000}}},
        {"AChildThatEndedInAnUnknownWayHasAnswered",
         begun()
             .calls({{"c1", "investigate"}})
             .ruled("c1", Verdict::allow)
             .started("c1", "act")
             .add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::child_run, .payload = {}, .child = "r"})
             .add(ChildFinished{"r", "c1", RunOutcome::unknown, "x"}),
         {RunStep{"c1", "act"}}},
        {"AnUnknownEndIsAnEnd", begun().says("x").add(Replied{"x"}).add(Finished{RunOutcome::unknown}), {}},
    }),
    [](const auto& row) { return row.param.name; });

TEST(PlanLimits, TenToolTurnsAreTheLimitAndTheModelThenSaysWhatItFound) {
  Journal journal = begun();
  for (int turn = 0; turn < 10; ++turn) {
    const std::string id = "c" + std::to_string(turn);
    journal.calls({{id, "search"}}).finished_call(id);
  }
  EXPECT_EQ(journal.plan(), (Actions{Limit{LimitKind::turns, "I stopped after 10 rounds of tool calls"}}));
  journal.add(Limited{LimitKind::turns, "I stopped after 10 rounds of tool calls"});
  EXPECT_EQ(journal.plan(), (Actions{CallModel{16'000, model::Calls::none}}));
  journal.says("This is what I found.");
  EXPECT_EQ(journal.plan(), (Actions{Reply{"This is what I found.\n\n_(I stopped after 10 rounds of tool calls.)_"}}));
}

// c0, c1 and so on, all of one tool.
std::vector<CallRequested> many_calls(std::size_t count, const std::string& tool) {
  std::vector<CallRequested> calls(count);
  for (std::size_t i = 0; i < count; ++i) calls[i] = {"c" + std::to_string(i), tool};
  return calls;
}

TEST(PlanLimits, AtMostTenHandlersRunAtOnce) {
  const std::vector<CallRequested> calls = many_calls(12, "search");
  Journal journal = begun().calls(calls);
  for (const CallRequested& call : calls) journal.ruled(call.id, Verdict::allow);
  EXPECT_EQ(journal.plan().size(), 10U);
  journal.started("c0", "act").started("c1", "act").started("c10", "act");
  EXPECT_EQ(journal.plan().size(), 7U);
}

TEST(PlanLimits, WritesOfOneTurnBeyondThreeCardsWait) {
  const std::vector<CallRequested> calls = many_calls(6, "restart");
  Journal journal = begun().calls(calls);
  for (const CallRequested& call : calls) journal.ruled(call.id, Verdict::ask, {kAct}, 0);
  const auto ask = [&](const std::string& call, const std::string& card) {
    journal.add(Asked{call, "i-" + call, AskKind::approval, "d1", card});
  };
  ask("c0", "i-c0");
  ask("c1", "i-c0");
  ask("c2", "i-c2");
  EXPECT_EQ(journal.plan(), (Actions{Ask{"c3"}, Ask{"c4"}, Ask{"c5"}})) << "two cards are pending";
  ask("c3", "i-c3");
  EXPECT_EQ(journal.plan(), Actions{}) << "three are";
  journal.answered("c0", interaction::State::denied);
  EXPECT_EQ(journal.plan(),
            (Actions{FinishCall{"c0", CallStatus::denied, message_for_denial(*journal.state().find_call("c0"))}}))
      << "the card of c0 still has c1";
  journal.answered("c1").ruled_after_gate("c1");
  EXPECT_THAT(journal.plan(), testing::Contains(Action(Ask{"c4"})));
}

TEST(PlanLimits, WritesThatDoNotFitOnOneCardGetAnother) {
  const std::vector<CallRequested> calls = many_calls(7, "restart");
  Journal journal = begun().calls(calls);
  for (const CallRequested& call : calls) journal.ruled(call.id, Verdict::ask, {kAct}, 0);
  EXPECT_EQ(journal.plan(), (Actions{Ask{"c0"}, Ask{"c1"}, Ask{"c2"}, Ask{"c3"}, Ask{"c4"}}));
  for (const char* call : {"c0", "c1", "c2", "c3", "c4"})
    journal.add(Asked{call, std::string("i-") + call, AskKind::approval, "d1", "i-c0"});
  EXPECT_EQ(journal.plan(), (Actions{Ask{"c5"}, Ask{"c6"}}));
}

TEST(PlanDelegates, TheSameHandlerIsCalledAgainWithTheAnswer) {
  Journal journal = begun().calls({{"c1", "summarize_messages"}}).ruled("c1", Verdict::allow).started("c1", "act");
  journal.add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::model, .payload = {}});
  EXPECT_EQ(journal.plan(), (Actions{AnswerDelegate{"c1", "act"}})) << "until the answer is there";
  Journal after_crash = journal;
  after_crash.taken_up(TakenAfter::crash);
  EXPECT_EQ(after_crash.plan(), (Actions{AnswerDelegate{"c1", "act"}}));
  journal.add(DelegateAnswered{"c1", "a summary"});
  EXPECT_EQ(journal.plan(), (Actions{RunStep{"c1", "act"}}));
}

TEST(PlanDelegates, AChildRunIsWaitedForAlsoByTheNextOwner) {
  Journal journal = begun().calls({{"c1", "investigate_issue"}}).ruled("c1", Verdict::allow).started("c1", "act");
  journal.add(
      Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::child_run, .payload = {}, .child = "child"});
  EXPECT_TRUE(journal.plan().empty());
  journal.taken_up(TakenAfter::mail);
  EXPECT_TRUE(journal.plan().empty());
  journal.add(ChildFinished{"child", "c1", RunOutcome::answered, "the pool was too small"});
  EXPECT_EQ(journal.plan(), (Actions{RunStep{"c1", "act"}}));
}

TEST(PlanLimits, ABudgetEndsWhatALimitOfTurnsOnlyNarrowed) {
  Journal journal = begun().add(Limited{LimitKind::turns, "I stopped after 10 rounds of tool calls"});
  EXPECT_TRUE(std::holds_alternative<CallModel>(journal.plan().front()));
  journal.add(Limited{LimitKind::budget, "this run may cost $1.00 and has cost $0.99"});
  ASSERT_EQ(journal.plan().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Reply>(journal.plan()[0]));
}

TEST(PlanLimits, ASecondCutInsideACallIsAFailure) {
  Journal journal = begun().says("", ReplyStop::cut_call);
  EXPECT_EQ(journal.plan(), (Actions{CallModel{16'000}}));
  journal.says("", ReplyStop::cut_call);
  ASSERT_EQ(journal.plan().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Reply>(journal.plan()[0]));
}

TEST(PlanStop, WhatWasDoneIsNotCalledCancelled) {
  const StepInfo act{"act", false};
  const StepInfo wait{"wait", true};
  Journal done = begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::allow, {act}, {}, {"clean"});
  done.started("c1", "act").done("c1", "act", StepOutcome::output, "restarted").add(CancelRequested{"ana"});
  done.started("c1", "clean").done("c1", "clean");
  EXPECT_EQ(done.plan(), (Actions{FinishCall{"c1", CallStatus::success, "restarted"}}));

  Journal middle = begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::allow, {act, wait});
  middle.started("c1", "act").done("c1", "act").started("c1", "wait").add(CancelRequested{"ana"});
  middle.done("c1", "wait", StepOutcome::cancelled);
  const auto finish = std::get<FinishCall>(middle.plan().at(0));
  EXPECT_EQ(finish.status, CallStatus::cancelled);
  EXPECT_NE(finish.text.find("`act` had been done"), std::string::npos) << finish.text;
}

// Whoever starts a handler judges again, once, just before (e2e/judged_again_test.cpp): a plan asks for no ruling of
// its own.
TEST(PlanGate, WhatWasAllowedUnderAnEarlierOwnerGoesOnToItsHandler) {
  Journal journal = begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::ask, {{"act", false, true}}, 0);
  journal.asked("c1").answered("c1").ruled_after_gate("c1");
  EXPECT_EQ(journal.plan(), (Actions{RunStep{"c1", "act"}}));
  journal.taken_up(TakenAfter::crash);
  EXPECT_EQ(journal.plan(), (Actions{RunStep{"c1", "act"}}));
  journal.ruled_after_gate("c1", Verdict::deny);
  EXPECT_EQ(std::get<FinishCall>(journal.plan().at(0)).status, CallStatus::denied);
}

TEST(PlanGate, WhatALookFoundNotDoneIsStartedAgain) {
  Journal journal = begun().calls({{"c1", "restart"}}).ruled("c1", Verdict::ask, {{"act", false, true}}, 0);
  journal.asked("c1").answered("c1").ruled_after_gate("c1").started("c1", "act").taken_up(TakenAfter::crash);
  EXPECT_EQ(journal.plan(), (Actions{RunStep{"c1", "act", RunStep::How::look}}));
  journal.done("c1", "act", StepOutcome::not_done);
  EXPECT_EQ(journal.plan(), (Actions{RunStep{"c1", "act"}}));
}

TEST(PlanLimits, AModelThatGoesOnCallingAfterTheLimitIsNotHeard) {
  Journal journal = begun().add(Limited{LimitKind::turns, "I stopped after 10 rounds of tool calls"});
  journal.calls({{"c1", "search_logs"}});
  EXPECT_TRUE(journal.state().calls.empty());
  ASSERT_EQ(journal.plan().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Reply>(journal.plan()[0]));
}

TEST(PlanBackground, AnApprovedBackgroundCallBecomesAChildRun) {
  Journal journal = begun().calls({{"c1", "restart"}});
  journal.add(Ruled{.call = "c1", .verdict = Verdict::ask, .steps = {kAct}, .gate = 0, .background = true});
  EXPECT_EQ(journal.plan(), (Actions{Ask{"c1"}}));
  journal.asked("c1").answered("c1").ruled_after_gate("c1");
  EXPECT_EQ(journal.plan(), (Actions{StartBackground{"c1"}}));
}

TEST(PlanBackground, AChildRunOfOneCallNeedsNoModel) {
  Journal journal;
  Received received{.text = "restart", .requester = "ana", .conversation = "t"};
  received.only_call = OnlyCall{.call = {"c1", "restart", {}}};
  journal.add(received).taken_up();
  EXPECT_EQ(journal.plan(), (Actions{Rule{"c1"}}));
  journal.ruled("c1", Verdict::allow)
      .started("c1", "act")
      .done("c1", "act", StepOutcome::output, "restarted")
      .finished_call("c1", CallStatus::success, "restarted");
  EXPECT_EQ(journal.plan(), (Actions{Reply{"restarted"}}));
}

TEST(Strikes, AToolThatFailsThreeTimesTheSameWayIsWithdrawn) {
  Journal journal = begun();
  for (int i = 0; i < 3; ++i) {
    const std::string id = "c" + std::to_string(i);
    EXPECT_TRUE(journal.state().withdrawn.empty());
    journal.calls({{id, "search"}}).finished_call(id, CallStatus::error, "no such host");
  }
  EXPECT_EQ(journal.state().withdrawn, (std::set<std::string, std::less<>>{"search"}));
}

TEST(Strikes, AnotherErrorOrASuccessBeginsTheCountAnew) {
  Journal journal = begun();
  const std::vector<std::pair<CallStatus, std::string>> ends{
      {CallStatus::error, "a"}, {CallStatus::error, "a"}, {CallStatus::success, ""}, {CallStatus::error, "a"},
      {CallStatus::error, "a"}, {CallStatus::error, "b"}, {CallStatus::error, "b"}};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::string id = "c" + std::to_string(i);
    journal.calls({{id, "search"}}).finished_call(id, ends[i].first, ends[i].second);
  }
  EXPECT_TRUE(journal.state().withdrawn.empty());
}

}  // namespace
}  // namespace deputy::run
