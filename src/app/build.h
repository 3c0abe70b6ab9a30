// One process, composed: settings, data folder, store, tools, model, channels and the engine over them. Only here do
// concrete classes meet. It owns their order of destruction: the engine stops first, the loop goes last.
//
// A command that only reads opens it and never calls `compose`; one that works on runs does.
#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/known_services.h"
#include "app/models.h"
#include "app/settings.h"
#include "app/tools.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/result.h"
#include "gateway/gateway.h"
#include "run/rules.h"
#include "store/sqlite/sqlite_store.h"

namespace deputy::app {

/// The name of the OS user this process runs as.
std::string os_user();
/// That user at this terminal.
gateway::Caller local_caller();

class Process {
 public:
  /// Blocks: settings are loaded, the data folder and the store opened. `reach`: the conversations it works for, by the
  /// beginning of their keys; none: all.
  static Result<std::unique_ptr<Process>> open(const Context& context, std::vector<std::string> reach = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const Settings& settings() const { return settings_; }
  const run::Rules& rules() const { return *rules_; }
  store::Store& store() { return *store_; }
  const Clock& clock() const { return clock_; }
  const toolkit::Registry& registry() const { return tools_->registry(); }
  const Tools& tools() const { return *tools_; }
  const std::filesystem::path& data() const { return data_; }
  /// The one that answers.
  const model::Model& model() const { return *models_->main(); }
  Models& models() { return *models_; }
  SystemPrompt& system_prompt() { return *system_prompt_; }
  asio::any_io_executor executor() { return loop_.get_executor(); }

  /// Composes the engine over these channels, once. It does nothing by itself until it is started. The services there
  /// are begin to be read; whoever hands a request on waits for `services_known`, so that the request may name them.
  Result<> compose(std::vector<std::shared_ptr<channel::Channel>> channels);
  /// For a command that starts nothing: requests without a channel, and without what runs need.
  Result<> compose_requests() { return make_gateway({}); }
  gateway::Requests& requests() { return gateway_->requests(); }
  /// Something may have changed.
  void poke() { gateway_->poke(); }
  /// Returns when the services there are have been read, or after a bounded while without them.
  Task<> services_known() { return services_->known(); }
  /// The same for who runs no task yet: a run that is there already may name them as soon as `start` is called.
  void wait_for_services() { load("the services there are", services_->known()); }
  /// Runs are worked on and deliveries made, as far as the reach goes, until this process ends.
  void start();
  /// Lets handlers end that must not be broken off, and gives every run back. What channels refer to may go after it.
  void stop();

  /// From here on this process is a terminal session; with `yolo` on nothing asks but what always does.
  enum class Yolo { off, on };
  void set_session(Yolo yolo);

  /// Runs the loop until the task has ended. SIGINT and SIGTERM cancel it; a second one ends the process. Signals that
  /// are left to the task it hears itself.
  enum class Signals { cancel, left_to_the_task };
  template <class T>
  Result<T> wait(Task<Result<T>> task, Signals signals = Signals::cancel);

 private:
  explicit Process(Settings settings) : settings_(std::move(settings)) {}

  Result<> make_gateway(std::vector<std::shared_ptr<channel::Channel>> channels);
  /// Runs the loop until it has ended.
  void load(std::string_view what, Task<> task);
  /// With the system prompt and the services of the moment.
  std::shared_ptr<const run::Rules> current_rules();
  void run_until(const bool& ended);
  void run_until_cancelled(const bool& ended, Cancel& cancel);
  asio::io_context loop_;
  SystemClock clock_;
  Settings settings_;
  std::shared_ptr<const run::Rules> rules_;
  std::filesystem::path data_;
  std::unique_ptr<Tools> tools_;
  std::unique_ptr<net::HttpClient> http_;  // to addresses that settings name
  std::unique_ptr<Aws> aws_;
  std::unique_ptr<Models> models_;
  std::unique_ptr<SystemPrompt> system_prompt_;
  std::unique_ptr<KnownServices> services_;
  std::shared_ptr<const ServiceNames> known_;  // that the rules have
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<toolkit::Executor> executor_;
  std::unique_ptr<gateway::Gateway> gateway_;
  bool started_ = false;
};

template <class T>
Result<T> Process::wait(Task<Result<T>> task, Signals signals) {
  bool ended = false;
  std::exception_ptr thrown;
  Result<T> result = std::unexpected(cancelled_error());
  Cancel cancel(loop_.get_executor());
  auto on_end = [&](const std::exception_ptr& error, Result<T> value) {
    thrown = error;
    if (!error) result = std::move(value);
    ended = true;
  };
  asio::co_spawn(loop_, std::move(task), asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
  if (signals == Signals::cancel) {
    run_until_cancelled(ended, cancel);
  } else {
    run_until(ended);
  }
  if (thrown && !is_cancellation(thrown)) {
    stop();  // before what its channels refer to goes
    std::rethrow_exception(thrown);
  }
  return result;
}

/// DEPUTY_AUTO_CONFIRM: for tests and CI.
enum class AutoConfirm { no, yes };

/// `settings` loaded without a problem; new rules are made on every reload. The services that requests may name are not
/// in settings: see known_services.h.
Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings,
                                                     AutoConfirm auto_confirm = AutoConfirm::no);

}  // namespace deputy::app
