// The tools that read logs, over whichever backend is set. They share how a call says where and when (place.h) and how
// the findings are told (report.h).
//
// To add one: a file beside these with its parameters and a function that makes it, and a line in log_tools.cpp.
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

/// What all of them work with.
struct LogToolParts {
  std::shared_ptr<LogBackend> backend;                           // null: none is set
  std::shared_ptr<ServicesRegistry> registry;                    // null: names are taken as they are
  const Clock* clock = nullptr;                                  // outlives every call
  std::map<std::string, std::vector<std::string>> environments;  // name to its other names, as in settings
};

std::vector<std::shared_ptr<const toolkit::Tool>> log_tools(LogToolParts parts);

std::shared_ptr<const toolkit::Tool> search_logs(const std::shared_ptr<const LogToolParts>& parts);
std::shared_ptr<const toolkit::Tool> get_recent_errors(const std::shared_ptr<const LogToolParts>& parts);
std::shared_ptr<const toolkit::Tool> get_service_logs(const std::shared_ptr<const LogToolParts>& parts);

/// The backend that settings name; null when none can work: `files` without a root. The workers outlive it.
std::shared_ptr<LogBackend> make_log_backend(const LogToolsSettings& settings,
                                             const std::map<std::string, std::vector<std::string>>& environments,
                                             Workers& workers);

}  // namespace deputy::tools
