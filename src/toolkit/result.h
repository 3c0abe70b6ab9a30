// What became of a call, as a state machine without I/O. A call is pending until the first handler after its gate
// starts (without a gate, its first handler).
//
//   pending -> running -> success | error | timeout | cancelled | unknown
//   pending -> denied | cancelled | error
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "toolkit/pipeline.h"

namespace deputy::toolkit {

enum class Status {
  pending,
  running,
  success,
  error,
  timeout,
  cancelled,
  denied,
  unknown,  // it may have happened
};

constexpr auto choices_of(Status) {
  using S = Status;
  return std::to_array<std::pair<S, std::string_view>>({{S::pending, "pending"},
                                                        {S::running, "running"},
                                                        {S::success, "success"},
                                                        {S::error, "error"},
                                                        {S::timeout, "timeout"},
                                                        {S::cancelled, "cancelled"},
                                                        {S::denied, "denied"},
                                                        {S::unknown, "unknown"}});
}

std::string_view name(Status status);
bool is_final(Status status);
bool may_become(Status from, Status to);

struct ExecutionResult {
  std::string execution_id;
  std::string tool_name;
  Status status = Status::pending;
  std::string result;
  std::optional<Error> error;
  std::optional<Timestamp> started;  // when it began to run
  std::optional<Timestamp> ended;
  std::int64_t duration_ms = 0;  // from start to end; 0 when it never ran

  bool operator==(const ExecutionResult&) const = default;
};

/// One step of the machine.
struct StatusChange {
  Status to = Status::running;
  Timestamp at;
  std::string result = {};
  std::optional<Error> error = std::nullopt;
};

/// The result after the change, or an error of kind internal when there is no such way. Success has no error; error,
/// timeout, cancelled, denied and unknown have one.
Result<ExecutionResult> advance(ExecutionResult result, const StatusChange& change);

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
