// Composes one process: settings, data folder, store, tools, model, channels and the engine. Only this file combines
// concrete classes. It also fixes the order of destruction: the engine stops first, the loop is destroyed last.
//
// A command that only reads calls `open` and not `compose`; a command that works on runs calls both.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "config/paths.h"

namespace deputy {
class Clock;
}
namespace deputy::channel {
class Channel;
}
namespace deputy::config {
struct LoadReport;
}
namespace deputy::gateway {
class Gateway;
class Requests;
struct Caller;
struct GatewayHooks;
}  // namespace deputy::gateway
namespace deputy::model {
class Model;
}
namespace deputy::run {
struct Rules;
}
namespace deputy::store {
class Store;
}
namespace deputy::toolkit {
class Registry;
class Tool;
}  // namespace deputy::toolkit

namespace deputy::app {

struct Accounts;
struct Context;
struct OwnFolders;
class Models;
struct Settings;
class SystemPrompt;
class Tools;

/// The name of the OS user this process runs as.
std::string os_user();
/// That user at this terminal.
gateway::Caller local_caller();

/// Makes the rules and limits of runs from settings. Only this function converts one to the other. AutoConfirm::yes:
/// writes run without asking.
enum class AutoConfirm { no, yes };
Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings,
                                                     AutoConfirm auto_confirm = AutoConfirm::no);

/// What a service is opened with, beside its settings.
struct ServiceOptions {
  /// Which conversations it works on, as prefixes of their keys; an error if there is nothing to serve.
  std::function<Result<std::vector<std::string>>(const Settings&)> reach;
  // In place of what settings say; null or empty: as settings say.
  std::shared_ptr<model::Model> model = nullptr;
  std::vector<std::shared_ptr<const toolkit::Tool>> tools = {};
  /// Changes the settings after they were checked: for tests that cannot wait as long as settings require.
  std::function<void(Settings&)> adjust = {};
};

class Process {
 public:
  /// Blocks while it loads settings and opens the data folder and the store. `reach`: the conversations it works on, as
  /// prefixes of their keys; empty: all.
  static Result<std::unique_ptr<Process>> open(const Context& context, std::vector<std::string> reach = {});
  /// The same for a service: it reads the settings of a service, keeps the limits of each person, and refuses
  /// DEPUTY_AUTO_CONFIRM.
  static Result<std::unique_ptr<Process>> open_service(const Context& context, ServiceOptions options);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const Settings& settings() const;
  /// Of the load at the start.
  const config::LoadReport& report() const;
  const run::Rules& rules() const;
  store::Store& store();
  const Clock& clock() const;
  const toolkit::Registry& registry() const;
  const Tools& tools() const;
  const std::filesystem::path& data() const;
  Models& models();
  SystemPrompt& system_prompt();
  Accounts& accounts();
  const OwnFolders& own() const;
  asio::any_io_executor executor();

  /// Composes the engine with these channels; call it once. Nothing runs until `start`. It also starts to read the
  /// known services; await `services_known` before a request, so that the request can name them.
  Result<> compose(std::vector<std::shared_ptr<channel::Channel>> channels);
  Result<> compose(std::vector<std::shared_ptr<channel::Channel>> channels, gateway::GatewayHooks hooks,
                   std::function<bool(const std::string& text)> admit_alert);
  /// For a command that starts no runs: requests without channels, system prompt and services.
  Result<> compose_requests();
  /// Only after it was composed.
  gateway::Requests& requests();
  gateway::Gateway& gateway();
  /// Returns when the known services have been read, or after a bounded time without them.
  Task<> services_known();
  /// Blocks for the same. Call it before `start` if there is a run already: it may need the services at once.
  void wait_for_services();
  /// Works on runs and sends deliveries, within the reach, until `stop`.
  void start();
  /// Waits for handlers that must not be interrupted, and releases every run. After it, the objects that channels refer
  /// to may be destroyed. A handler that takes longer than `grace` is no longer waited for.
  void stop(std::chrono::milliseconds grace = std::chrono::seconds(30));

  /// Changes the settings of a process that works. What decides counts at once: people, policy, channels' rules,
  /// limits, budgets, how long things are kept. Prompt, tools and models count from the next run on. Returns when all
  /// of it counts, with the paths that need a restart.
  Task<std::vector<std::string>> take(std::shared_ptr<const Settings> settings, std::vector<std::string> changed);

  /// From now on this process is a terminal session; with `Yolo::on` only calls that always need approval ask for it.
  enum class Yolo { off, on };
  void set_session(Yolo yolo);

  /// Runs the loop until the task has ended. SIGINT and SIGTERM cancel it; a second one ends the process. With
  /// `left_to_the_task` the task handles signals itself.
  enum class Signals { cancel, left_to_the_task };
  template <class T>
  Result<T> wait(Task<Result<T>> task, Signals signals = Signals::cancel) {
    Result<T> result = std::unexpected(cancelled_error());
    run(keep_result(std::move(task), result), signals);
    return result;
  }

 private:
  struct Parts;

  static Result<std::unique_ptr<Parts>> read(const Context& context, config::LoadMode mode);
  static Result<std::unique_ptr<Process>> finish(std::unique_ptr<Parts> made, std::vector<std::string> reach);
  explicit Process(std::unique_ptr<Parts> parts);
  template <class T>
  static Task<> keep_result(Task<Result<T>> task, Result<T>& result) {
    result = co_await std::move(task);
  }
  /// Rethrows what the task throws, except its cancellation.
  void run(Task<> task, Signals signals);

  std::unique_ptr<Parts> parts_;
};

}  // namespace deputy::app
