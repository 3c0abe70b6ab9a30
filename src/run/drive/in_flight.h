// The tasks that one run has in flight: started, maybe cancelled, each ends with a result to be journalled. It knows
// nothing of what they do. On the loop only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "run/journal/entry.h"
#include "store/rows.h"

namespace deputy::run {

/// The result of a task: entries for the journal and the rows that go with them.
struct TaskResult {
  std::vector<EntryBody> entries;
  store::Effects effects;
  bool cancelled = false;  // before it had anything to tell
};

/// What cancels a task.
enum class CancelOn {
  anything,  // nothing is lost but time
  stop,      // it acts: only a run that ends cancels it, never a process that does
  shutdown,  // it cleans up or finds out: it is part of a run's end
};

class InFlight {
 public:
  /// `on_done` is called on the loop whenever a result can be taken.
  InFlight(asio::any_io_executor executor, std::function<void()> on_done);
  /// Nothing that still runs reaches the run any more; all of it is cancelled.
  ~InFlight();
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  /// `when_thrown` makes the result of a task that threw: a bug in it, or a cancellation.
  void start(std::string key, CancelOn cancel_on, Task<TaskResult> task,
             std::function<TaskResult(const std::exception_ptr&)> when_thrown);

  bool has(std::string_view key) const;
  bool empty() const;

  void cancel_all();
  void cancel(CancelOn by);       // tasks that this cancels, and those that anything does
  void cancel_only(CancelOn by);  // tasks that this cancels

  struct Done {
    std::string key;
    TaskResult result;
  };
  std::vector<Done> take_done();
  bool any_done() const;

 private:
  struct Work;
  struct Shared;  // with the tasks, which may end after this is gone

  asio::any_io_executor executor_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace deputy::run
