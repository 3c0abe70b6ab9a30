#include "config/live.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <fstream>
#include <semaphore>

#include "config/sample_settings.h"
#include "config/trust.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::config {
namespace {

using test::lines_of;
using test::SampleSettings;
using test::SampleWorld;

Fingerprint reading(std::int64_t size) { return {{"/f", FileIdentity{1, 1, size, {}}}}; }
using Step = StableFiles::Step;
using Again = StableFiles::Again;

TEST(StillnessOfFiles, LoadsOnceTwoReadingsInARowAreEqual) {
  StableFiles stillness(reading(1));
  EXPECT_EQ(stillness.observe(reading(1)), Step::nothing);
  EXPECT_EQ(stillness.observe(reading(2)), Step::wait);
  EXPECT_EQ(stillness.observe(reading(3)), Step::wait) << "it is still being written";
  EXPECT_EQ(stillness.observe(reading(3)), Step::load);
  stillness.settle(reading(3), Again::when_changed);
  EXPECT_EQ(stillness.observe(reading(3)), Step::nothing);
}

TEST(StillnessOfFiles, WhatMayWorkAnotherTimeIsLoadedAgainAfterAWhile) {
  StableFiles stillness(reading(1));
  stillness.settle(reading(2), Again::after_a_while);
  for (int round = 0; round < 2; ++round) {
    for (int i = 1; i < StableFiles::kWhile; ++i) EXPECT_EQ(stillness.observe(reading(2)), Step::nothing) << i;
    EXPECT_EQ(stillness.observe(reading(2)), Step::load);
  }
  stillness.settle(reading(2), Again::when_changed);
  for (int i = 0; i < 2 * StableFiles::kWhile; ++i) EXPECT_EQ(stillness.observe(reading(2)), Step::nothing) << i;
}

TEST(StillnessOfFiles, AChangeThatIsTakenBackIsNone) {
  StableFiles stillness(reading(1));
  EXPECT_EQ(stillness.observe(reading(2)), Step::wait);
  EXPECT_EQ(stillness.observe(reading(1)), Step::nothing);
  EXPECT_EQ(stillness.observe(reading(2)), Step::wait);
}

TEST(StillnessOfFiles, AFileThatMovesWhileItIsReadIsWaitedForAgain) {
  StableFiles stillness(reading(1));
  EXPECT_EQ(stillness.observe(reading(2)), Step::wait);
  EXPECT_EQ(stillness.observe(reading(2)), Step::load);
  stillness.restart();
  EXPECT_EQ(stillness.observe(reading(2)), Step::wait);
}

// Live settings over a world of files; every poll is asked for, none is waited for.
class LiveSettings : public testing::Test {
 protected:
  void begin(const std::string& user_text) {
    world.write_user(user_text);
    Loaded<SampleSettings> first = world.load();
    ASSERT_EQ(lines_of(first.problems), std::vector<std::string>{});
    Sources sources = world.sources();
    sources.fetch = fetch;
    live = std::make_unique<Live<SampleSettings>>(
        workers, std::move(sources), std::move(first),
        [this](const std::vector<LocatedProblem>& problems) { alarms.push_back(lines_of(problems)); });
    live->subscribe([this](const Change<SampleSettings>& change) { changes.push_back(change.paths); });
  }

  // Replaces the file by a new one: the same bytes in the same tick are then told apart by the inode.
  void replace(const std::string& name, const std::string& text) {
    world.folder.write(name + ".new", text);
    std::filesystem::rename(world.folder / (name + ".new"), world.folder / name);
  }

  void poll(int times) {
    for (int i = 0; i < times; ++i) deputy::test::run_on(loop, live->poll());
  }

  std::string user() const { return world.user_file().string(); }

  SampleWorld world;
  SecretFetcher fetch = fetch_secret;
  asio::io_context loop;
  Workers workers{"settings", {.threads = 1, .queued = 4}};
  std::unique_ptr<Live<SampleSettings>> live;
  std::vector<std::vector<std::string>> alarms;
  std::vector<std::vector<std::string>> changes;
};

using Told = std::vector<std::vector<std::string>>;

TEST_F(LiveSettings, AChangeOfModeAloneMendsARefusedFile) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 2\n");
  std::filesystem::permissions(world.user_file(), std::filesystem::perms(0666));
  poll(3);
  EXPECT_EQ(live->current()->count, 1);
  EXPECT_EQ(alarms.size(), 1U);
  std::filesystem::permissions(world.user_file(), std::filesystem::perms(0600));
  poll(3);
  EXPECT_EQ(live->current()->count, 2);
}

