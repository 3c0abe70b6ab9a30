#include "run/journal/entry.h"

#include <gtest/gtest.h>

#include "base/workers.h"
#include "support/journal.h"
#include "support/loop.h"
#include "support/results.h"
#include "toolkit/pipeline.h"
#include "toolkit/step.h"

namespace deputy::run {
namespace {

store::EntryRow row(std::string kind, std::string body, int version = 1) {
  return {7, from_millis(1000), std::move(kind), version, std::move(body)};
}

TEST(Entry, ComesBackAsItWasWritten) {
  Journal journal = begun();
  journal.calls({{"c1", "restart", {{"service", "cast-core"}}}, {"c2", "restart", {}, "broken"}})
      .ruled("c1", Verdict::ask, {{"act", false, true}}, 0, {"clean"});
  journal.asked("c1")
      .answered("c1", interaction::State::denied, "bo", {{"reason", "not now"}})
      .finished_call("c1", CallStatus::denied, "no");
  for (const Entry& entry : journal.entries()) {
    const store::EntryRow encoded = encode(entry.body, entry.at);
    EXPECT_EQ(encoded.kind, kind_of(entry.body));
    const Result<Entry> decoded = decode(encoded);
    ASSERT_OK(decoded);
    EXPECT_EQ(encode(decoded->body, decoded->at), encoded);
    EXPECT_EQ(decoded->at, entry.at);
  }
}

TEST(Entry, IsReadableWhateverBytesItHolds) {
  const Result<Entry> decoded = decode(encode(Noted{.text = "caf\xe9"}, from_millis(1000)));
  ASSERT_OK(decoded);
  EXPECT_EQ(std::get<Noted>(decoded->body).text, "caf\uFFFD");
}

TEST(Entry, OfBeforeCallsHadFaultsReadsAsOneWithout) {
  const Result<Entry> decoded = decode(
      row("model_replied", R"({"text":"","calls":[{"id":"c1","tool":"search","arguments":{}}],"stop":"calls"})"));
  ASSERT_OK(decoded);
  EXPECT_EQ(std::get<ModelReplied>(decoded->body).calls.at(0).fault, std::nullopt);
}

TEST(Entry, OfALargeJournalIsDecodedOffTheLoop) {
  const auto decoded = [](std::size_t size) {
    const std::int64_t before = large_text_workers().taken();
    const auto entries = test::run(decode_all({encode(Noted{.text = std::string(size, 'x')}, from_millis(1000)),
                                               row("teleported", "{}"), row("woken", R"({"due":"deadline"})")}));
    EXPECT_EQ(entries.size(), 3U);
    EXPECT_EQ(std::get<Noted>(entries.at(0)->body).text.size(), size);
    EXPECT_FAILS(entries.at(1), conflict);
    EXPECT_EQ(kind_of(entries.at(2)->body), "woken");
    return large_text_workers().taken() - before;
  };
  EXPECT_EQ(decoded(60'000), 0);
  EXPECT_EQ(decoded(70'000), 1);
}

TEST(Entry, KeepsItsPlaceInTheJournal) { EXPECT_EQ(decode(row("woken", R"({"due":"deadline"})"))->seq, 7); }

TEST(Entry, OfAKindThatIsNotKnownIsNeverSkipped) {
  const Result<Entry> decoded = decode(row("teleported", "{}"));
  EXPECT_FAILS(decoded, conflict);
  EXPECT_EQ(decoded.error().message, "this Deputy does not know entries of kind `teleported`");
}

TEST(Entry, OfANewerVersionIsNeverSkipped) { EXPECT_FAILS(decode(row("woken", R"({"due":"deadline"})", 2)), conflict); }

TEST(Entry, WithAFieldThatIsNotKnownIsRefused) {
  EXPECT_FAILS(decode(row("woken", R"({"due":"deadline","mood":"good"})")), internal);
}

TEST(Entry, ThatIsDamagedIsAnError) {
  EXPECT_FAILS(decode(row("woken", "")), internal);
  EXPECT_FAILS(decode(row("woken", "[]")), internal);
  EXPECT_FAILS(decode(row("woken", "{}")), internal);
  EXPECT_FAILS(decode(row("woken", R"({"due":7})")), internal);
  EXPECT_EQ(decode(row("woken", "[]")).error().message,
            "entry 7 of the journal, `woken`, is damaged: expected a JSON object, got: list");
}

template <class Body>
Body read(std::string body) {
  const Result<Entry> decoded = decode(row(std::string(Body::kKind), std::move(body)));
  EXPECT_OK(decoded);
  return decoded ? std::get<Body>(decoded->body) : Body{};
}

TEST(Entry, WithAWordOutsideItsListStillReads) {
  EXPECT_EQ(read<TakenUp>(R"({"instance":"i","after":"lunch"})").after, TakenAfter::unknown);
  EXPECT_EQ(read<ModelReplied>(R"({"text":"","calls":[],"stop":"tired"})").stop, ReplyStop::unknown);
  EXPECT_EQ(read<Ruled>(R"({"call":"c","verdict":"maybe","rule":"r","words":"w"})").verdict, Verdict::unknown);
  EXPECT_EQ(read<Asked>(R"({"call":"c","interaction":"i","kind":"poll"})").kind, AskKind::unknown);
  EXPECT_EQ(read<StepDone>(R"({"call":"c","handler":"h","outcome":"half"})").outcome, StepOutcome::unknown);
  EXPECT_EQ(read<Delegated>(R"({"call":"c","handler":"h","kind":"oracle","payload":{}})").kind, DelegateTo::unknown);
  EXPECT_EQ(read<CallFinished>(R"({"call":"c","status":"half","text":"t"})").status, CallStatus::unknown);
  EXPECT_EQ(read<Limited>(R"({"what":"patience","words":"w"})").what, LimitKind::unknown);
  EXPECT_EQ(read<Woken>(R"({"due":"moonrise"})").due, WakeUp::unknown);
  EXPECT_EQ(read<ChildFinished>(R"({"child":"r","call":"c","outcome":"lost","text":"t"})").outcome,
            RunOutcome::unknown);
  EXPECT_EQ(read<Finished>(R"({"outcome":"lost"})").outcome, RunOutcome::unknown);
}

TEST(Entry, OfAnAnswerInAStateThatIsNotKnownIsNoApproval) {
  EXPECT_EQ(read<Answered>(R"({"interaction":"i","call":"c","state":"maybe"})").state, interaction::State::cancelled);
}

template <class Word>
void expect_stored_words_to_read_back() {
  for (const auto& [value, word] : choices_of(Word{})) {
    EXPECT_EQ(name(value), word);
    EXPECT_EQ(read_word<Word>(word), value);
  }
  EXPECT_EQ(read_word<Word>("no such word"), Word::unknown);
}

TEST(Entry, HoldsWordsThatReadBack) {
  expect_stored_words_to_read_back<TakenAfter>();
  expect_stored_words_to_read_back<ReplyStop>();
  expect_stored_words_to_read_back<Verdict>();
  expect_stored_words_to_read_back<AskKind>();
  expect_stored_words_to_read_back<StepOutcome>();
  expect_stored_words_to_read_back<DelegateTo>();
  expect_stored_words_to_read_back<CallStatus>();
  expect_stored_words_to_read_back<LimitKind>();
  expect_stored_words_to_read_back<WakeUp>();
  expect_stored_words_to_read_back<RunOutcome>();
}

// What a handler may delegate and how it may fail must have a word in the journal.
TEST(Entry, HasAWordForEveryDelegateAndEveryFailure) {
  for (const auto& [kind, word] : choices_of(toolkit::DelegateKind{}))
    EXPECT_NE(read_word<DelegateTo>(word), DelegateTo::unknown) << word;
  for (const auto status : {toolkit::Status::error, toolkit::Status::timeout, toolkit::Status::cancelled})
    EXPECT_NE(read_word<StepOutcome>(toolkit::name(status)), StepOutcome::unknown);
}

}  // namespace
}  // namespace deputy::run
