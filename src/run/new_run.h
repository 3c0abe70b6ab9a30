// A run about to exist, as the store keeps it, from what was received.
#pragma once

#include "run/entry_mail.h"
#include "store/rows.h"

namespace deputy::run {

/// Of what `received` says; lists show the beginning of its text from the first, also while it waits its turn.
store::NewRunRow new_run(RunId run, const Received& received, Timestamp at);

}  // namespace deputy::run
