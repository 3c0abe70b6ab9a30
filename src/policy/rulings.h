// The ruling: what policy says of a call, allow, ask or deny, and by which rule. Pure: everything that a ruling depends
// on is in the call, the situation and the policy.
//
// The order of judgement, first that speaks wins:
//   hard deny → deny_all → requester's permission for category and environment → deny patterns → always_ask (the
//   tool's, a suspicious run's, after an unknown) → live grants → allow patterns → allowlist → mode
// A write that no person asked for (a service's) asks wherever it gets past always_ask, and a listed bot has read tools
// only. `ask_user` is allowed before all of these, and the other talk tools wherever no pattern refuses them.
//
// An `ask` that nobody could answer is a deny that names the missing setting.
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

enum class Say { allow, ask, deny };

struct Ruling {
  Say say = Say::deny;
  std::string rule;   // a place in settings or a word of ours: "policy.rules[0].deny[1]", "suspicious", "mode.ask"
  std::string words;  // one sentence for the person and the model: why
  std::optional<GrantId> grant = std::nullopt;  // allowed under this one: a use is to be spent

  bool operator==(const Ruling&) const = default;
};

/// A grant that is not over, and who gave it, looked up anew.
struct LiveGrant {
  Grant grant;
  Identity giver;
};

struct Situation {
  /// The requester, then whoever wrote notes before the call. The call is ruled for each, and the strictest ruling
  /// holds.
  std::vector<Identity> askers;
  Place place;
  std::string conversation;
  Timestamp now;
  bool suspicious = false;     // the run
  bool after_unknown = false;  // the same call ended unknown in this conversation
  std::vector<LiveGrant> grants = {};
  bool stop_asking = false;   // the terminal's /yolo; elsewhere it counts for nothing
  bool auto_confirm = false;  // for tests and CI; on the platforms people talk through it counts for nothing
};

Ruling judge(const Policy& policy, const Call& call, const Situation& situation);

/// The deny of a tool whose category is left out at a place; nothing where it may be used. What it is called with does
/// not count, so it can be said of a call whose arguments are not known or are wrong.
std::optional<Ruling> by_categories(const Call& call, const Place& place, const PlaceRules& here);

/// The one that lets less through; of two that say the same, the one whose rule, words and grant sort first.
Ruling stricter(const Ruling& a, const Ruling& b);

/// What a ruling becomes once a person who may has approved the call: ask becomes allow, deny stays.
Ruling with_approval(Ruling ruling);

}  // namespace deputy::policy
