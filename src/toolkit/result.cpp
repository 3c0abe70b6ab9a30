#include "toolkit/result.h"

#include <fmt/format.h>

#include <algorithm>

namespace deputy::toolkit {

std::string_view name(Status status) {
  for (const auto& [choice, choice_name] : choices_of(Status{})) {
    if (choice == status) return choice_name;
  }
  return "unknown";
}

bool is_final(Status status) { return status != Status::pending && status != Status::running; }

bool may_become(Status from, Status to) {
  switch (from) {
    case Status::pending:
      return to == Status::running || to == Status::denied || to == Status::cancelled || to == Status::error;
    case Status::running:
      return is_final(to) && to != Status::denied;
    default:
      return false;
  }
}

Result<ExecutionResult> advance(ExecutionResult result, const StatusChange& change) {
  if (!may_become(result.status, change.to)) {
    return fail(ErrorKind::internal,
                fmt::format("a call that is {} cannot become {}", name(result.status), name(change.to)));
  }
  const bool failed = is_final(change.to) && change.to != Status::success;
  if (failed != change.error.has_value()) {
    return fail(ErrorKind::internal,
                fmt::format("a call that is {} {} an error", name(change.to), failed ? "needs" : "has no"));
  }
  result.status = change.to;
  if (change.to == Status::running) {
    result.started = change.at;
    return result;
  }
  result.ended = change.at;
  result.result = change.result;
  result.error = change.error;
  // The clock may have been set back meanwhile.
  if (result.started) result.duration_ms = std::max<std::int64_t>(0, (change.at - *result.started).count());
  return result;
}

Failure failure_of(Error error, FailedBy by, Stage stage, bool repeatable) {
  const bool outcome_open = by == FailedBy::exception || error.kind == ErrorKind::timeout ||
                            error.kind == ErrorKind::cancelled || error.kind == ErrorKind::network;
  if (!repeatable && outcome_open) {
    error.hint = "It may have happened; check before doing it again";
    error.retryable = false;
    error.retry_after.reset();
    return {Status::unknown, std::move(error)};
  }
  if (error.kind == ErrorKind::cancelled) return {Status::cancelled, std::move(error)};
  if (error.kind == ErrorKind::timeout && stage != Stage::before_gate) return {Status::timeout, std::move(error)};
  return {Status::error, std::move(error)};
}

}  // namespace deputy::toolkit
