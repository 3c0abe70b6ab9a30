// The rows that appear together with a write.
#pragma once

#include "store/sqlite/transaction.h"

namespace deputy::store {

/// Everything but Effects::run, which is the appending run's own. A grant that cannot be used refuses the whole with
/// `conflict`.
Result<> apply(Transaction& in, const Effects& effects);

}  // namespace deputy::store
