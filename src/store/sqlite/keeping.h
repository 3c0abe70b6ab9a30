// Keeping and forgetting: what is too old goes, and what a person wants forgotten.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

/// Removes at most `most` rows of each kind.
Result<Removed> remove_old(Transaction& in, const Retention& retention, int most);

/// Removes text, results and search rows of finished runs; ids, times, digests and who approved stay.
Result<Forgotten> forget(Transaction& in, const ForgetScope& scope, const Effects& effects);

Result<> set_brake(Transaction& in, const BrakeRow& brake, const Effects& effects);
Result<> revoke_grant(Transaction& in, const GrantId& grant, const std::string& by, const Effects& effects);

}  // namespace deputy::store
