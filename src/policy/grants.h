// A grant: a remembered, narrow, expiring permission created by an approval. It allows what was shown and nothing
// wider: this tool, these pins or exactly these arguments, this environment, conversation and requester, until a time,
// for a number of uses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"
#include "policy/approvers.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

struct Grant {
  GrantId id;
  std::string tool;
  /// The digest of exactly these arguments; if empty, the pins apply.
  std::string digest;
  std::map<std::string, std::string> pins;
  std::optional<std::string> environment;
  std::string conversation;
  std::string holder;  // the person it is for
  std::string by;      // the person who gave it
  Timestamp ends_at;
  std::optional<std::int64_t> max_uses;  // absent: unlimited
  std::int64_t uses = 0;
  bool revoked = false;

  bool operator==(const Grant&) const = default;
};

/// True if a use may be spent on this call now. Does not check the giver: `judge` checks that they still have the
/// right.
bool covers(const Grant& grant, const Call& call, const std::string& conversation, const std::string& requester,
            Timestamp now);

/// Expiry of a grant that ends with its session: the last moment that can be stored; no other grant has it.
inline constexpr Timestamp kWithTheSession = Timestamp{std::chrono::milliseconds{253'402'300'799'999}};

/// How long *Approve for this thread* and the terminal's `a` last.
enum class GrantDuration {
  thread,   // expiry and uses from settings; needs pins if arguments are free text
  session,  // the terminal's: until the session ends, which revokes it; uses are not counted
};

/// The terms of the grant that an approval may create.
struct GrantTerms {
  GrantId id;
  std::string conversation;
  Identity by;
  Timestamp now;
  GrantDuration lasting = GrantDuration::thread;
};

/// Fails, with the reason, for a call that always asks, if approvals need two people, for a service, for a call that
/// someone else's note led to, and for free text without pins. Check `may_approve` for the giver first.
Result<Grant> grant_from(const ApprovalRequest& approval, const GrantTerms& terms, const Settings& settings);

}  // namespace deputy::policy