TEST_F(LiveSettings, SwapAfterTheFileStoodStillAndTellWhatChanged) {
  begin("count: 1\nlog: {level: debug}\n");
  const auto before = live->current();
  replace("home/deputy.yaml", "count: 2\nlog: {level: info}\nchannels: {C1: {mode: loud}}\n");
  poll(1);
  EXPECT_EQ(live->current(), before);
  poll(1);
  EXPECT_EQ(live->current()->count, 2);
  EXPECT_EQ(before->count, 1) << "who holds the old settings keeps them";
  EXPECT_EQ(changes, (Told{{"channels.C1", "count", "log.level"}}));
  poll(3);
  EXPECT_EQ(changes.size(), 1);
  EXPECT_EQ(alarms, Told{});
}

TEST_F(LiveSettings, ABadFileKeepsTheOldOnesAndIsReportedOnce) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: many\nmod: ask\n");
  poll(5);
  EXPECT_EQ(live->current()->count, 1);
  const std::vector<std::string> problems{user() + ":1: `count`: this must be a whole number, not the text \"many\"",
                                          user() + ":2: `mod`: there is no setting `mod`; did you mean `mode`?"};
  EXPECT_EQ(alarms, Told{problems});
  replace("home/deputy.yaml", "count: many\nmod: ask\n");
  poll(3);
  EXPECT_EQ(alarms, Told{problems}) << "the same content again is no news";
  replace("home/deputy.yaml", "count: 7\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 7);
  replace("home/deputy.yaml", "count: many\nmod: ask\n");
  poll(2);
  EXPECT_EQ(alarms, (Told{problems, problems})) << "it was good in between";
}

TEST_F(LiveSettings, AHalfWrittenFileIsNeverSwappedIn) {
  const std::string whole = "count: 5\nlog:\n  level: debug\nhosts: [a, b]\n";
  begin("count: 1\n");
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    replace("home/deputy.yaml", whole.substr(0, bytes));
    poll(1);
    EXPECT_EQ(live->current()->count, 1);
  }
  replace("home/deputy.yaml", whole);
  poll(2);
  EXPECT_EQ(live->current()->hosts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(alarms, Told{});
  EXPECT_EQ(changes.size(), 1);
}

// A writer that stalls where what it has written so far is good by itself.
TEST_F(LiveSettings, AFileThatIsOpenForWritingIsNotSwappedInHoweverLongItStandsStill) {
  begin("count: 1\nmode: ask\n");
  std::ofstream writer(world.user_file());
  writer << "count: 2\n" << std::flush;
  poll(StableFiles::kWhile);
  EXPECT_EQ(live->current()->count, 1);
  EXPECT_EQ(alarms, Told{}) << "writing takes a moment";
  poll(StableFiles::kWhile);
  EXPECT_EQ(alarms, (Told{{user() + ": this file has been open for writing for a while, so it is not loaded yet"}}));
  writer << "mode: allow\n";
  writer.close();
  poll(2);
  EXPECT_EQ(live->current()->count, 2);
  EXPECT_EQ(live->current()->mode, test::Mode::allow);
  EXPECT_EQ(changes, (Told{{"count", "mode"}}));
}

TEST_F(LiveSettings, ASecretsFileThatIsOpenForWritingIsWaitedForToo) {
  world.folder.write("home/token", "one");
  begin("channels: {slack: {bot_token: file:token}}\n");
  std::ofstream writer(world.folder / "home/token");
  writer << "tw" << std::flush;
  poll(4);
  EXPECT_EQ(live->current()->channels.slack.bot_token.reveal(), "one");
  writer << "o";
  writer.close();
  poll(2);
  EXPECT_EQ(live->current()->channels.slack.bot_token.reveal(), "two");
}

