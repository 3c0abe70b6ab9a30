// Runs, places, accounts and grants as journals and the store hold them.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "policy/grants.h"
#include "policy/identity.h"
#include "run/journal/entry_mail.h"
#include "store/rows.h"

namespace deputy::run {

/// Of what `received` says; lists show the beginning of its text from the first, also while it waits its turn.
store::NewRunRow new_run(RunId run, const Received& received, Timestamp at);

json::object write_place(const policy::Place& place);
Result<policy::Place> read_place(const json::object& stored);

/// From Account::key(): "kind:id".
policy::Account account_of(std::string_view key);

struct StoredGrant {
  policy::Grant grant;
  policy::Account giver;       // whose right is looked up at each use
  std::string arguments = {};  // the arguments that its giver was shown, for people: a line that may be cut
};

store::GrantRow write_grant(const StoredGrant& grant, Timestamp created_at);
Result<StoredGrant> read_grant(const store::GrantRow& row);

}  // namespace deputy::run
