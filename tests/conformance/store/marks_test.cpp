// Cursors of channels, marks, and the conversations that a channel reads back.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

class Marks : public StoreTest {
 protected:
  MarkRow mark(std::string key, std::optional<Timestamp> ends_at) {
    return {.kind = "mute",
            .key = std::move(key),
            .conversation = kThread,
            .person = "ana",
            .body = "text",
            .at = from_millis(5000),
            .ends_at = ends_at};
  }
  void put(MarkRow mark) {
    must(store_->admit(message("put " + std::to_string(++messages_)), ToNobody{}, {.marks = {std::move(mark)}}));
  }
  std::vector<MarkRow> find(std::vector<std::string> keys) { return must(store_->marks({"mute", std::move(keys)})); }
  void finish(const Lease& lease) {
    append(lease, 1, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}});
  }

  int messages_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Every, Marks, testing::ValuesIn(implementations()), name_of);

TEST_P(Marks, ACursorIsEmptyUntilItIsSetAndHoldsForWhoeverOpensTheStore) {
  EXPECT_EQ(must(store_->cursor("slack")), "");
  must(store_->set_cursor("slack", "1700000000.000100"));
  must(store_->set_cursor("slack", "1700000000.000200"));
  must(store_->set_cursor("telegram", "42"));
  const auto other = another_instance();
  EXPECT_EQ(must(other->cursor("slack")), "1700000000.000200");
  EXPECT_EQ(must(other->cursor("telegram")), "42");
}

TEST_P(Marks, AMarkIsFoundByKeyAndConversationUntilItEnds) {
  const MarkRow live = mark("a", from_millis(to_millis(now() + 1h)));
  const MarkRow lasting = mark("b", std::nullopt);
  put(live);
  put(lasting);
  put(mark("over", now() - 1s));
  EXPECT_EQ(find({"a", "b", "over", "none"}), (std::vector{live, lasting}));
  EXPECT_EQ(must(store_->marks({.kind = "mute", .conversation = kThread})), (std::vector{lasting, live}));
  EXPECT_EQ(must(store_->marks({.kind = "mute", .conversation = kThread, .most = 1})), (std::vector{lasting}));
  EXPECT_TRUE(must(store_->marks({.kind = "missed", .keys = {"a"}, .conversation = kThread})).empty());
}

TEST_P(Marks, ASecondMarkReplacesTheFirstAndAnEndedOneIsGone) {
  put(mark("a", std::nullopt));
  MarkRow second = mark("a", std::nullopt);
  second.body = "other text";
  put(second);
  EXPECT_EQ(find({"a"}), std::vector{second});
  must(store_->admit(message("end"), ToNobody{}, {.marks_ended = {{"mute", "a"}}}));
  EXPECT_TRUE(find({"a"}).empty());
}

TEST_P(Marks, TheMarkOfARunGoesWithIt) {
  const Lease lease = working_run();
  MarkRow feedback = mark("run", std::nullopt);
  feedback.run = lease.run;
  put(feedback);
  finish(lease);
  must(store_->forget({.run = lease.run}, {}, 100));
  ASSERT_EQ(find({"run"}).size(), 1U);
  EXPECT_EQ(find({"run"})[0].body, "") << "its text is forgotten";
  must(store_->remove_old({-1h, -1h, -1h, -1h}, 100));
  EXPECT_TRUE(find({"run"}).empty());
}

TEST_P(Marks, AMarkThatEndedIsRemoved) {
  put(mark("over", now() - 2h));
  put(mark("live", now() + 2h));
  EXPECT_EQ(must(store_->remove_old({24h, 24h, 24h, 1h}, 100)).marks, 1);
  EXPECT_EQ(find({"live"}).size(), 1U);
}

TEST_P(Marks, ForgettingAConversationOrAPersonRemovesTheirMarks) {
  put(mark("a", std::nullopt));
  must(store_->forget({.conversation = "slack:T1:C2:1.0"}, {}, 100));
  EXPECT_EQ(find({"a"}).size(), 1U);
  must(store_->forget({.conversation = kThread}, {}, 100));
  EXPECT_TRUE(find({"a"}).empty());
  put(mark("b", std::nullopt));
  must(store_->forget({.person = "ana"}, {}, 100));
  EXPECT_TRUE(find({"b"}).empty());
}

TEST_P(Marks, UnfinishedConversationsComeFirstThenTheNewest) {
  working_run("slack:unfinished");
  std::vector<std::string> finished{"slack:old", "slack:new", "slackish:other", "telegram:1"};
  for (const std::string& conversation : finished) finish(working_run(conversation));
  finish(working_run("slack:new"));
  const auto active = [&](Timestamp since, int most) {
    return must(store_->active_conversations("slack", since, most));
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(active(now() - 1h, 10), (Keys{"slack:unfinished", "slack:new", "slack:old"}));
  EXPECT_EQ(active(now() - 1h, 2), (Keys{"slack:unfinished", "slack:new"}));
  EXPECT_EQ(active(now() + 1h, 10), (Keys{"slack:unfinished"})) << "an open run is never too old";
}

}  // namespace
}  // namespace deputy::store
