// A stored run replayed: the requests it sent, and whether its journal keeps the rules.
#include "run/prompt/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/prompt/prompt.h"
#include "support/journal.h"
#include "support/results.h"

namespace deputy::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Prompt kPrompt{"Be brief.", {{"search", "Looks for things", {{"type", "object"}}}}};
const std::string kPromptDigest = sha256_hex(kPrompt.system);
const std::string kToolsDigest = std::string(kPrompt.tools.digest());
const std::string kNoToolsDigest = sha256_hex("[]");

Result<std::string> text(const std::string& digest) {
  if (digest == kPromptDigest) return kPrompt.system;
  if (digest == kToolsDigest) return std::string(kPrompt.tools.text());
  if (digest == kNoToolsDigest) return std::string("[]");
  return fail(ErrorKind::not_found, "there is no such text");
}

Result<std::vector<model::Turn>> no_memory(const MemoryShown&, MemoryCut) { return std::vector<model::Turn>{}; }

// Writes a run as the runner does, and remembers each request as it is sent.
struct Sent {
  Journal journal = begun();
  std::vector<ReplayedTurn> turns;

  Sent& ask(int max_tokens, model::Calls calls = model::Calls::allowed) {
    turns.push_back({static_cast<Seq>(journal.entries().size()) + 1, "scripted",
                     request_of(journal.state(), {}, kPrompt, max_tokens, calls)});
    journal.add(ModelCalled{"scripted", kPromptDigest, kToolsDigest, max_tokens});
    return *this;
  }
  Sent& wants(std::string call) {
    journal.add(
        ModelReplied{.text = "", .calls = {{std::move(call), "search", {{"query", "x"}}}}, .stop = ReplyStop::calls});
    return *this;
  }
  Sent& gets(const std::string& call, std::string output) {
    journal.ruled(call, Verdict::allow).started(call, "act").done(call, "act", StepOutcome::output, output);
    journal.finished_call(call, CallStatus::success, std::move(output));
    return *this;
  }
  Sent& ends(std::string answer) {
    journal.add(ModelReplied{.text = answer, .calls = {}, .stop = ReplyStop::end_turn});
    journal.add(Replied{std::move(answer)}).add(Finished{RunOutcome::answered});
    return *this;
  }
};

std::vector<store::EntryRow> rows_of(const Journal& journal) {
  std::vector<store::EntryRow> rows;
  for (const Entry& entry : journal.entries()) {
    rows.push_back(encode(entry.body, entry.at));
    rows.back().seq = entry.seq;
  }
  return rows;
}
Replay replayed(const Journal& journal) {
  const Result<Replay> result = replay(rows_of(journal), text, no_memory);
  EXPECT_OK(result);
  return result.value_or(Replay{});
}

TEST(Replay, GivesEveryRequestAsItWasSent) {
  Sent sent;
  sent.ask(600).wants("call_1").gets("call_1", "12 errors");
  sent.journal.add(Noted{"and staging", "bo", "slack:U2", "Bo"});
  sent.ask(1200).ends("Twelve errors.");
  EXPECT_EQ(replayed(sent.journal), (Replay{sent.turns, {}, "answered"}));
}

TEST(Replay, RebuildsWhatWasSentAgainAfterACrashANoteAndAnOverflow) {
  Sent sent;
  sent.ask(600).wants("call_1").gets("call_1", std::string(5000, 'x')).ask(1200);
  sent.journal.add(Noted{"and staging", "bo"}).taken_up(TakenAfter::crash);
  sent.ask(1200).wants("call_2").gets("call_2", std::string(5000, 'y')).ask(1200);
  sent.journal.add(ModelReplied{.text = "", .calls = {}, .stop = ReplyStop::overflow});
  sent.ask(1200).ends("Many.");
  const Replay replay = replayed(sent.journal);
  EXPECT_EQ(replay.turns, sent.turns);
  EXPECT_THAT(replay.problems, IsEmpty());
  EXPECT_NE(replay.turns.at(3).request, replay.turns.at(4).request) << "less is shown after the overflow";
}

