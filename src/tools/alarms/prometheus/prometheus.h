// Alarms and metrics of Prometheus and Alertmanager. Either may be set up alone: Alertmanager knows what fires and what
// is silenced, Prometheus also what is pending or fine, and the metrics.
#pragma once

#include <memory>

#include "clients/rest/api.h"
#include "tools/alarms/alarm_backend.h"
#include "tools/alarms/settings.h"

namespace deputy::tools::prometheus {

using Account = std::shared_ptr<clients::rest::Api>;  // null: not set up

struct Made {
  std::shared_ptr<AlarmBackend> alarms;     // null: neither is set up
  std::shared_ptr<MetricsBackend> metrics;  // null: Prometheus is not set up
};

/// Client and clock outlive them.
Made make(const AlarmToolsSettings& settings, net::HttpClient& http, const Clock& clock);

// The mappings, pure.

/// Of GET /api/v2/alerts of Alertmanager. `ui` is the address of its pages.
std::vector<Alarm> alertmanager_alarms(const json::value& reply, std::string_view ui);
/// Of GET /api/v1/alerts of Prometheus.
std::vector<Alarm> prometheus_alerts(const json::value& reply, std::string_view ui);
/// Of GET /api/v1/rules?type=alert: the alerts of the rules that are pending or fire.
std::vector<Alarm> alerts_of_rules(const json::value& reply, std::string_view ui);
/// Of the same: the rules that do not fire.
std::vector<Alarm> quiet_rules(const json::value& reply, std::string_view ui);
/// Of GET /api/v1/query_range.
FoundMetrics matrix(const json::value& reply);
/// Of an item of its result.
std::map<std::string, std::string> labels_of_series(const json::value& item);

}  // namespace deputy::tools::prometheus
