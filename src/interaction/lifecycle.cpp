#include "interaction/lifecycle.h"

#include <fmt/format.h>

namespace deputy::interaction {
namespace {

json::object response_of(const Settled& settled) {
  json::object response;
  if (settled.state == State::approved) response["scope"] = settled.scope == Scope::once ? "once" : "thread";
  if (!settled.reason.empty()) response["reason"] = settled.reason;
  return response;
}

}  // namespace

Answered answered(std::string interaction, std::string call, const Settled& settled, std::optional<std::string> grant) {
  return {std::move(interaction), std::move(call), settled.state, settled.by, response_of(settled), std::move(grant)};
}

Answered answered(std::string interaction, std::string call, const FormResult& result, std::string by) {
  return {std::move(interaction), std::move(call), result.state, std::move(by), to_result(result), std::nullopt};
}

std::string told_to_model(const Settled& settled) {
  constexpr std::string_view kDidNotRun = "It did not run and changed nothing.";
  const std::string by = settled.by.empty() ? "" : " by " + settled.by;
  switch (settled.state) {
    case State::approved:
      return fmt::format("Approved{}{}.", by, settled.scope == Scope::for_thread ? " for this thread" : "");
    case State::denied:
      return fmt::format("Denied{}{}. {}", by, settled.reason.empty() ? ", without a reason" : ": " + settled.reason,
                         kDidNotRun);
    case State::expired:
      return fmt::format("Denied because nobody who may approve it answered in time. {}", kDidNotRun);
    case State::cancelled:
      return fmt::format("Cancelled{} before anyone answered. {}", by, kDidNotRun);
    case State::pending:
    case State::answered:
      break;
  }
  return "Nobody has answered yet.";
}

std::string told_of_rule(std::string_view rule) {
  return fmt::format("Denied by a rule, not by a person: {}. It did not run, and asking again will not change that.",
                     rule);
}

std::vector<Due> dues(Kind kind, Timestamp shown_at, Timestamp expires_at) {
  std::vector<Due> due{{Due::Kind::expiry, expires_at}};
  if (kind == Kind::approval && expires_at > shown_at) {
    due.push_back({Due::Kind::reminder, shown_at + (expires_at - shown_at) / 2});
  }
  return due;
}

}  // namespace deputy::interaction
