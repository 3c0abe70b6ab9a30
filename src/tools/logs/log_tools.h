// The tools that read logs, over the configured backends. They share how a call says where and when to look (scope.h)
// and how the findings are shown (report.h).
//
// To add one: its parameters and a function that makes it in log_tools.cpp, and its line in log_tools().
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/workers.h"
#include "clients/aws/account.h"
#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/backend_choice.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/settings.h"
#include "tools/services_registry.h"

namespace deputy::tools {

using LogBackends = Backends<LogBackend>;

/// The parts that all of them use.
struct LogToolParts {
  LogBackends backends;
  std::shared_ptr<ServicesRegistry> registry;                    // null: names are used as they are
  const Clock* clock = nullptr;                                  // outlives every call
  std::map<std::string, std::vector<std::string>> environments;  // name to its other names, as in settings
  std::chrono::milliseconds max_scan = std::chrono::hours(24);   // a longer range asks, where the backend charges
};

std::vector<std::shared_ptr<const toolkit::Tool>> log_tools(LogToolParts parts);

std::shared_ptr<const toolkit::Tool> search_logs(const std::shared_ptr<const LogToolParts>& parts);
std::shared_ptr<const toolkit::Tool> get_recent_errors(const std::shared_ptr<const LogToolParts>& parts);
std::shared_ptr<const toolkit::Tool> get_service_logs(const std::shared_ptr<const LogToolParts>& parts);

/// What backends are made with, besides their settings. Workers, client and clock outlive them.
struct LogBackendParts {
  const std::map<std::string, std::vector<std::string>>& environments;  // name to its other names
  Workers& workers;
  net::HttpClient& http;
  const Clock& clock;
  clients::aws::Account* aws = nullptr;  // null: nothing of AWS is set up
};

/// Those that settings set up.
LogBackends make_log_backends(const LogToolsSettings& settings, const LogBackendParts& parts);
/// Out of backends that are already made.
LogBackends choose_among(const LogToolsSettings& settings, std::vector<std::shared_ptr<LogBackend>> set_up);

/// The backend `files`; null if it has no root.
std::shared_ptr<LogBackend> make_files_backend(const LogToolsSettings& settings,
                                               const std::map<std::string, std::vector<std::string>>& environments,
                                               Workers& workers);

}  // namespace deputy::tools
