// What was forgotten or grew too old is nowhere in the files.
#include <gmock/gmock.h>

#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

constexpr const char* kSecret = "zqxsecretword";
constexpr const char* kOther = "yvwotherword";

class Forget : public SqliteTest {
 protected:
  /// A run with text in every place that has text.
  void tell(Store& store, const std::string& person, const std::string& word, int number) {
    const std::string thread = person + std::to_string(number);
    const std::string text = word + std::string(static_cast<std::size_t>(number) * 37 % 3000, 'f') + word;
    NewRunRow run = new_run(thread, person, text);
    run.headline = text;
    const Lease lease = working_run(store, run);
    NewInteractionRow asked = question(lease.run, text);
    asked.interaction.conversation = thread;
    asked.tokens = {{"token-" + thread, text}};
    DeliveryRow sent;
    sent.id = DeliveryId::make(clock_.now());
    sent.conversation = thread;
    sent.kind = "message";
    sent.body = text;
    sent.run = lease.run;
    must(
        store.append(lease, 1, If::unchanged, {entry("asked", text)}, {.interactions = {asked}, .deliveries = {sent}}));
    for (const std::size_t times : {400U, 1U, 200U}) {
      std::string draft;
      for (std::size_t i = 0; i < times; ++i) draft += text;
      const InboundRow typed = message(store, thread + std::to_string(times), thread);
      must(store.admit(typed, ToNobody{}, {.drafts = {{asked.interaction.id, draft}}}));
    }
    must(store.answer(asked.interaction.id, {InteractionState::answered, text, person, clock_.now()},
                      entry("answered", text), {}));
    must(store.change_delivery({must(store.take_deliveries(1)).at(0).id, DeliveryState::sent, "ts", {}}));
    Effects end;
    end.run = RunChange{RunStatus::finished, "answered"};
    end.results = {{lease.run, "call-1", std::string(20'000, 'r') + text}};
    end.search = {{lease.run, "about " + word + " and " + thread}};
    end.audit = {{clock_.now(), "answered", person, lease.run, "digest", text}};
    end.dues = {
        {"late", lease.run.text(), clock_.now() + std::chrono::hours(1), MailRow{lease.run, entry("woken", text)}}};
    must(store.append(lease, 3, If::unchanged, {entry("finished", text)}, end));
  }

  void forget(Store& store, ForgetScope scope) {
    for (bool more = true; more;) {
      const Forgotten forgotten = must(store.forget(scope, {}, kAtOnce));
      more = forgotten.last.has_value();
      scope.after = forgotten.last.value_or(0);
    }
  }
  /// Until there is nothing more to do; how many steps it took is `steps_`.
  Traces wipe(Store& store) {
    for (steps_ = 1; steps_ < 10'000; ++steps_) {
      if (const Traces traces = must(store.wipe()); traces.left != Traces::Left::more) return traces;
    }
    return {Traces::Left::more};
  }

  /// The files of the data folder that have these bytes.
  std::vector<std::string> files_with(const std::string& bytes) const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(data())) {
      if (file.is_regular_file() && test::read_file(file.path()).contains(bytes)) {
        names.push_back(file.path().filename().string());
      }
    }
    return names;
  }

  static constexpr int kAtOnce = 7;
  int steps_ = 0;
};

TEST_F(Forget, ForgottenTextIsNeitherInTheFileNorInItsLog) {
  const auto store = open();
  for (int i = 0; i < 25; ++i) {
    tell(*store, "ana", kSecret, i);
    tell(*store, "bo", kOther, i);
  }
  EXPECT_FALSE(files_with(kSecret).empty());
  forget(*store, {.person = "ana"});
  EXPECT_EQ(wipe(*store), Traces{});
  EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
  EXPECT_THAT(files_with(kOther), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(must(store->search(kOther, {}, 50)).size(), 25U);
}

TEST_F(Forget, WordsOfOneRunAmongManyLeaveTheIndexInSmallSteps) {
  const auto store = open();
  tell(*store, "ana", kSecret, 1);
  for (int i = 0; i < 60; ++i) {
    const Lease lease = working_run(*store, new_run("many" + std::to_string(i), "bo"));
    Effects end;
    end.run = RunChange{RunStatus::finished, "answered"};
    std::string words = kOther;
    for (int word = 0; word < 1500; ++word) words += " w" + std::to_string(i * 1500 + word);
    end.search = {{lease.run, words}};
    must(store->append(lease, 1, If::unchanged, {entry("finished")}, end));
  }
  forget(*store, {.person = "ana"});
  EXPECT_TRUE(must(store->search(kSecret, {}, 10)).empty());
  EXPECT_EQ(wipe(*store), Traces{});
  EXPECT_GT(steps_, 3) << "each is a commit of its own";
  EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
  EXPECT_EQ(must(store->search(kOther, {}, 100)).size(), 60U);
}

TEST_F(Forget, WhatGrewTooOldLeavesTheIndexToo) {
  auto store = open();
  for (int i = 0; i < 20; ++i) tell(*store, "ana", kSecret, i);
  clock_.advance(std::chrono::days(10));
  tell(*store, "bo", kOther, 1);
  const std::chrono::milliseconds week = std::chrono::days(7);
  while (must(store->remove_old({week, week, week, week}, 100)).more) {
  }
  EXPECT_EQ(wipe(*store), Traces{});
  EXPECT_EQ(must(store->runs({})).size(), 1U);
  store.reset();  // with which the log goes into the file
  EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
  EXPECT_THAT(files_with(kOther), testing::Not(testing::IsEmpty()));
}

TEST_F(Forget, OneWhoStillReadsTheOldTextOnlyDelaysTheWiping) {
  const auto store = open();
  tell(*store, "ana", kSecret, 1);
  auto reading = sqlite::Connection::open(file(), sqlite::Connection::Mode::read_only);
  ASSERT_OK(reading);
  ASSERT_OK(reading->execute("BEGIN; SELECT count(*) FROM runs"));
  forget(*store, {.person = "ana"});
  EXPECT_EQ(wipe(*store).left, Traces::Left::being_read);
  EXPECT_THAT(files_with(kSecret), testing::Contains("deputy.db-wal"));
  ASSERT_OK(reading->execute("COMMIT"));
  must(store->take_due(1));
  EXPECT_EQ(wipe(*store), Traces{});
  EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
}

TEST_F(Forget, WhatOneProcessCouldNotWipeAnotherDoes) {
  const auto other = open();
  auto forgetting = open();
  tell(*forgetting, "ana", kSecret, 1);
  auto reading = sqlite::Connection::open(file(), sqlite::Connection::Mode::read_only);
  ASSERT_OK(reading);
  ASSERT_OK(reading->execute("BEGIN; SELECT count(*) FROM runs"));
  forget(*forgetting, {.person = "ana"});
  EXPECT_EQ(wipe(*forgetting).left, Traces::Left::being_read);
  forgetting.reset();
  ASSERT_OK(reading->execute("COMMIT"));
  EXPECT_THAT(files_with(kSecret), testing::Contains("deputy.db-wal"));
  must(other->take_due(1));
  must(other->take_due(1));  // answered after what the first one did besides
  EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
}

TEST_F(Forget, OneThatDiedBeforeItWipedLeavesItToTheNext) {
  const auto other = open();
  {
    const auto forgetting = open();
    tell(*forgetting, "ana", kSecret, 1);
    forget(*forgetting, {.person = "ana"});
  }
  EXPECT_THAT(files_with(kSecret), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(wipe(*other), Traces{});
  EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
}

TEST_F(Forget, CopiesFromBeforeAMigrationAreNamed) {
  const auto store = open();
  const std::vector<std::string> copies{(data() / "deputy.db.before-v2").string(),
                                        (data() / "deputy.db.before-v3.unfinished").string()};
  for (const std::string& copy : copies) std::filesystem::copy_file(file(), copy);
  EXPECT_EQ(must(store->wipe()), (Traces{Traces::Left::none, copies}));
}

TEST_F(Forget, ALogThatACrashLeftIsWipedAtTheNextStart) {
  std::filesystem::path crashed = folder_ / "crashed";
  {
    const auto store = open();
    tell(*store, "ana", kSecret, 1);
    forget(*store, {.person = "ana"});
    // As if it had been killed before it wiped: the file and a log that still has an older page.
    tell(*store, "bo", kOther, 2);
    std::filesystem::create_directories(crashed);
    for (const char* name : {"deputy.db", "deputy.db-wal"}) {
      std::filesystem::copy_file(data() / name, crashed / name);
    }
  }
  EXPECT_GT(std::filesystem::file_size(crashed / "deputy.db-wal"), 0U);
  SqliteOptions options = this->options();
  options.folder = crashed;
  const auto store = open(options);
  EXPECT_EQ(std::filesystem::file_size(crashed / "deputy.db-wal"), 0U);
  EXPECT_EQ(must(store->runs({})).size(), 2U);
}

}  // namespace
}  // namespace deputy::store
