// Writes the rows that belong to another write.
#pragma once

#include "store/sqlite/transaction.h"

namespace deputy::store {

/// Applies everything except Effects::run, which belongs to the appending run. A grant that cannot be used refuses the
/// whole with `conflict`.
Result<> apply(Transaction& in, const Effects& effects);

}  // namespace deputy::store
