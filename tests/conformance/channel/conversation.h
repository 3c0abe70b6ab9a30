// A channel under test on a real gateway with a real store: people talk with Deputy through it, and a scripted model
// says what it was told to. The cases are the same for every channel: where one has no buttons or forms, people type.
#pragma once

#include "conformance/channel/suite.h"
#include "gateway/gateway.h"
#include "run/journal/state.h"
#include "store/sqlite/sqlite_store.h"
#include "support/manual_clock.h"
#include "support/model_script.h"
#include "support/sample_tools.h"
#include "support/temporary_folder.h"

namespace deputy::channel {

class ConversationTest : public testing::TestWithParam<Implementation> {
 protected:
  ConversationTest();
  ~ConversationTest() override;

  void open();
  void close();
  void restart() {
    close();
    open();
  }

  std::shared_ptr<test::ScriptedModel> script(const test::ModelScript& script);
  void until(const std::function<bool()>& ended);
  template <class T>
  Result<T> await(Task<Result<T>> task);

  void says(const policy::Account& account, std::string text) {
    EXPECT_OK(await<void>(bench_->says(account, std::move(text))));
  }
  /// Ana asks for something that must be approved, and the card is there.
  void ana_asks_for_a_restart();
  /// Ana is asked these questions.
  void ana_is_asked(json::array questions);
  /// By a click, or typed where there are no buttons. The words are what a click is told.
  std::string decides(const policy::Account& account, interaction::Control control, std::string reason = {});
  /// By a form, page by page, or typed where there are none.
  void fills_in(const FilledIn& given);

  std::vector<Seen> seen();
  std::string all_seen();
  /// The newest message with controls.
  std::optional<Seen> card();
  int pending();
  std::vector<store::RunRow> runs();
  void until_finished(int runs = 1);
  void until_seen(std::string_view text) {
    until([&] { return all_seen().find(text) != std::string::npos; });
  }
  int times_seen(std::string_view text);
  /// Of the first run.
  run::RunState state();
  /// The response to the call that asked.
  std::string response();
  int restarts() const { return world_->restarts.at("checkout"); }
  void pass(std::chrono::milliseconds time);

  asio::io_context loop_;
  test::ManualClock clock_;
  std::unique_ptr<Bench> bench_;
  Capabilities can_;
  test::TemporaryFolder folder_;
  test::World world_ = std::make_shared<test::SampleWorld>();
  toolkit::Registry registry_;
  std::shared_ptr<const run::Rules> rules_;
  std::shared_ptr<model::Model> model_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<toolkit::Executor> executor_;
  std::unique_ptr<gateway::Gateway> gateway_;
};

template <class T>
Result<T> ConversationTest::await(Task<Result<T>> task) {
  Result<T> result = fail(ErrorKind::timeout, "it did not end in time");
  bool ended = false;
  asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr& thrown, Result<T> value) {
    EXPECT_EQ(thrown, nullptr);
    result = std::move(value);
    ended = true;
  });
  until([&] { return ended; });
  return result;
}

}  // namespace deputy::channel
