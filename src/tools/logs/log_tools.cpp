#include "tools/logs/log_tools.h"

#include <algorithm>
#include <thread>

#include "tools/logs/files/files_backend.h"

namespace deputy::tools {

std::vector<std::shared_ptr<const toolkit::Tool>> log_tools(LogToolParts parts) {
  const auto shared = std::make_shared<const LogToolParts>(std::move(parts));
  return {search_logs(shared), get_recent_errors(shared), get_service_logs(shared)};
}

std::shared_ptr<LogBackend> make_log_backend(const LogToolsSettings& settings,
                                             const std::map<std::string, std::vector<std::string>>& environments,
                                             Workers& workers) {
  if (!settings.backend.empty() && settings.backend != "files") return nullptr;
  if (settings.files.root.empty()) return nullptr;
  files::FilesOptions options{.root = settings.files.root,
                              .paths = {},
                              .environments = environments,
                              .utc_offset = std::chrono::minutes(settings.files.utc_offset_minutes),
                              .threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u))};
  for (const LogPathSettings& path : settings.files.paths) {
    // Settings were checked when they were loaded; a pattern that does not compile fits nothing.
    if (auto pattern = files::PathPattern::compile(path.path)) {
      options.paths.push_back({*std::move(pattern), path.environment, path.service});
    }
  }
  return std::make_shared<files::FilesBackend>(std::move(options), workers);
}

}  // namespace deputy::tools