TEST_F(LiveSettings, AFileThatHasBecomeEmptyIsTakenForHalfWritten) {
  begin("count: 9\n");
  replace("home/deputy.yaml", "\n");
  poll(4);
  EXPECT_EQ(live->current()->count, 9);
  EXPECT_EQ(alarms, (Told{{user() + ": this file had settings and is now empty; it may be half-written"}}));
  replace("home/deputy.yaml", "{}\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 3) << "so it can be said on purpose";
}

TEST_F(LiveSettings, FilesThatAppearCount) {
  begin("mode: allow\n");
  world.write_system("count: 4\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 4);
  EXPECT_EQ(changes, (Told{{"count"}}));
}

TEST_F(LiveSettings, AFileThatIsGoneKeepsTheOldOnes) {
  begin("count: 9\n");
  std::filesystem::remove(world.user_file());
  poll(4);
  EXPECT_EQ(live->current()->count, 9);
  EXPECT_EQ(alarms, (Told{{user() + ": this file was removed; its settings stay in use"}}));
  replace("home/deputy.yaml", "count: 8\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 8);
  replace("home/deputy.yaml", "{}\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 3) << "so it can be said on purpose";
}

// serve reads the first of several files: one that is there and no longer counts is not gone.
TEST_F(LiveSettings, AFileThatIsOverruledIsNotGone) {
  world.write_system("count: 4\n");
  Loaded<SampleSettings> first = world.load(LoadMode::serve);
  ASSERT_EQ(first.files.size(), 1U);
  world.write_user("count: 5\n");
  EXPECT_EQ(lines_of(reasons_to_keep(first, world.load(LoadMode::serve))), std::vector<std::string>{});
}

// A worker held in a job until it is let go, so that a test decides what happens before what.
class HeldWorker {
 public:
  explicit HeldWorker(Workers& workers) : workers_(workers) {
    submit([this](const std::stop_token&) -> Result<bool> {
      has_begun_.release();
      let_go_.acquire();
      return true;
    });
  }
  ~HeldWorker() { let_go(); }

  void wait_until_held() { has_begun_.acquire(); }
  void let_go() {
    if (std::exchange(held_, false)) let_go_.release();
  }
  /// Queued behind it, in order.
  void submit(std::move_only_function<Result<bool>(std::stop_token)> job) {
    asio::co_spawn(loop_, on_worker<bool>(workers_, std::chrono::minutes(1), std::move(job)),
                   [this](const std::exception_ptr&, const Result<bool>& ended) { refused_ += ended ? 0 : 1; });
    loop_.restart();
    loop_.poll();
  }
  void fill() {
    while (refused_ == 0) submit([](const std::stop_token&) -> Result<bool> { return true; });
  }
  void run_to_the_end() {
    loop_.restart();
    loop_.run();
  }

 private:
  Workers& workers_;
  asio::io_context loop_;
  std::binary_semaphore has_begun_{0};
  std::binary_semaphore let_go_{0};
  bool held_ = true;
  int refused_ = 0;
};

TEST_F(LiveSettings, WhatIsLoadedIsWhatStoodStill) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 2\n");
  poll(1);
  bool ended = false;
  HeldWorker held(workers);
  held.wait_until_held();
  asio::co_spawn(loop, live->poll(), [&](const std::exception_ptr&) { ended = true; });
  loop.restart();
  loop.poll();  // its look waits for the worker
  held.submit([this](const std::stop_token&) -> Result<bool> {
    replace("home/deputy.yaml", "count: 3\n");  // after the look and before the load
    return true;
  });
  held.let_go();
  deputy::test::run_until(loop, [&] { return ended; });
  EXPECT_EQ(live->current()->count, 1) << "the third content was seen once only";
  poll(2);
  EXPECT_EQ(live->current()->count, 3);
  held.run_to_the_end();
}

TEST_F(LiveSettings, AGoodFileIsTriedAgainWhenNoWorkerWasFree) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 2\n");
  poll(1);
  bool ended = false;
  HeldWorker first(workers);
  first.wait_until_held();
  asio::co_spawn(loop, live->poll(), [&](const std::exception_ptr&) { ended = true; });
  loop.restart();
  loop.poll();  // its look waits for the worker
  HeldWorker second(workers);
  first.let_go();
  second.wait_until_held();  // the look is done, its result not yet heard
  second.fill();
  deputy::test::run_until(loop, [&] { return ended; });
  EXPECT_EQ(live->current()->count, 1);
  EXPECT_EQ(alarms.size(), 1U);
  second.let_go();
  second.run_to_the_end();
  first.run_to_the_end();
  poll(2);
  EXPECT_EQ(live->current()->count, 2);
}

TEST_F(LiveSettings, EndingThemIsNoAlarm) {
  begin("count: 1\n");
  HeldWorker held(workers);
  held.wait_until_held();
  bool ended = false;
  asio::cancellation_signal stop;
  asio::co_spawn(loop, live->poll(),
                 asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr&) { ended = true; }));
  loop.restart();
  loop.poll();
  stop.emit(asio::cancellation_type::terminal);
  deputy::test::run_until(loop, [&] { return ended; });
  EXPECT_EQ(alarms, Told{});
  held.let_go();
  held.run_to_the_end();
}