TEST(Replay, RebuildsWhatWasSentAfterASummary) {
  Sent sent;
  sent.ask(600).wants("call_1").gets("call_1", std::string(5000, 'x'));
  for (int i = 0; i < 3; ++i) {
    sent.ask(1200);
    sent.journal.add(ModelReplied{.text = "", .calls = {}, .stop = ReplyStop::overflow});
  }
  sent.journal.add(Summarised{"Many x.", 1});
  sent.ask(1200).ends("Many.");
  EXPECT_EQ(replayed(sent.journal), (Replay{sent.turns, {}, "answered"}));
  EXPECT_EQ(sent.turns.back().request.turns.size(), 1U) << "the summary is all there is of it";
}

TEST(Replay, KnowsThatNoMoreCallsWerePossibleAtTheLimit) {
  Sent sent;
  sent.ask(600).wants("call_1").gets("call_1", "12 errors");
  sent.journal.add(Limited{LimitKind::turns, "I stopped after 1 rounds of tool calls"});
  sent.ask(1200, model::Calls::none).ends("Twelve errors.");
  const Replay replay = replayed(sent.journal);
  EXPECT_EQ(replay.turns, sent.turns);
  EXPECT_EQ(replay.turns.at(1).request.tools, kPrompt.tools);
}

TEST(Replay, OfAJournalWhoseLastRequestLeftTheToolsOutLeavesThemOut) {
  Sent sent;
  sent.ask(600).wants("call_1").gets("call_1", "12 errors");
  sent.journal.add(Limited{LimitKind::turns, "I stopped after 1 rounds of tool calls"});
  const model::Request expected = request_of(sent.journal.state(), {}, {kPrompt.system, {}}, 1200, model::Calls::none);
  sent.journal.add(ModelCalled{"scripted", kPromptDigest, kNoToolsDigest, 1200});
  sent.ends("Twelve errors.");
  const Replay replay = replayed(sent.journal);
  EXPECT_EQ(replay.turns.at(1).request, expected);
  EXPECT_THAT(replay.problems, IsEmpty());
}

TEST(Replay, OfARunThatNeverHadToolsSaysNothingOfALimit) {
  Journal journal = begun();
  journal.add(ModelCalled{"scripted", kPromptDigest, kNoToolsDigest, 600});
  const Replay replay = replayed(journal);
  ASSERT_EQ(replay.turns.size(), 1U);
  EXPECT_EQ(replay.turns[0].request, request_of(begun().state(), {}, {kPrompt.system, {}}, 600, model::Calls::allowed));
  EXPECT_EQ(replay.outcome, "") << "it has not finished";
}

TEST(Replay, ATextThatIsKeptNoMoreIsAProblem) {
  Journal journal = begun();
  journal.add(ModelCalled{"scripted", "gone", kToolsDigest, 600});
  const Replay replay = replayed(journal);
  EXPECT_THAT(replay.turns, IsEmpty());
  EXPECT_THAT(replay.problems, ElementsAre("entry 4: its request cannot be rebuilt: there is no such text"));
}

TEST(Replay, OfAJournalThatIsNotUnderstoodFails) {
  std::vector<store::EntryRow> rows = rows_of(begun());
  rows.push_back({4, from_millis(1), "teleported", 1, "{}"});
  EXPECT_FAILS(replay(rows, text, no_memory), conflict);
}

TEST(Replay, IsPrintedWithWhatIsNewInEachRequest) {
  Sent sent;
  sent.ask(600).wants("call_1").gets("call_1", "12 errors").ask(1200).ends("Twelve errors.");
  EXPECT_EQ(print(replayed(sent.journal)),
            "request 1 (entry 4): scripted, 1 tools, at most 600 tokens\n"
            "  user: show me errors\n\na channel\n"
            "request 2 (entry 10): scripted, 1 tools, at most 1200 tokens\n"
            "  assistant calls search as call_1: {\"query\":\"x\"}\n"
            "  result of call_1: 12 errors\n"
            "outcome: answered\n");
  sent.journal.add(Replied{"again"});
  EXPECT_THAT(print(replayed(sent.journal)), testing::EndsWith("problem: entry 14: `replied` stands after the end\n"));
}

}  // namespace
}  // namespace deputy::run
