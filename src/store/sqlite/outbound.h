// What goes out at a time of its own: deliveries and dues.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

Result<std::vector<DeliveryRow>> take_deliveries(Transaction& in, int most, const std::vector<std::string>& reach = {});
Result<> change_delivery(Transaction& in, const DeliveryChange& change);
Result<std::vector<DeliveryRow>> read_deliveries(sqlite::Connection& database, const DeliveryFilter& filter);

Result<TakenDues> take_due(Transaction& in, int most);

/// At start, when no other instance lives: moves every due that stops while nobody is up, and the interactions' own
/// expiry, by the time that has passed since the last heartbeat.
Result<> add_downtime(Transaction& in);

}  // namespace deputy::store
