#include "gateway/inbound/routing.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>

namespace deputy::gateway {

void PrintTo(const Decision& decision, std::ostream* out) { *out << "decision " << decision.index(); }

namespace {

using channel::AddressedTo;
using channel::InboundKind;
using store::RunStatus;

const Timestamp kNow = from_millis(1'700'000'000'000);
const RunId kNewest = RunId::derive(kNow, "newest");
const RunId kOlder = RunId::derive(kNow, "older");
const Timestamp kMuted = kNow + std::chrono::hours(1);
const InteractionId kForm = InteractionId::derive(kNow, "form");
const InteractionId kApproval = InteractionId::derive(kNow, "approval");

interaction::Form where_and_why() {
  interaction::Question first{.label = "env", .question = "Where?", .options = {}};
  first.options.push_back({.value = std::nullopt, .label = "prod"});
  first.options.push_back({.value = std::nullopt, .label = "staging"});
  return {{first, {.label = "why", .question = "Why?", .options = {}}}};
}

/// Facts from a message on: `Given("yes").in_thread().newest(RunStatus::parked)`.
class Given {
 public:
  Given(std::string text) {
    facts_.text = std::move(text);
    facts_.person = "ana";
    facts_.name = "Ana";
    facts_.account = "slack:T1/U1";
    facts_.now = kNow;
  }

  Given& newest(RunStatus state, std::string requester = "ana", std::chrono::minutes ago = std::chrono::minutes(1)) {
    facts_.conversation.newest_run = kNewest;
    facts_.conversation.newest_state = state;
    return run(kNewest, std::move(requester), ago);
  }
  Given& older_goes_on() { return run(kOlder, "bo", std::chrono::minutes(9)); }
  Given& approval(RunId run = kNewest) {
    facts_.pending.push_back({kApproval, run, interaction::Kind::approval, "an approval"});
    return *this;
  }
  Given& form(bool may_answer = true) {
    facts_.pending.push_back({kForm, kNewest, interaction::Kind::questions, "a form"});
    OpenForm form;
    form.id = kForm;
    form.form = where_and_why();
    form.draft = interaction::begin(form.form);
    form.typed = facts_.text;
    form.sender_may_answer = may_answer;
    facts_.form = std::move(form);
    return *this;
  }
  Given& at_last_question() {
    if (facts_.form) facts_.form->draft.current = 1;
    return *this;
  }
  Given& replies_to_form() {
    if (facts_.form) facts_.form->is_replied_to = true;
    return *this;
  }
  Given& code_known() {
    facts_.codes.emplace_back("k7q2mx");
    return *this;
  }
  Given& in_thread() { return spoken(AddressedTo::to_nobody); }
  Given& spoken(AddressedTo spoken) {
    facts_.spoken = spoken;
    return *this;
  }
  Given& only_writer() {
    facts_.only_writer = true;
    return *this;
  }
  Given& listens_to_all() {
    facts_.listens_to_all = true;
    return *this;
  }
  Given& follow(policy::Follow follow) {
    facts_.follow = follow;
    return *this;
  }
  Given& by(std::string person, std::string account) {
    facts_.person = std::move(person);
    facts_.account = std::move(account);
    return *this;
  }
  Given& without_access() {
    facts_.why_no_access = "no";
    return *this;
  }
  Given& kind(InboundKind kind, std::string ref = "ref-newest", const std::string& edited = "and staging") {
    facts_.kind = kind;
    facts_.ref = std::move(ref);
    for (RunFact& run : facts_.runs) run.edited = edited;
    return *this;
  }

  Given& muted() {
    facts_.muted_until = kMuted;
    return *this;
  }
  Given& missed(std::chrono::minutes ago) {
    facts_.at = kNow - ago;
    facts_.missed = channel::Absence{kNow - std::chrono::hours(2), kNow};
    return *this;
  }
  Given& written_before_the_first_request() {
    facts_.at = kNow - std::chrono::minutes(10);
    facts_.first_asked = facts_.at + std::chrono::minutes(1);
    return *this;
  }
  Given& begins_thread() {
    facts_.begins_thread = true;
    return *this;
  }
  Given& follows_something() {
    facts_.follows_something = true;
    return *this;
  }
  Given& with_files() {
    facts_.has_files = true;
    return *this;
  }
  Given& own_run(const RunId& run, std::string text) {
    RunFact fact;
    fact.run = run;
    fact.account = "slack:T1/U1";
    fact.text = std::move(text);
    facts_.own_runs.push_back(fact);
    return *this;
  }

