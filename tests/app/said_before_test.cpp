// What a terminal's conversation was about, read from the store.
#include "app/said_before.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "run/entry.h"
#include "store/sqlite_fixture.h"

namespace deputy::app {
namespace {

constexpr const char* kHere = "terminal:ana:chat-1";

class SaidBefore : public testing::Test, public store::SqliteFixture {
 protected:
  /// A run that asks; an empty answer: it has not finished.
  void run(const std::string& request, const std::string& answer, const std::string& conversation = kHere) {
    clock_.advance(std::chrono::seconds(1));
    run::Received received;
    received.text = request;
    received.requester = "ana";
    received.conversation = conversation;
    received.account = "terminal:ana";
    received.name = "ana";
    store::NewRunRow row = new_run(conversation);
    row.first = run::encode(received, clock_.now());
    start(*store_, row);
    if (answer.empty()) return;
    const store::Claimed claimed = must(store_->claim(1, {}));
    ASSERT_EQ(claimed.leases.size(), 1U);
    const store::RunChange finished{store::RunStatus::finished, "answered"};
    must(store_->append(
        claimed.leases[0], 1, store::If::unchanged,
        {run::encode(run::Replied{answer}, clock_.now()), run::encode(run::Finished{"answered"}, clock_.now())},
        {.run = finished}));
  }
  /// "ana: request | deputy: answer | …, N left out"
  std::string said(int most) {
    const channel::ConversationContext context = must(said_before(*store_, kHere, most));
    std::vector<std::string> all;
    all.reserve(context.said.size());
    for (const channel::Said& one : context.said)
      all.push_back((one.by_deputy ? "deputy" : one.writer_name) + ": " + one.text);
    return join(all, " | ") + ", " + std::to_string(context.left_out) + " left out";
  }

  std::unique_ptr<store::SqliteStore> store_ = open();
};

TEST_F(SaidBefore, IsNothingAtTheBeginning) {
  run("elsewhere", "answered", "terminal:ana:chat-2");
  run("what is wrong?", "");
  EXPECT_EQ(said(10), ", 0 left out");
}

TEST_F(SaidBefore, IsEveryRequestWithItsAnswer) {
  run("what is wrong?", "checkout");
  run("since when?", "noon");
  run("and in dev?", "");
  EXPECT_EQ(said(10), "ana: what is wrong? | deputy: checkout | ana: since when? | deputy: noon, 0 left out");
}

TEST_F(SaidBefore, KeepsTheRootAndTheNewest) {
  for (int i = 1; i <= 9; ++i) run("q" + std::to_string(i), "a" + std::to_string(i));
  EXPECT_EQ(said(4), "ana: q1 | deputy: a8 | ana: q9 | deputy: a9, 14 left out");
}

TEST_F(SaidBefore, CountsWhatWasForgotten) {
  run("q1", "a1");
  const std::vector<store::RunRow> runs = must(store_->runs({}));
  must(store_->forget({.run = runs.at(0).run}, {}, 100));
  run("q2", "a2");
  EXPECT_EQ(said(10), "ana: q2 | deputy: a2, 2 left out");
}

}  // namespace
}  // namespace deputy::app
