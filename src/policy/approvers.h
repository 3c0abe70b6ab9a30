// Decides who may approve a call, answer a question or stop a run. Judged at the moment of the click, with the identity
// and the settings of that moment; anything unknown means no. An error says why not, worded for the person who clicked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

/// The approval as the store has it. Nothing in it came back with the click.
struct ApprovalRequest {
  Call call;
  std::vector<Identity> askers;  // the requester, then the authors of notes before the call
  bool suspicious = false;       // the run is suspicious

  bool operator==(const ApprovalRequest&) const = default;
};

/// True if two people are needed: because of settings, or because the run is suspicious.
bool takes_two_persons(bool suspicious, const Settings& settings);

/// Checks that `clicker`, at `place`, may approve or deny this call.
Result<> may_approve(const Identity& clicker, const Place& place, const ApprovalRequest& approval,
                     const Settings& settings);

/// Checks the right alone, wherever it is used; also applies to earlier approvals. `place` is where the call is made;
/// it matters only if settings name nobody.
Result<> has_right_to_approve(const Identity& identity, const Place& place, const ApprovalRequest& approval,
                              const Settings& settings);

/// Fails with not_configured, naming the setting, if nobody at all could approve this call.
Result<> someone_may_approve(const Place& place, const ApprovalRequest& approval, const Settings& settings);

/// The entries of settings that name a call's approvers (names, ids, e-mails, groups), for mentions on a card.
std::vector<std::string> named_approvers(const Call& call, const Settings& settings);

/// Entries of settings as accounts and groups of one channel. Entries that name nobody there are left out.
struct Addressees {
  std::vector<Account> accounts;
  std::vector<std::string> groups;
  std::vector<std::string> ids;  // of accounts or groups: only the platform knows which

  bool operator==(const Addressees&) const = default;
};
Addressees addressees_on(std::string_view channel, const std::vector<std::string>& entries, const Settings& settings);

/// The requester, or anyone with access if settings allow it.
Result<> may_answer_question(const Identity& clicker, const Place& place, const Identity& requester,
                             const Settings& settings);

/// The requester, or anyone who may approve anything.
Result<> may_stop(const Identity& clicker, const Place& place, const Identity& requester, const Settings& settings);

/// Pausing and resuming Deputy: anyone who may approve anything, and the local user on Deputy's own surfaces.
Result<> may_pause(const Identity& identity, const Place& place, const Settings& settings);

}  // namespace deputy::policy
