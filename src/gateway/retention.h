// What is too old goes: in batches that leave room for others, by one of all the instances that share a store.
#pragma once

#include "base/task.h"
#include "store/store.h"

namespace deputy::gateway {

/// One round: all that is too old, and the traces of it. Nothing when another instance sees to it; whoever did it once
/// goes on doing it while it lives.
Task<Result<>> remove_what_is_old(store::Store& store, store::Retention retention);

}  // namespace deputy::gateway
