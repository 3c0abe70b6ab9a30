// The chain of handlers and gates that a tool composes for one call. It is data, not a running thing: composing twice
// gives the same chain, and who runs it goes on by a handler's name, never by its position.
//
//   restart_service = [ find_service, show_plan, AWAIT APPROVAL, restart, wait_until_healthy ] finally [ drop_plan ]
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "toolkit/step.h"

namespace deputy::toolkit {

/// One link of the chain. What is stored in `call` and `look` *calls* a named coroutine and hands it copies; it is
/// never itself a coroutine, whose captures would die with the pipeline.
struct Handler {
  std::string name;         // small letters, digits and _; shown in progress and in the journal
  bool repeatable = false;  // safe to run again when its outcome is unknown
  std::move_only_function<Task<Step>(CallContext&)> call;
  std::move_only_function<Task<Result<Looked>>(CallContext&)> look = {};  // optional: did it happen?
};

/// Where in the chain a handler stands. In a chain without a gate every handler is after it.
enum class Stage { before_gate, after_gate, finally };

/// A handler on its way to the executor.
struct Link {
  Handler handler;
  Stage stage = Stage::after_gate;
  bool first = false;  // of the whole chain: with it the call begins, and is counted by rate limits
};

/// What can be said of a link without running it: all that plans and digests look at.
struct LinkInfo {
  std::string name;
  Stage stage = Stage::after_gate;
  bool repeatable = false;
  bool can_look = false;

  bool operator==(const LinkInfo&) const = default;
};

class Pipeline {
 public:
  Pipeline& then(Handler handler);
  /// The gate, at most one. Handlers before it are repeatable and change nothing.
  Pipeline& await_approval();
  /// Always runs: after success, denial, error, timeout, cancel and a crash, in the order added. Repeatable.
  Pipeline& finally(Handler handler);

  /// Whether the rules hold: at least one handler, names that are good and stand once, one gate, `repeatable` before it
  /// and in `finally`. A broken chain is a bug of the tool: the error is of kind internal. `Tool::compose` checks every
  /// chain.
  Result<> check() const;

  bool has_gate() const { return gates_ > 0; }
  /// In the order in which they run, those of `finally` last.
  std::vector<LinkInfo> links() const;
  /// Hands the handler of this name over. A name that is not in the chain is a conflict: the tool has changed.
  Result<Link> take(std::string_view name) &&;

 private:
  Stage stage_at(std::size_t position) const;

  std::vector<Handler> handlers_;
  std::size_t gate_before_ = 0;  // position of the first handler behind the gate
  int gates_ = 0;
  std::vector<Handler> finally_;
};

// What became of a call, and how a handler that failed ends it. What a call does until then is in the journal of its
// run.

enum class Status {
  success,
  error,
  timeout,
  cancelled,
  denied,
  unknown,  // it may have happened
};

constexpr auto choices_of(Status) {
  using S = Status;
  return std::to_array<std::pair<S, std::string_view>>({{S::success, "success"},
                                                        {S::error, "error"},
                                                        {S::timeout, "timeout"},
                                                        {S::cancelled, "cancelled"},
                                                        {S::denied, "denied"},
                                                        {S::unknown, "unknown"}});
}

std::string_view name(Status status);

/// How a handler that was started and did not succeed ends the call.
struct Failure {
  Status status = Status::error;
  Error error;

  bool operator==(const Failure&) const = default;
};

/// Whether what went wrong happened inside the handler, so that nothing is known of what it did, or is what it
/// answered.
enum class FailedBy { answer, exception };

/// A handler that is not repeatable and ends by timeout, cancel, lost connection or exception is `unknown`, and never
/// retryable. Before the gate a call is pending: it cannot time out, so a timeout there is an `error` of kind timeout.
Failure failure_of(Error error, FailedBy by, Stage stage, bool repeatable);

}  // namespace deputy::toolkit
