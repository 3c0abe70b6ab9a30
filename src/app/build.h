// One process, composed: settings, data folder, store, tools, model, channels and the engine over them. Only here do
// concrete classes meet. It owns their order of destruction: the engine stops first, the loop goes last.
//
// A command that only reads opens it and never calls `compose`; one that works on runs does.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/task.h"

namespace deputy {
class Clock;
}
namespace deputy::channel {
class Channel;
}
namespace deputy::gateway {
class Requests;
struct Caller;
}  // namespace deputy::gateway
namespace deputy::run {
struct Rules;
}
namespace deputy::store {
class Store;
}
namespace deputy::toolkit {
class Registry;
}

namespace deputy::app {

struct Context;
class Models;
struct Settings;
class SystemPrompt;
class Tools;

/// The name of the OS user this process runs as.
std::string os_user();
/// That user at this terminal.
gateway::Caller local_caller();

/// From settings to the rules that runs are judged and bounded by. The only place where a run's rules and the settings
/// people write meet. AutoConfirm::yes: nothing asks before it changes something.
enum class AutoConfirm { no, yes };
Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings,
                                                     AutoConfirm auto_confirm = AutoConfirm::no);

class Process {
 public:
  /// Blocks: settings are loaded, the data folder and the store opened. `reach`: the conversations it works for, by the
  /// beginning of their keys; none: all.
  static Result<std::unique_ptr<Process>> open(const Context& context, std::vector<std::string> reach = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const Settings& settings() const;
  const run::Rules& rules() const;
  store::Store& store();
  const Clock& clock() const;
  const toolkit::Registry& registry() const;
  const Tools& tools() const;
  const std::filesystem::path& data() const;
  Models& models();
  SystemPrompt& system_prompt();
  asio::any_io_executor executor();

  /// Composes the engine over these channels, once. It does nothing by itself until it is started. The services there
  /// are begin to be read; whoever hands a request on waits for `services_known`, so that the request may name them.
  Result<> compose(std::vector<std::shared_ptr<channel::Channel>> channels);
  /// For a command that starts nothing: requests without a channel, and without what runs need.
  Result<> compose_requests();
  /// Once composed.
  gateway::Requests& requests();
  /// Returns when the services there are have been read, or after a bounded while without them.
  Task<> services_known();
  /// The same for who runs no task yet: a run that is there already may name them as soon as `start` is called.
  void wait_for_services();
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
  Result<T> wait(Task<Result<T>> task, Signals signals = Signals::cancel) {
    Result<T> result = std::unexpected(cancelled_error());
    run(keep_result(std::move(task), result), signals);
    return result;
  }

 private:
  struct Parts;

  explicit Process(std::unique_ptr<Parts> parts);
  template <class T>
  static Task<> keep_result(Task<Result<T>> task, Result<T>& result) {
    result = co_await std::move(task);
  }
  /// Throws what the task throws, but for its cancellation.
  void run(Task<> task, Signals signals);

  std::unique_ptr<Parts> parts_;
};

}  // namespace deputy::app
