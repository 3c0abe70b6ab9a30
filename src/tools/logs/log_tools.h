// The tools that read logs, over the configured backend. They share how a call says where and when to look (scope.h)
// and how the findings are shown (report.h).
//
// To add one: its parameters and a function that makes it in log_tools.cpp, and its line in log_tools().
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/workers.h"
#include "toolkit/tool.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/settings.h"
#include "tools/services_registry.h"

namespace deputy::tools {

/// The parts that all of them use.
struct LogToolParts {
  std::shared_ptr<LogBackend> backend;                           // null: none is configured
  std::shared_ptr<ServicesRegistry> registry;                    // null: names are used as they are
  const Clock* clock = nullptr;                                  // outlives every call
  std::map<std::string, std::vector<std::string>> environments;  // name to its other names, as in settings
};

std::vector<std::shared_ptr<const toolkit::Tool>> log_tools(LogToolParts parts);

std::shared_ptr<const toolkit::Tool> search_logs(const std::shared_ptr<const LogToolParts>& parts);
std::shared_ptr<const toolkit::Tool> get_recent_errors(const std::shared_ptr<const LogToolParts>& parts);
std::shared_ptr<const toolkit::Tool> get_service_logs(const std::shared_ptr<const LogToolParts>& parts);

/// The backend that settings name; null if it is not configured, such as `files` without a root. The workers outlive
/// it.
std::shared_ptr<LogBackend> make_log_backend(const LogToolsSettings& settings,
                                             const std::map<std::string, std::vector<std::string>>& environments,
                                             Workers& workers);

}  // namespace deputy::tools
