// A grant: a remembered, narrow, expiring permission born from an approval. It lets through what was shown and nothing
// wider: this tool, these pins or exactly these arguments, this environment, this conversation, this requester, until
// an end, so many times.
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
  /// Either the digest of exactly these arguments, or, when empty, the pins.
  std::string digest;
  std::map<std::string, std::string> pins;
  std::optional<std::string> environment;
  std::string conversation;
  std::string holder;  // the person it is for
  std::string by;      // the person who gave it
  Timestamp ends_at;
  std::optional<std::int64_t> most_uses;  // absent: not counted
  std::int64_t uses = 0;
  bool revoked = false;

  bool operator==(const Grant&) const = default;
};

/// Whether a use may be spent on this call now. Says nothing of the giver: `judge` asks whether they still have the
/// right.
bool covers(const Grant& grant, const Call& call, const std::string& conversation, const std::string& requester,
            Timestamp now);

/// The end of a grant that its session ends: the last moment that can be written, which no other grant has.
inline constexpr Timestamp kWithTheSession = Timestamp{std::chrono::milliseconds{253'402'300'799'999}};

/// How long *Approve for this thread* and the terminal's `a` last.
enum class Lasting {
  thread,   // settings' expiry and uses; needs pins where arguments are free text
  session,  // the terminal's: until the session ends, which revokes it; uses not counted
};

/// What an approval may give birth to besides itself.
struct GrantTerms {
  GrantId id;
  std::string conversation;
  Identity by;
  Timestamp now;
  Lasting lasting = Lasting::thread;
};

/// Fails, with the reason, for a call that always asks, where approvals take two persons, for a service, for a call
/// that someone else's note led to, and for free text without pins. Whether the giver may approve is for `may_approve`
/// to say first.
Result<Grant> grant_from(const Approval& approval, const GrantTerms& terms, const Settings& settings);

}  // namespace deputy::policy
