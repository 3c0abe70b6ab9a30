// A ruling: policy's decision about a call (allow, ask or deny) and the rule behind it. Pure: a ruling depends only on
// the call, the situation and the policy.
//
// The order of judgement; the first rule that applies wins:
//   hard deny → deny_all → requester's permission for category and environment → deny patterns → always_ask (the
//   tool's, a suspicious run's, after an unknown) → live grants → allow patterns → allowlist → mode
// A write that no person asked for (a service's) asks even if it passes always_ask, and a listed bot may use read tools
// only. `ask_user` is allowed before all of these, and the other talk tools unless a pattern denies them.
//
// An `ask` that nobody could answer becomes a deny that names the missing setting.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "policy/grants.h"
#include "policy/identity.h"
#include "policy/policy.h"

namespace deputy::policy {

enum class RulingKind { allow, ask, deny };

struct Ruling {
  RulingKind say = RulingKind::deny;
  std::string rule;   // a place in settings or a fixed word: "policy.rules[0].deny[1]", "suspicious", "mode.ask"
  std::string words;  // the reason, in one sentence for the person and the model
  std::optional<GrantId> grant = std::nullopt;  // allowed by this grant: spend a use

  bool operator==(const Ruling&) const = default;
};

/// A live grant and its giver, looked up again.
struct LiveGrant {
  Grant grant;
  Identity giver;
};

struct RulingContext {
  /// The requester, then the authors of notes before the call. The call is judged for each, and the strictest ruling
  /// wins.
  std::vector<Identity> askers;
  Place place;
  std::string conversation;
  Timestamp now;
  bool suspicious = false;     // the run is suspicious
  bool after_unknown = false;  // the same call ended unknown in this conversation
  std::vector<LiveGrant> grants = {};
  bool stop_asking = false;   // the terminal's /yolo; ignored elsewhere
  bool auto_confirm = false;  // for tests and CI; ignored on chat platforms
};

Ruling judge(const Policy& policy, const Call& call, const RulingContext& situation);

/// The deny of a tool whose category is not allowed at a place; empty if it is. Independent of the arguments, so it
/// also works for a call whose arguments are unknown or wrong.
std::optional<Ruling> by_categories(const Call& call, const Place& place, const PlaceRules& here);

/// The ruling that allows less; if equal, the one whose rule, words and grant sort first.
Ruling stricter(const Ruling& a, const Ruling& b);

/// The ruling after an authorised person approved the call: ask becomes allow, deny stays.
Ruling with_approval(Ruling ruling);

}  // namespace deputy::policy
