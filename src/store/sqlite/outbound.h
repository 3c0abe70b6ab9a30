// Deliveries and dues: what goes out or happens at a time.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

Result<std::vector<DeliveryRow>> take_deliveries(Transaction& in, int most, const InFlight& in_flight = {},
                                                 const std::vector<std::string>& reach = {});
Result<> change_delivery(Transaction& in, const DeliveryChange& change);
Result<std::vector<DeliveryRow>> read_deliveries(sqlite::Connection& database, const DeliveryFilter& filter);

/// First moves what stops while nobody is running, if the last heartbeat is longer ago than `max_gap`.
Result<TakenDues> take_due(Transaction& in, int most, std::chrono::milliseconds max_gap = kMaxGap);

/// At start, if no other instance is alive: postpones every due that stops while nobody is running, and the expiry of
/// interactions, by the time since the last heartbeat.
Result<> add_downtime(Transaction& in);

}  // namespace deputy::store
