// The chain of handlers and gates that a tool composes for one call, and the ways a call can end. The chain is data,
// not a running thing: composing twice gives the same chain, and a resumed call continues by handler name, never by
// position.
//
//   restart_service = [ find_service, show_plan, AWAIT APPROVAL, restart, wait_until_healthy ] finally [ drop_plan ]
#pragma once

#include <array>
#include <chrono>
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

/// One link of the chain. The functions in `call` and `look` *call* a named coroutine and pass it copies; they are
/// never coroutines themselves, because their captures would die with the pipeline.
struct Handler {
  std::string name;         // lower-case letters, digits and _; shown in progress and in the journal
  bool repeatable = false;  // safe to run again when its outcome is unknown
  std::move_only_function<Task<Step>(CallContext&)> call;
  std::move_only_function<Task<Result<Looked>>(CallContext&)> look = {};  // optional: did it happen?
  /// Not asked earlier than this after the attempt: a remote effect may show late. 0 where it shows at once.
  std::chrono::milliseconds look_after = std::chrono::seconds(15);
};

/// A handler's position relative to the gate. Without a gate every handler is after it.
enum class Stage { before_gate, after_gate, finally };

/// A handler on its way to the executor.
struct Link {
  Handler handler;
  Stage stage = Stage::after_gate;
  bool first = false;  // in the chain: the call starts here, and rate limits count it
};

/// A link without its functions, for plans and digests.
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
  /// Always runs, in the order added: after success, denial, error, timeout, cancel and a crash. Must be repeatable.
  Pipeline& finally(Handler handler);

  /// Checks the rules: at least one handler, valid and unique names, at most one gate, `repeatable` before it and in
  /// `finally`. A broken chain is a bug in the tool: the error is of kind internal. `Tool::compose` checks every chain.
  Result<> check() const;

  bool has_gate() const { return gates_ > 0; }
  /// In the order they run, `finally` last.
  std::vector<LinkInfo> links() const;
  /// Moves out the handler with this name. An unknown name is a conflict: the tool has changed.
  Result<Link> take(std::string_view name) &&;

 private:
  Stage stage_at(std::size_t position) const;

  std::vector<Handler> handlers_;
  std::size_t gate_before_ = 0;  // index of the first handler after the gate
  int gates_ = 0;
  std::vector<Handler> finally_;
};

/// How a call ended.
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

/// How a handler that started and did not succeed ends the call.
struct Failure {
  Status status = Status::error;
  Error error;

  bool operator==(const Failure&) const = default;
};

/// An answer is an error the handler returned. An exception came from inside it, so nothing is known about what it did.
enum class FailedBy { answer, exception };

/// A handler that is not repeatable and ends by timeout, cancel, lost connection or exception is `unknown`, and never
/// retryable. Before the gate a call is pending: it cannot time out, so a timeout there is an `error` of kind timeout.
Failure failure_of(Error error, FailedBy by, Stage stage, bool repeatable);

}  // namespace deputy::toolkit
