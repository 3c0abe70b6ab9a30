// What a run has in flight: every task ends with one outcome, however it ends.
#include "run/drive/in_flight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace deputy::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TaskResult says(std::string text) {
  TaskResult result;
  result.entries.emplace_back(Replied{std::move(text)});
  return result;
}
Task<TaskResult> at_once(std::string text) { co_return says(std::move(text)); }
Task<TaskResult> throws() {
  throw std::logic_error("a bug");
  co_return TaskResult{};
}
Task<TaskResult> for_ever() {
  co_await sleep_for(kMaxWait);
  co_return says("never");
}
// Hears the cancellation and tells its outcome all the same, as a handler that must not be left unknown does.
Task<TaskResult> winds_up() {
  try {
    co_await sleep_for(kMaxWait);
  } catch (const boost::system::system_error&) {
  }
  co_return says("wound up");
}
TaskResult told(const std::exception_ptr& thrown) {
  return says(is_cancellation(thrown) ? "cancelled" : what_of(thrown));
}

struct Fixture {
  asio::io_context loop;
  int told_of = 0;
  std::unique_ptr<InFlight> works = std::make_unique<InFlight>(loop.get_executor(), [this] { ++told_of; });

  void start(std::string key, Task<TaskResult> task, CancelOn cancelled = CancelOn::anything) {
    works->start(std::move(key), cancelled, std::move(task), told);
  }
  // Whatever can happen without waiting.
  void turn() {
    loop.restart();
    loop.poll();
  }
  std::vector<std::string> done() {
    std::vector<std::string> texts;
    for (InFlight::Done& done : works->take_done())
      texts.push_back(done.key + ": " + std::get<Replied>(done.result.entries.at(0)).text);
    return texts;
  }
};

TEST(InFlight, ATaskEndsWithItsOutcome) {
  Fixture fixture;
  fixture.start("model", at_once("hello"));
  EXPECT_TRUE(fixture.works->has("model"));
  EXPECT_FALSE(fixture.works->any_done());
  fixture.turn();
  EXPECT_EQ(fixture.told_of, 1);
  EXPECT_TRUE(fixture.works->any_done());
  EXPECT_TRUE(fixture.works->empty());
  EXPECT_THAT(fixture.done(), ElementsAre("model: hello"));
  EXPECT_THAT(fixture.done(), IsEmpty()) << "an outcome is taken once";
}

TEST(InFlight, ATaskThatThrowsEndsWithAnOutcomeToo) {
  Fixture fixture;
  fixture.start("c1/act", throws());
  fixture.turn();
  EXPECT_THAT(fixture.done(), ElementsAre("c1/act: a bug"));
}

TEST(InFlight, ACancelledTaskSaysSo) {
  Fixture fixture;
  fixture.start("a", for_ever());
  fixture.start("b", winds_up());
  fixture.turn();
  EXPECT_FALSE(fixture.works->any_done());
  fixture.works->cancel_all();
  fixture.turn();
  EXPECT_THAT(fixture.done(), testing::UnorderedElementsAre("a: cancelled", "b: wound up"));
  EXPECT_TRUE(fixture.works->empty());
  fixture.works->cancel_all();
}

TEST(InFlight, ATaskCancelledBeforeItsFirstStepEndsAtItsFirstWait) {
  Fixture fixture;
  fixture.start("a", for_ever());
  fixture.start("b", at_once("hello"));
  fixture.works->cancel_all();
  fixture.turn();
  EXPECT_THAT(fixture.done(), testing::UnorderedElementsAre("a: cancelled", "b: hello"));
}

TEST(InFlight, OnlyWhatMayBeBrokenOffIs) {
  Fixture fixture;
  fixture.start("read", for_ever(), CancelOn::anything);
  fixture.start("write", for_ever(), CancelOn::stop);
  fixture.turn();
  fixture.works->cancel(CancelOn::shutdown);
  fixture.turn();
  EXPECT_THAT(fixture.done(), ElementsAre("read: cancelled"));
  EXPECT_TRUE(fixture.works->has("write"));
  fixture.works->cancel_all();
  fixture.turn();
  EXPECT_THAT(fixture.done(), ElementsAre("write: cancelled"));
}

TEST(InFlight, EndsAfterItIsGoneAreHarmless) {
  Fixture fixture;
  fixture.start("a", for_ever());
  fixture.start("b", winds_up());
  fixture.start("c", at_once("hello"));
  fixture.loop.poll_one();
  fixture.works.reset();
  fixture.turn();
  EXPECT_EQ(fixture.told_of, 0);
}

TEST(InFlight, AKeyMayBeUsedAgain) {
  Fixture fixture;
  fixture.start("model", at_once("one"));
  fixture.turn();
  fixture.start("model", at_once("two"));
  EXPECT_TRUE(fixture.works->has("model"));
  fixture.turn();
  EXPECT_THAT(fixture.done(), ElementsAre("model: one", "model: two"));
}

}  // namespace
}  // namespace deputy::run
