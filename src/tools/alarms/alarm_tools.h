// The tools that look at alarms and metrics, over the configured backends.
//
// To add one: its parameters and a function that makes it in alarm_tools.cpp, and its line in alarm_tools().
#pragma once

#include <memory>
#include <vector>

#include "base/workers.h"
#include "clients/aws/account.h"
#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/alarms/alarm_backend.h"
#include "tools/alarms/settings.h"
#include "tools/backend_choice.h"

namespace deputy::tools {

namespace cloudwatch {
class Ecs;
}

struct AlarmBackends {
  Backends<AlarmBackend> alarms;
  Backends<MetricsBackend> metrics;
  std::shared_ptr<cloudwatch::Ecs> ecs;  // null: not set up
};

/// Those that settings set up. Client, clock, workers and account outlive them; without an account nothing of AWS is
/// set up.
AlarmBackends make_alarm_backends(const AlarmToolsSettings& settings, net::HttpClient& http, const Clock& clock,
                                  Workers& workers, clients::aws::Account* aws = nullptr);

/// The clock outlives every call.
std::vector<std::shared_ptr<const toolkit::Tool>> alarm_tools(const AlarmBackends& backends, const Clock& clock);

std::shared_ptr<const toolkit::Tool> check_alarms(const Backends<AlarmBackend>& backends, const Clock& clock);
std::shared_ptr<const toolkit::Tool> query_metrics(const Backends<MetricsBackend>& backends, const Clock& clock);

/// The distance of samples that shows a span in a readable number of points: a round one, at least 15 seconds.
std::chrono::milliseconds usual_step(const TimeSpan& span);

}  // namespace deputy::tools
