// Forgetting: removes the content a person wants gone, and keeps the fact that it existed.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

/// Looks at no more than `most` runs. Removes text, results and search rows of those that have ended.
Result<Forgotten> forget(Transaction& in, const ForgetScope& scope, const Effects& effects, int most);

}  // namespace deputy::store
