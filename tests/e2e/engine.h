// The whole engine as a process would run it, over a real store, with a scripted model and a channel that a test plays
// the people of. `restart` is another process on the same file.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gateway/gateway.h"
#include "run/journal/state.h"
#include "store/sqlite/sqlite_store.h"
#include "support/failing_store.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/model_script.h"
#include "support/results.h"
#include "support/sample_tools.h"
#include "support/scripted_channel.h"
#include "support/temporary_folder.h"

namespace deputy::test {

class Engine : public testing::Test {
 protected:
  static constexpr const char* kThread = "scripted:C1:1";

  Engine();
  ~Engine() override;

  void open();
  void close();
  void restart() {
    close();
    open();
  }

  /// From here on; a run that is parked meets them when it goes on.
  void set(const std::function<void(policy::Settings&)>& change);
  void limit(const std::function<void(run::LimitSettings&)>& change);
  std::shared_ptr<ScriptedModel> script(const ModelScript& script);

  // People: ana asks, bo and cy approve (cy only services), eve is a member with no rights to approve.
  void says(std::string account, std::string text, std::string conversation = kThread);
  channel::Verdict clicks(std::string account, interaction::Control control, std::string words = {});
  channel::Verdict submits(std::string account, std::map<std::string, interaction::Given> given);
  /// The newest card that still has controls.
  const ScriptedChannel::Shown* card() const;
  channel::Card card_shown() const;  // an empty one when there is none

  void until(const std::function<bool()>& ended);
  void until_finished(int runs = 1);
  void until_asked(int interactions = 1);
  template <class T>
  T must(Task<Result<T>> task);

  // What came of it.
  std::vector<store::RunRow> runs();
  run::RunState state(std::size_t run = 0);  // from the first
  const run::CallState* call(std::string_view id, std::size_t run = 0);
  std::string answer(std::size_t run = 0);
  std::string outcome(std::size_t run = 0);
  std::string limited(std::size_t run = 0);
  run::Answered answered(std::string_view call);
  std::string result_of(std::string_view call, std::size_t run = 0);
  std::string status_of(std::string_view call, std::size_t run = 0);
  std::vector<std::string> audited(std::string_view kind);
  std::string transcript() { return channel_->transcript(kThread); }
  int answers() const;  // how many messages have a footer: that is what an answer has

  void pass(std::chrono::milliseconds time);  // and act on what is due

  asio::io_context loop_;
  TemporaryFolder folder_;
  ManualClock clock_;
  World world_ = std::make_shared<SampleWorld>();
  toolkit::Registry registry_;
  std::shared_ptr<ScriptedChannel> channel_ = std::make_shared<ScriptedChannel>();
  std::shared_ptr<ScriptedChannel> other_channel_;  // none unless a test sets one and restarts
  std::shared_ptr<const run::Rules> rules_;
  std::shared_ptr<model::Model> model_;
  std::shared_ptr<model::Model> fast_;  // none unless a test sets one
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<FailingStore> failing_;  // what the gateway has of it; it fails what a test wants to fail
  std::unique_ptr<toolkit::Executor> executor_;
  std::unique_ptr<gateway::Gateway> gateway_;

 private:
  run::RunState last_state_;
};

template <class T>
T Engine::must(Task<Result<T>> task) {
  Result<T> result = fail(ErrorKind::timeout, "it did not end in time");
  std::exception_ptr thrown;
  bool ended = false;
  asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr& error, Result<T> value) {
    thrown = error;
    result = std::move(value);
    ended = true;
  });
  until([&] { return ended; });
  if (thrown) std::rethrow_exception(thrown);
  EXPECT_OK(result);
  if constexpr (!std::is_void_v<T>) return result ? *std::move(result) : T{};
}

}  // namespace deputy::test
