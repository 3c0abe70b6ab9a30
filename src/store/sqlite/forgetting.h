// Forgetting: what a person wants gone goes, and that it was there stays.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

/// Looks at no more than `most` runs; of those that are over it removes text, results and search rows.
Result<Forgotten> forget(Transaction& in, const ForgetScope& scope, const Effects& effects, int most);

}  // namespace deputy::store
