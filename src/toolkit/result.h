// What became of a call, and how a handler that failed ends it. What a call does until then is in the journal of its
// run.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "toolkit/pipeline.h"

namespace deputy::toolkit {

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