  Facts facts_;

 private:
  Given& run(RunId run, std::string requester, std::chrono::minutes ago) {
    RunFact fact;
    fact.run = run;
    fact.requester = std::move(requester);
    fact.account = run == kNewest ? "slack:T1/U1" : "slack:T1/U2";
    fact.request = run == kNewest ? "ref-newest" : "ref-older";
    fact.text = "why";
    fact.last_asked = kNow - ago;
    facts_.runs.push_back(fact);
    return *this;
  }
};

interaction::FormResult completed(std::string words) {
  return {{{"why", std::move(words), true, std::nullopt}}, true, {}, interaction::State::answered};
}

GoOn goes_on(std::string answer) {
  const interaction::Form form = where_and_why();
  const auto moved = interaction::go_on(form, interaction::begin(form),
                                        interaction::Answer{"env", std::move(answer), false, std::nullopt});
  return {kForm, std::get<interaction::Draft>(moved)};
}

struct Row {
  std::string name;
  Given given;
  Decision decision;
};

class Routing : public testing::TestWithParam<Row> {};

TEST_P(Routing, Decides) { EXPECT_EQ(route(GetParam().given.facts_), GetParam().decision); }

std::string name_of(const testing::TestParamInfo<Row>& info) { return info.param.name; }

using enum AddressedTo;
using policy::Follow;

Stop stop_newest(bool spoken = true) { return {kNewest, "slack:T1/U1", spoken}; }

INSTANTIATE_TEST_SUITE_P(
    Requests, Routing,
    testing::Values(
        Row{"ARequestStartsARun", Given("why"), StartRun{}}, Row{"AnEmptyRequestGetsHelp", Given("  \n"), Help{}},
        Row{"AfterAFinishedRunAnotherStarts", Given("why").newest(RunStatus::finished), StartRun{}},
        Row{"AWorkingRunTakesNotes", Given("and staging").newest(RunStatus::open), Note{kNewest}},
        Row{"NotesOfOthersToo", Given("and staging").newest(RunStatus::open).by("bo", "slack:T1/U2"), Note{kNewest}},
        Row{"ARunThatWaitsForAChildTakesNotes", Given("and staging").newest(RunStatus::parked), Note{kNewest}},
        Row{"AlsoWhenTheChildWaitsForPeople", Given("and staging").newest(RunStatus::parked).approval(kOlder),
            Note{kNewest}},
        Row{"BesideARunParkedOnPeopleAnotherStartsAndIsToldWhatIsPending",
            Given("and staging").newest(RunStatus::parked).approval(), StartRun{{"an approval"}}},
        Row{"AWorkingRunTakesNotesAlsoWhileItAsks", Given("and staging").newest(RunStatus::open).approval(),
            Note{kNewest}},
        Row{"WhoeverHasNoAccessIsRefused", Given("why").without_access(), Refuse{"no"}},
        Row{"WhoeverHasNoAccessAndDidNotSpeakToUsIsLeftAlone",
            Given("why").newest(RunStatus::open).in_thread().without_access(), Ignore{}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Following, Routing,
    testing::Values(
        Row{"TheRequesterGoesOnWithoutAMention", Given("more").newest(RunStatus::finished).in_thread(), StartRun{}},
        Row{"TheRequesterNotesWithoutAMention", Given("more").newest(RunStatus::open).in_thread(), Note{kNewest}},
        Row{"UntilTheTimeIsOver",
            Given("more").newest(RunStatus::finished, "ana", std::chrono::minutes(15)).in_thread(), StartRun{}},
        Row{"NotAfterThat", Given("more").newest(RunStatus::finished, "ana", std::chrono::minutes(16)).in_thread(),
            Ignore{}},
        Row{"NotWhenItMentionsSomeoneElse", Given("more").newest(RunStatus::finished).spoken(to_someone_else),
            Ignore{}},
        Row{"OthersMention", Given("more").newest(RunStatus::finished).in_thread().by("bo", "slack:T1/U2"), Ignore{}},
        Row{"EveryoneMentionsWhereSettingsSaySo",
            Given("more").newest(RunStatus::finished).in_thread().follow(Follow::mention), Ignore{}},
        Row{"NobodyNeedsToWhereSettingsSaySo",
            Given("more").newest(RunStatus::finished).in_thread().follow(Follow::all).by("bo", "slack:T1/U2"),
            StartRun{}},
        Row{"ButNotToSomeoneElse",
            Given("more").newest(RunStatus::finished).spoken(to_someone_else).follow(Follow::all), Ignore{}},
        Row{"WhatIsOlderThanTheFirstRequestFollowsNothing",
            Given("more").newest(RunStatus::finished).in_thread().written_before_the_first_request(), Ignore{}},
        Row{"WhatBeginsItsThreadFollowsNothing", Given("more").newest(RunStatus::finished).in_thread().begins_thread(),
            Ignore{}},
        Row{"NorWhereEverybodyIsFollowed",
            Given("more").newest(RunStatus::finished).in_thread().listens_to_all().written_before_the_first_request(),
            Ignore{}},
        Row{"NothingIsFollowedWhereWeHaveNoPart", Given("more").in_thread().follow(Follow::all), Ignore{}},
        Row{"InTheThreadOfAnAlertEveryoneIsHeard",
            Given("more").newest(RunStatus::finished).in_thread().by("bo", "slack:T1/U2").listens_to_all(), StartRun{}},
        Row{"ThereStopListeningNeedsNoMention",
            Given("stop listening").newest(RunStatus::open).in_thread().by("bo", "slack:T1/U2").listens_to_all(),
            Command{Command::Kind::stop_listening}},
        Row{"ButEveryOtherWordDoes", Given("pause").newest(RunStatus::open).in_thread().listens_to_all(),
            Note{kNewest}},
        Row{"AndElsewhereItIsChatter",
            Given("stop listening").newest(RunStatus::open).in_thread().by("bo", "slack:T1/U2"), Ignore{}},
        Row{"ChatterWithoutWordsIsNoCallForHelp",
            Given(" ").newest(RunStatus::finished).in_thread().by("bo", "slack:T1/U2"), Ignore{}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Stopping, Routing,
    testing::Values(Row{"StopStopsTheNewestRun", Given("Stop").newest(RunStatus::open), stop_newest()},
                    Row{"CancelToo", Given(" cancel ").newest(RunStatus::parked), stop_newest()},
                    Row{"AlsoAParkedOne", Given("stop").newest(RunStatus::parked).approval(), stop_newest()},
                    Row{"AnOlderOneThatGoesOnWhenTheNewestHasFinished",
                        Given("stop").newest(RunStatus::finished).older_goes_on(), Stop{kOlder, "slack:T1/U2", true}},
                    Row{"ByOthersWithoutAMentionItIsTriedQuietly",
                        Given("stop").newest(RunStatus::open).in_thread().by("bo", "slack:T1/U2"), stop_newest(false)},
                    Row{"NothingToStop", Given("stop").newest(RunStatus::finished), NothingToStop{}},
                    Row{"NothingToStopAndNotSpokenToUs",
                        Given("stop").newest(RunStatus::finished).in_thread().by("bo", "slack:T1/U2"), Ignore{}},
                    Row{"NotInsideASentence", Given("stop the deploy").newest(RunStatus::open), Note{kNewest}},
                    Row{"StopEndsTheRunOfAnOpenForm", Given("stop").newest(RunStatus::parked).form(), stop_newest()}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Approvals, Routing,
    testing::Values(
        Row{"ACodeApproves", Given("approve K7Q2MX").newest(RunStatus::parked).approval(),
            Decide{"k7q2mx", std::nullopt}},
        Row{"ACodeDeniesWithAReason", Given("deny k7q2mx too late").newest(RunStatus::parked).approval(),
            Decide{"k7q2mx", "too late"}},
        Row{"WithoutAMentionToo", Given("approve k7q2mx").newest(RunStatus::parked).approval().in_thread(),
            Decide{"k7q2mx", std::nullopt}},
        Row{"OfWhatWasSettledMeanwhileToo", Given("approve k7q2mx").newest(RunStatus::finished).code_known(),
            Decide{"k7q2mx", std::nullopt}},
        Row{"YesAnswersNothing", Given("yes").newest(RunStatus::parked).approval(), StartRun{{"an approval"}}},
        Row{"ApproveAloneAnswersNothing", Given("approve").newest(RunStatus::parked).approval(),
            Say{"`approve` alone does nothing: add the code from the card."}},
        Row{"WhereNothingWaitsACodeIsAWord", Given("deny access").newest(RunStatus::finished), StartRun{}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Forms, Routing,
    testing::Values(
        Row{"ANumberAnswersTheForm", Given("2").newest(RunStatus::parked).form(), goes_on("staging")},
        Row{"AlsoWithoutAMention", Given("2").newest(RunStatus::parked).form().in_thread(), goes_on("staging")},
        Row{"NotByWhoeverMayNot", Given("2").newest(RunStatus::parked).form(false), StartRun{{"a form"}}},
        Row{"OwnWordsCountWhereTheyAreMeantForUs",
            Given("it burns").newest(RunStatus::parked).form().at_last_question(),
            Complete{kForm, completed("it burns")}},
        Row{"OwnWordsCountWhereNobodyElseWrites",
            Given("it burns").newest(RunStatus::parked).form().at_last_question().in_thread().only_writer(),
            Complete{kForm, completed("it burns")}},
        Row{"OwnWordsCountInReplyToTheForm",
            Given("it burns").newest(RunStatus::parked).form().at_last_question().in_thread().replies_to_form(),
            Complete{kForm, completed("it burns")}},
        Row{"OwnWordsAreAMessageElsewhere",
            Given("it burns").newest(RunStatus::parked).form().at_last_question().in_thread(), StartRun{{"a form"}}},
        Row{"WordsToSomeoneElseAreNoAnswer",
            Given("it burns").newest(RunStatus::parked).form().at_last_question().only_writer().spoken(to_someone_else),
            Ignore{}},
        Row{"SkippingEndsTheFormAlone", Given("skip").newest(RunStatus::parked).form(),
            Complete{kForm, interaction::unanswered(interaction::Unanswered::skipped, "Ana", {})}},
        Row{"ACodeBesideAFormIsStillACode", Given("approve k7q2mx").newest(RunStatus::parked).form().approval(),
            Decide{"k7q2mx", std::nullopt}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Changed, Routing,
    testing::Values(
        Row{"AnEditedRequestIsANote", Given("and staging").newest(RunStatus::open).kind(InboundKind::edited),
            Note{kNewest, true}},
        Row{"AnEditThatSaysTheSameIsNot",
            Given("why").newest(RunStatus::open).kind(InboundKind::edited, "ref-newest", "why"), Ignore{}},
        Row{"AnEditOfSomethingElseIsNot",
            Given("and staging").newest(RunStatus::open).kind(InboundKind::edited, "ref-chatter"), Ignore{}},
        Row{"AnEditBySomeoneElseIsNot",
            Given("x").newest(RunStatus::open).by("bo", "slack:T1/U2").kind(InboundKind::edited), Ignore{}},
        Row{"AnEditAfterTheAnswerIsNot", Given("and staging").newest(RunStatus::finished).kind(InboundKind::edited),
            Ignore{}},
        Row{"ADeletedRequestCancels", Given("").newest(RunStatus::open).kind(InboundKind::deleted), stop_newest(false)},
        Row{"ADeletedOlderRequestCancelsItsOwnRun",
            Given("").newest(RunStatus::open).older_goes_on().kind(InboundKind::deleted, "ref-older"),
            Stop{kOlder, "slack:T1/U2", false}},
        Row{"ADeletedWordOfThanksDoesNot", Given("").newest(RunStatus::open).kind(InboundKind::deleted, "ref-chatter"),
            Ignore{}},
        Row{"AnEditNeverAnswers",
            Given("approve k7q2mx").newest(RunStatus::parked).approval().kind(InboundKind::edited, "ref-chatter"),
            Ignore{}}),
    name_of);

Command command(Command::Kind kind) { return {kind}; }

INSTANTIATE_TEST_SUITE_P(
    Words, Routing,
    testing::Values(
        Row{"AWordIsACommand", Given("status"), command(Command::Kind::status)},
        Row{"AlsoWhileARunWorks", Given("status").newest(RunStatus::open), command(Command::Kind::status)},
        Row{"HelpIsHelp", Given("help"), Help{}},
        Row{"WithoutAMentionAWordIsAMessage", Given("delete").newest(RunStatus::finished).in_thread(), StartRun{}},
        Row{"WithoutAccessAWordIsRefused", Given("pause").without_access(), Refuse{"no"}},
        Row{"AnOpenFormTakesItsOwnAnswers", Given("pause").newest(RunStatus::parked).form().at_last_question(),
            Complete{kForm, completed("pause")}},
        Row{"AWordThatWasMissedLongAgoIsOver", Given("pause").missed(std::chrono::minutes(31)), Ignore{}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Muting, Routing,
    testing::Values(Row{"AMentionIsToldUntilWhen", Given("why").muted(), Muted{kMuted}},
                    Row{"ANoteToo", Given("why").newest(RunStatus::open).muted(), Muted{kMuted}},
                    Row{"AFollowUpIsNotTaken", Given("why").newest(RunStatus::finished).in_thread().muted(), Ignore{}},
                    Row{"UnmuteIsStillHeard", Given("unmute").muted(), command(Command::Kind::unmute)},
                    Row{"StopIsStillHeard", Given("stop").newest(RunStatus::open).muted(), stop_newest()},
                    Row{"ACodeStillAnswers", Given("approve k7q2mx").newest(RunStatus::parked).approval().muted(),
                        Decide{"k7q2mx", std::nullopt}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(BareMentions, Routing,
                         testing::Values(Row{"WithNothingBeforeItIsHelp", Given(" "), Help{}},
                                         Row{"AfterSomethingItIsARequest", Given(" ").follows_something(), StartRun{}},
                                         Row{"WithAFileItIsARequest", Given("").with_files(), StartRun{}},
                                         Row{"WhileARunWorksItIsHelp",
                                             Given("").newest(RunStatus::open).follows_something(), Help{}}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Missed, Routing,
    testing::Values(
        Row{"ARecentRequestRuns", Given("why").missed(std::chrono::minutes(30)), StartRun{}},
        Row{"AnOlderOneIsAskedAbout", Given("why").missed(std::chrono::minutes(31)), AskWhetherToRun{}},
        Row{"AStopStillStops", Given("stop").newest(RunStatus::open).missed(std::chrono::minutes(45)), stop_newest()},
        Row{"ANoteIsStillANote", Given("why").newest(RunStatus::open).missed(std::chrono::minutes(45)), Note{kNewest}}),
    name_of);

TEST(StopOutsideAThread, MeansTheOnlyRunOfTheSender) {
  EXPECT_EQ(route(Given("stop").own_run(kNewest, "why").facts_), Decision(Stop{kNewest, "slack:T1/U1", true}));
}

TEST(StopOutsideAThread, ListsSeveralAndStopsNone) {
  const Decision decision = route(Given("stop").own_run(kNewest, "why").own_run(kOlder, "restart *it*").facts_);
  ASSERT_TRUE(std::holds_alternative<Say>(decision));
  const std::string& words = std::get<Say>(decision).words;
  EXPECT_TRUE(words.contains("2 runs")) << words;
  EXPECT_TRUE(words.contains("- why (run `" + kNewest.text())) << words;
  EXPECT_TRUE(words.contains("restart \\*it\\*")) << words;
}

TEST(RoutingFacts, OwnRunsAreReadOnlyForAStopOutsideAThread) {
  EXPECT_TRUE(wants_own_runs(Given("stop").facts_));
  EXPECT_FALSE(wants_own_runs(Given("stop").newest(RunStatus::finished).facts_));
  EXPECT_FALSE(wants_own_runs(Given("stop").in_thread().facts_));
  EXPECT_FALSE(wants_own_runs(Given("why").facts_));
}

TEST(RoutingFacts, RunsAreReadOnlyWhereTheyAreLookedAt) {
  EXPECT_FALSE(wants_runs(Given("why").facts_));
  EXPECT_FALSE(wants_runs(Given("why").newest(RunStatus::open).facts_));
  EXPECT_TRUE(wants_runs(Given("stop").newest(RunStatus::open).facts_));
  EXPECT_TRUE(wants_runs(Given("why").newest(RunStatus::open).in_thread().facts_));
  EXPECT_TRUE(wants_runs(Given("why").newest(RunStatus::open).kind(InboundKind::edited).facts_));
}

}  // namespace
}  // namespace deputy::gateway
