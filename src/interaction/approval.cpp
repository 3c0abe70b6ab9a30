#include "interaction/approval.h"

#include <fmt/format.h>

#include "toolkit/digest.h"

namespace deputy::interaction {

std::string time_in(const Zone& zone, Timestamp at) {
  const std::chrono::seconds ahead = zone.utc_offset ? zone.utc_offset(at) : std::chrono::seconds(0);
  const std::string local = format_timestamp(at + ahead);
  return fmt::format("{} {} {}", local.substr(0, 10), local.substr(11, 5), zone.name);
}

namespace {

Decision refuse(const Pending& pending, Refusal refusal) { return {pending, refusal}; }

Decision on(const Pending& pending, const Approve& event) {
  if (!event.may_approve) return refuse(pending, Refusal::not_an_approver);
  if (event.at >= pending.expires_at) return refuse(pending, Refusal::expired);
  if (event.digest != pending.digest) return refuse(pending, Refusal::arguments_changed);
  if (event.scope == Scope::for_thread && !pending.may_grant) return refuse(pending, Refusal::no_grant_offered);
  return {Settled{State::approved, event.by, event.at, event.scope, {}}};
}

Decision on(const Pending& pending, const Deny& event) {
  if (!event.may_approve) return refuse(pending, Refusal::not_an_approver);
  if (event.at >= pending.expires_at) return refuse(pending, Refusal::expired);
  return {Settled{State::denied, event.by, event.at, Scope::once, event.reason}};
}

Decision on(const Pending& pending, const Expire& event) {
  if (event.at < pending.expires_at) return refuse(pending, Refusal::not_yet);
  return {Settled{State::expired, {}, event.at, Scope::once, {}}};
}

Decision on(const Pending&, const Cancel& event) {
  return {Settled{State::cancelled, event.by, event.at, Scope::once, {}}};
}

std::string already(const Settled& settled, const Zone& zone) {
  if (settled.state == State::expired) return fmt::format("This expired at {}.", time_in(zone, settled.at));
  const std::string by = settled.by.empty() ? "" : " by " + settled.by;
  return fmt::format("Already {}{} at {}.", name(settled.state), by, time_in(zone, settled.at));
}

}  // namespace

std::string digest_of(const Approval& approval) {
  const auto mode = approval.background ? toolkit::CallMode::background : toolkit::CallMode::foreground;
  return toolkit::call_digest({approval.tool, approval.arguments, mode, approval.chain, approval.preview});
}

Decision decide(const ApprovalState& standing, const ApprovalEvent& event) {
  const auto* const pending = std::get_if<Pending>(&standing);
  if (pending == nullptr) return {standing, Refusal::already_settled};
  return std::visit([&](const auto& happened) { return on(*pending, happened); }, event);
}

std::string words(Refusal refusal, const ApprovalState& standing, const Zone& zone) {
  switch (refusal) {
    case Refusal::already_settled:
      if (const auto* const settled = std::get_if<Settled>(&standing)) return already(*settled, zone);
      return "Already answered.";
    case Refusal::not_an_approver:
      return "You may not answer this; nothing has changed.";
    case Refusal::expired:
      return "The time to answer has passed; ask again if you still want it.";
    case Refusal::arguments_changed:
      return "The call has changed since you saw it, so it was not approved; look at the newest card.";
    case Refusal::no_grant_offered:
      return "This can only be approved once; nothing has changed.";
    case Refusal::not_yet:
      return "It has not expired yet.";
  }
  return {};
}

AskAgain ask_again(std::string interaction, const Approval& approval) {
  return {std::move(interaction), approval.run, approval.tool, approval.arguments, approval.background};
}

}  // namespace deputy::interaction
