// What in a journal goes against the rules, row by row.
#include "run/plan/consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/journal/fold.h"
#include "support/journal.h"

namespace deputy::run {
namespace {

const StepInfo kPreview{"preview", true};
const StepInfo kAct{"act", false};

std::vector<std::string> problems(const Journal& journal) {
  std::vector<std::string> found;
  RunState state;
  for (const Entry& entry : journal.entries()) {
    for (std::string& problem : problems_of(state, entry)) found.push_back(std::move(problem));
    state = fold(std::move(state), entry);
  }
  for (std::string& problem : problems_at_end(state)) found.push_back(std::move(problem));
  return found;
}

Journal wanted() { return begun().calls({{"c1", "restart"}}); }
Journal previewed(StepInfo act = kAct) {
  return wanted()
      .ruled("c1", Verdict::ask, {kPreview, std::move(act)}, 1, {"clean"})
      .started("c1", "preview")
      .done("c1", "preview", StepOutcome::output, "will restart");
}
Journal acting(StepInfo act = kAct) {
  return previewed(std::move(act)).asked("c1").answered("c1").ruled_after_gate("c1").started("c1", "act");
}
Journal searching() { return begun().calls({{"c1", "search"}}).ruled("c1", Verdict::allow).started("c1", "act"); }

Journal too_long() {
  return searching()
      .done("c1", "act", StepOutcome::output, "x")
      .finished_call("c1")
      .says("", ReplyStop::overflow)
      .says("", ReplyStop::overflow)
      .says("", ReplyStop::overflow);
}

struct Row {
  std::string name;
  Journal journal;
  std::vector<std::string> expected;
};

class Consistency : public testing::TestWithParam<Row> {};

TEST_P(Consistency, Finds) { EXPECT_EQ(problems(GetParam().journal), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Good, Consistency,
    testing::ValuesIn(std::vector<Row>{
        {"ARunThatAnswers", begun().says("x").add(Replied{"x"}).add(Finished{RunOutcome::answered}), {}},
        {"AnApprovedWrite",
         acting()
             .done("c1", "act", StepOutcome::output, "done")
             .started("c1", "clean")
             .done("c1", "clean")
             .finished_call("c1", CallStatus::success, "done")
             .says("x")
             .add(Replied{"x"})
             .add(Finished{RunOutcome::answered}),
         {}},
        {"AWriteThatIsLookedUpAndDoneAgain",
         acting({"act", false, true}).taken_up(TakenAfter::crash).started("c1", "act").done("c1", "act"),
         {}},
        {"ASummaryOfWhatDidNotFit", too_long().add(Summarised{"x", 1}).says("x"), {}},
        {"AReadThatIsRepeatedAfterACrash", searching().taken_up(TakenAfter::crash).started("c1", "act"), {}},
        {"AHandlerThatCouldNotBeStarted",
         wanted().ruled("c1", Verdict::allow).done("c1", "act", StepOutcome::error, "it changed"),
         {}},
        {"AModelThatIsAskedAgainAfterACrash", begun().model_called().taken_up(TakenAfter::crash).says("x"), {}},
        {"ALateAnswerAndALateChild",
         begun().answered("c9").add(ChildFinished{"r", "c9", RunOutcome::answered, "x"}).add(Woken{WakeUp::deadline}),
         {}},
        {"AHandlerBrokenOffByAStopThatEndsLate",
         searching()
             .add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::model, .payload = {}})
             .add(CancelRequested{"ana"})
             .finished_call("c1", CallStatus::cancelled, "x")
             .done("c1", "act", StepOutcome::cancelled),
         {}},
        {"APoisonRunWithoutWhatAlwaysRuns",
         previewed()
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash)
             .taken_up(TakenAfter::crash)
             .finished_call("c1", CallStatus::cancelled, "x"),
         {}},
    }),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Bad, Consistency,
    testing::ValuesIn(std::vector<Row>{
        {"NoRequest", Journal(), {"there is no request"}},
        {"ASecondRequest", begun().received(), {"a second request"}},
        {"ASummaryOfTurnsThatAreNotThere",
         too_long().add(Summarised{"x", 2}),
         {"a summary of turns that are not there"}},
        {"ASummaryThatNobodyNeeded",
         searching().add(Summarised{"x", 1}),
         {"a summary while a call has no result", "a summary that nobody needed"}},
        {"AModelThatIsAskedInPlaceOfASummary",
         too_long().model_called(),
         {"the model is asked although what it is shown does not fit"}},
        {"WorkWithoutAnOwner",
         Journal().received().enriched(),
         {"something is done before anyone has taken the run up"}},
        {"AnEntryAfterTheEnd",
         begun().says("x").add(Replied{"x"}).add(Finished{RunOutcome::answered}).enriched(),
         {"`enriched` stands after the end"}},
        {"TwoModelCallsAtOnce", begun().model_called().model_called(), {"the model is asked twice at once"}},
        {"AModelCallOverAnOpenCall", wanted().model_called(), {"the model is asked while a call has no result"}},
        {"AModelCallAfterAStop",
         begun().add(CancelRequested{"ana"}).model_called(),
         {"the model is asked after a stop"}},
        {"AnotherPrompt",
         begun().says("x").add(ModelCalled{"scripted", "other", "t", 600}),
         {"the system prompt changed within the run"}},
        {"AReplyNobodyAskedFor",
         begun().add(ModelReplied{.text = "x", .calls = {}, .stop = ReplyStop::end_turn}),
         {"a reply that nobody asked for"}},
        {"ACallIdTwice", begun().calls({{"c1", "a"}, {"c1", "b"}}), {"two calls have the id c1"}},
        {"ARulingOnNoCall", begun().ruled("c9", Verdict::allow), {"c9 is ruled and nobody made that call"}},
        {"ACallLetInWithItsFault",
         begun().calls({{"c1", "restart", {}, "broken"}}).ruled("c1", Verdict::allow),
         {"c1 is let in with its fault"}},
        {"AFormAskedWithItsFault",
         begun().calls({{"c1", "ask_user", {}, "broken"}}).asked("c1", AskKind::questions),
         {"c1 is asked about in the wrong way", "c1 is asked about although no ruling says so"}},
        {"ASecondChain",
         wanted().ruled("c1", Verdict::allow).ruled("c1", Verdict::allow),
         {"c1 is given a second chain"}},
        {"AQuestionThatNoRulingAsksFor",
         wanted().ruled("c1", Verdict::allow).asked("c1"),
         {"c1 is asked about although no ruling says so"}},
        {"AQuestionAskedTwice", previewed().asked("c1").asked("c1"), {"c1 is asked about twice"}},
        {"AnApprovalOfAForm",
         begun().calls({{"c1", "ask_user"}}).asked("c1", AskKind::approval),
         {"c1 is asked about in the wrong way"}},
        {"AnActWithoutAYes", previewed().started("c1", "act"), {"c1/act starts behind a gate that is shut"}},
        {"AnActAfterAYesThatWasNotJudged",
         previewed().asked("c1").answered("c1").started("c1", "act"),
         {"c1/act starts behind a gate that is shut"}},
        {"AnActAfterAYesThatPolicyDenied",
         previewed().asked("c1").answered("c1").ruled_after_gate("c1", Verdict::deny).started("c1", "act"),
         {"c1/act starts behind a gate that is shut"}},
        {"AnActDelegatedWithoutAYes",
         previewed().add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::background, .payload = {}}),
         {"c1/act delegates behind a gate that is shut"}},
        {"AnActTwice",
         acting().taken_up(TakenAfter::crash).started("c1", "act"),
         {"c1/act starts twice and is not repeatable"}},
        {"AnActAfterAStop",
         previewed().asked("c1").answered("c1").ruled_after_gate("c1").add(CancelRequested{"ana"}).started("c1", "act"),
         {"c1/act starts after a stop"}},
        {"AHandlerOfADeniedCall",
         wanted().ruled("c1", Verdict::deny, {{"act", true}}).started("c1", "act"),
         {"c1/act starts although the call was not let in"}},
        {"AHandlerThatIsNotInTheChain",
         searching().started("c1", "dance"),
         {"c1/dance starts and is not in the chain"}},
        {"AnEndWithoutABeginning",
         wanted().ruled("c1", Verdict::allow).done("c1", "act", StepOutcome::output, "x"),
         {"c1/act ends and never started"}},
        {"AnEndTwice", searching().done("c1", "act").done("c1", "act"), {"c1/act ends twice"}},
        {"AnAnswerToNoDelegate",
         searching().add(DelegateAnswered{"c1", "x"}),
         {"c1 gets an answer and asked for none"}},
        {"TwoResults",
         searching().done("c1", "act").finished_call("c1").finished_call("c1"),
         {"c1 gets a result after its result"}},
        {"ASuccessThatDidNothing", wanted().finished_call("c1"), {"c1 succeeds and was never ruled"}},
        {"ASuccessBeforeItsHandlerEnded",
         searching().finished_call("c1"),
         {"c1 succeeds with a handler that did not end"}},
        {"AResultBeforeWhatAlwaysRuns",
         previewed().finished_call("c1", CallStatus::cancelled, "x"),
         {"c1 gets a result before what always runs"}},
        {"AnAnswerOverAnOpenCall", wanted().add(Replied{"x"}), {"an answer while a call has no result"}},
        {"TwoAnswers", begun().says("x").add(Replied{"x"}).add(Replied{"x"}), {"a second answer"}},
        {"AnAnswerOverANote",
         begun().says("x").add(Noted{"and staging", "ana"}).add(Replied{"x"}),
         {"an answer over a note that was not read"}},
        {"AnEndWithoutAnAnswer", begun().add(Finished{RunOutcome::answered}), {"it finishes as answered out of turn"}},
        {"AnEndThatIsNotTheRunsOwn",
         begun().says("x").add(Replied{"x"}).add(Finished{RunOutcome::failed}),
         {"it finishes as failed out of turn"}},
        {"ACallWithoutAResult",
         wanted().add(Replied{"x"}).add(Finished{RunOutcome::answered}),
         {"an answer while a call has no result", "c1 has no result"}},
    }),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::run
