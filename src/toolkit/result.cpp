#include "toolkit/result.h"

namespace deputy::toolkit {

std::string_view name(Status status) {
  for (const auto& [choice, choice_name] : choices_of(Status{})) {
    if (choice == status) return choice_name;
  }
  return "unknown";
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
