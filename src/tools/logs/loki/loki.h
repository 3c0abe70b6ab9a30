// Logs in Grafana Loki. What is too much to read is counted by a metric query.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "net/http.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/settings.h"

namespace deputy::tools::loki {

/// Null without an address. Client and clock outlive it.
std::shared_ptr<LogBackend> make(const LokiSettings& settings, net::HttpClient& http, const Clock& clock);

// The queries, pure.

/// `{env=~"(?i)(?:prod|production)"}`
std::string environment_selector(const LokiSettings& settings, const LogQuery& query);

/// The entries of these services, by the values of their label; of all where there are none. Without a level label it
/// lets through what may be an error.
std::string log_query(const LokiSettings& settings, const LogQuery& query, const std::vector<std::string>& services);

/// A string of LogQL with its quotes.
std::string logql_string(std::string_view text);

}  // namespace deputy::tools::loki
