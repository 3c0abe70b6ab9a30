// Retention: removes what is too old. Also the pause and the revoking of grants.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

/// Removes at most `most` rows of each kind, and about as many bytes as an Allowance has.
Result<Removed> remove_old(Transaction& in, const Retention& retention, int most);

Result<> set_brake(Transaction& in, const BrakeRow& brake, const Effects& effects);
Result<> revoke_grant(Transaction& in, const GrantId& grant, const std::string& by, const Effects& effects);

}  // namespace deputy::store
