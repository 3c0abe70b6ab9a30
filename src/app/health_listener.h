// Answers /healthz (this process runs), /readyz (it can work; else 503 and a line for each problem) and /metrics, to
// everyone who reaches the address.
#pragma once

#include <memory>

#include "app/settings.h"
#include "net/server.h"
#include "observe/health.h"
#include "observe/metrics.h"

namespace deputy::app {

/// Listens when it returns. Metrics and health outlive the server.
Result<std::unique_ptr<net::Server>> listen_for_health(const asio::any_io_executor& loop, const ListenAddress& address,
                                                       observe::Metrics& metrics, const observe::Health& health);

}  // namespace deputy::app
