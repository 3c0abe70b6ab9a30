// What comes and goes in a conversation besides messages and answers: what was missed, changed and refused, and
// streams.
#include <gmock/gmock.h>

#include "conformance/channel/conversation.h"
#include "run/journal/entry.h"

namespace deputy::channel {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

// ---- Reading back.

TEST_P(ConversationTest, WhatWasMissedIsReadBackOnce) {
  NEEDS(history, "what nobody receives is gone");
  script(test::ModelScript().says("All is well."));
  close();
  clock_.advance(1h);
  bench_->ana_wrote("what is wrong?", clock_.now() - 10min);
  open();
  until_finished();
  until_seen("All is well.");
  EXPECT_THAT(all_seen(), HasSubstr("I was away"));
  restart();
  pass(1min);
  EXPECT_EQ(runs().size(), 1U) << "the cursor has moved on";
  EXPECT_EQ(times_seen("All is well."), 1);
}

TEST_P(ConversationTest, AMissedRequestThatIsOldIsRunOnlyIfSomebodyWantsIt) {
  NEEDS(history, "what nobody receives is gone");
  script(test::ModelScript().says("All is well."));
  close();
  clock_.advance(1h);
  bench_->ana_wrote("what is wrong?", clock_.now() - 45min);
  open();
  until_seen("run it now");
  EXPECT_TRUE(runs().empty());
  says(bench_->ana(), "run it now");
  until_finished();
  until_seen("All is well.");
}

// ---- Rate limits.

TEST_P(ConversationTest, AMessageThatIsRefusedForItsRateWaitsAsARowAndArrivesOnce) {
  NEEDS(limits, "it takes every message");
  script(test::ModelScript().says("All is well."));
  bench_->refuses_messages_for(30s);
  says(bench_->ana(), "what is wrong?");
  until_finished();
  const auto waits = [&] {
    const auto rows = await(store_->deliveries({.run = runs().at(0).run}));
    return std::ranges::any_of(*rows, [&](const store::DeliveryRow& row) {
      return row.state == store::DeliveryState::owed && row.attempts > 0 && row.next_at >= clock_.now() + 29s;
    });
  };
  until(waits);
  EXPECT_EQ(times_seen("All is well."), 0);
  restart();
  EXPECT_TRUE(waits()) << "also for another process";
  clock_.advance(31s);
  until_seen("All is well.");
  EXPECT_EQ(times_seen("All is well."), 1);
}

// ---- Changes.

TEST_P(ConversationTest, AnEditedRequestIsANote) {
  NEEDS(changes, "what was said stays said");
  const auto model = script(test::ModelScript().hangs().hangs());
  says(bench_->ana(), "restart checkout");
  until([&] { return model->waiting() == 1; });
  ASSERT_OK(await<void>(bench_->ana_edits("restart search")));
  const auto is_noted = [&] {
    const auto journal = await(store_->journal(runs().at(0).run, 1));
    return std::ranges::any_of(*journal, [](const store::EntryRow& row) {
      const auto entry = run::decode(row);
      const auto* note = entry ? std::get_if<run::Noted>(&entry->body) : nullptr;
      return note != nullptr && note->edits_request && note->text == "restart search";
    });
  };
  until(is_noted);
  EXPECT_EQ(runs().size(), 1U);
}

TEST_P(ConversationTest, ADeletedRequestIsCancelled) {
  NEEDS(changes, "what was said stays said");
  const auto model = script(test::ModelScript().hangs());
  says(bench_->ana(), "restart checkout");
  until([&] { return model->waiting() == 1; });
  ASSERT_OK(await<void>(bench_->ana_deletes()));
  until_finished();
  EXPECT_EQ(runs().at(0).outcome, "cancelled");
}

// ---- Files.

TEST_P(ConversationTest, AFileOfARequestIsNamedToTheModel) {
  NEEDS(uploads, "nobody can send a file");
  script(test::ModelScript().says("Out of memory."));
  ASSERT_OK(await<void>(bench_->ana_uploads("what does it say?", {"errors.log", "text/plain", "out of memory"})));
  until_finished();
  EXPECT_THAT(state().enriched.value_or(run::Enriched{}).context, HasSubstr("\"errors.log\" (text/plain, 13 bytes)"));
}

// ---- Streams.

TEST_P(ConversationTest, AStreamIsSeenWhileItsRunWorksAndIsItsOneMessage) {
  const bool stays = can_.stream && !can_.progress;
  const auto model = script(test::ModelScript().hangs().saying("The first line.\n"));
  says(bench_->ana(), "what is wrong?");
  until([&] { return model->waiting() == 1; });
  if (can_.stream) {
    until_seen("The first line.");
    EXPECT_NE(runs().at(0).state, store::RunStatus::finished);
  }
  says(bench_->ana(), "stop");
  until_finished();
  until_seen("topped");
  if (!can_.stream) {
    EXPECT_EQ(times_seen("The first line."), 0);
    GTEST_SKIP() << "no streams: the answer is posted when it is whole";
  }
  if (!stays) GTEST_SKIP() << "a stream that does not stay: the answer stands below it";
  EXPECT_EQ(seen().size(), 1U) << all_seen();
}

}  // namespace
}  // namespace deputy::channel
