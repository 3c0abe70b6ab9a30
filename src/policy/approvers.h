// Who may answer: approve a call, answer a question, stop a run. Judged at the moment of the click, with the identity
// and the settings of that moment; whatever is not known is no. An error says why not, for the person who clicked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

/// What an approval is about, as the store has it; nothing that came back with the click.
struct Approval {
  Call call;
  std::vector<Identity> askers;  // the requester, then whoever wrote notes before the call
  bool suspicious = false;       // the run

  bool operator==(const Approval&) const = default;
};

/// Whether two persons are needed: by settings, or because the run is suspicious.
bool takes_two_persons(bool suspicious, const Settings& settings);

/// The click of `clicker` at `place` approves (or denies) this call.
Result<> may_approve(const Identity& clicker, const Place& place, const Approval& approval, const Settings& settings);

/// The right alone, wherever it is used: also for what someone approved earlier. `place` is where the call is made; it
/// counts only where nobody is named.
Result<> has_right_to_approve(const Identity& identity, const Place& place, const Approval& approval,
                              const Settings& settings);

/// Fails with not_configured, naming the setting, where nobody at all could approve this call.
Result<> someone_may_approve(const Place& place, const Approval& approval, const Settings& settings);

/// The entries of settings that name the approvers of a call: names, ids, e-mails, groups. For a card's mentions.
std::vector<std::string> named_approvers(const Call& call, const Settings& settings);

/// The requester, or anyone with access when settings say so.
Result<> may_answer_question(const Identity& clicker, const Place& place, const Identity& requester,
                             const Settings& settings);

/// The requester, or whoever may approve anything at all.
Result<> may_stop(const Identity& clicker, const Place& place, const Identity& requester, const Settings& settings);

}  // namespace deputy::policy