TEST_F(LiveSettings, ASecretThatCouldNotBeFetchedIsTriedAgain) {
  auto fails = std::make_shared<std::atomic<bool>>(true);
  fetch = [fails](const SecretReference&, const Environment&) -> Result<Secret> {
    if (*fails) return fail(ErrorKind::timeout, "the vault sleeps");
    return Secret("fetched");
  };
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 2\nchannels: {slack: {bot_token: 'cmd:vault'}}\n");
  poll(2 + StableFiles::kWhile);
  EXPECT_EQ(live->current()->count, 1);
  EXPECT_EQ(alarms.size(), 1U) << "the same trouble again is no news";
  *fails = false;
  poll(StableFiles::kWhile);
  EXPECT_EQ(live->current()->count, 2);
  EXPECT_EQ(live->current()->channels.slack.bot_token.reveal(), "fetched");
}

TEST_F(LiveSettings, AChangedSecretIsAChangeThoughItCannotBeSeen) {
  world.folder.write("home/token", "one");
  begin("channels: {slack: {bot_token: file:token}}\n");
  replace("home/token", "two");
  poll(2);
  EXPECT_EQ(live->current()->channels.slack.bot_token.reveal(), "two");
  EXPECT_EQ(changes, (Told{{"channels.slack.bot_token"}}));
}

TEST_F(LiveSettings, MendingASecretsFileMendsTheSettings) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 2\nchannels: {slack: {bot_token: file:token}}\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 1);
  EXPECT_EQ(alarms.size(), 1);
  world.folder.write("home/token", "two");
  poll(2);
  EXPECT_EQ(live->current()->count, 2);
}

TEST_F(LiveSettings, AProjectFileThatChangedMustBeTrustedAgain) {
  world.write_project("count: 8\n");
  ASSERT_OK(TrustedFiles::read(world.trusted_file())->trust(world.project_file(), "count: 8\n"));
  begin("mode: allow\n");
  EXPECT_EQ(live->current()->count, 8);
  replace("project/deputy.yaml", "count: 66\n");
  poll(2);
  EXPECT_EQ(live->current()->count, 8);
  EXPECT_EQ(alarms, (Told{{world.project_file().string() + ": this file has changed since it was trusted"}}));
  ASSERT_OK(TrustedFiles::read(world.trusted_file())->trust(world.project_file(), "count: 66\n"));
  poll(2);
  EXPECT_EQ(live->current()->count, 66);
}

TEST_F(LiveSettings, TheSameContentAgainTellsNobody) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 1  # as before\n");
  poll(3);
  EXPECT_EQ(changes, Told{});
}

Task<> until_count_is_two(const Live<SampleSettings>& settings) {
  while (settings.current()->count != 2) co_await sleep_for(std::chrono::milliseconds(1));
}

TEST_F(LiveSettings, PollByThemselves) {
  begin("count: 1\n");
  replace("home/deputy.yaml", "count: 2\n");
  asio::cancellation_signal stop;
  asio::co_spawn(loop, live->run(std::chrono::milliseconds(1)),
                 asio::bind_cancellation_slot(stop.slot(), [](const std::exception_ptr&) {}));
  deputy::test::run_on(loop, until_count_is_two(*live));
  stop.emit(asio::cancellation_type::terminal);
  loop.run();
  EXPECT_EQ(changes, (Told{{"count"}}));
}

TEST(Touches, IsAboutPathsAroundAndInside) {
  const std::vector<std::string> paths{"channels.C1", "log.level"};
  EXPECT_TRUE(touches(paths, "channels"));
  EXPECT_TRUE(touches(paths, "channels.C1"));
  EXPECT_TRUE(touches(paths, "channels.C1.mode"));
  EXPECT_TRUE(touches(paths, "log"));
  EXPECT_FALSE(touches(paths, "channels.C10"));
  EXPECT_FALSE(touches(paths, "log.format"));
  EXPECT_FALSE(touches(paths, "chan"));
}

}  // namespace
}  // namespace deputy::config
