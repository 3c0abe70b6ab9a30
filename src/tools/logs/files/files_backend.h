// The backend for logs in files: plain text and JSON lines, gzip, rotated, of any size. A search runs on a worker
// thread and some threads of its own, and can be stopped.
#pragma once

#include <filesystem>
#include <vector>

#include "base/workers.h"
#include "tools/logs/files/find_files.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/times.h"

namespace deputy::tools::files {

struct FilesOptions {
  std::filesystem::path root;
  std::vector<LogPath> paths;
  EnvironmentNames environments;
  std::chrono::minutes utc_offset{0};     // of times that name no zone
  int threads = 2;                        // that read at the same time
  std::uint64_t largest_part = 32 << 20;  // bytes of a file that one thread reads at a time
};

class FilesBackend final : public LogBackend {
 public:
  /// The workers outlive it.
  FilesBackend(FilesOptions options, Workers& workers);

  std::string_view name() const override { return "files"; }
  json::object target() const override;
  Task<Result<LogFindings>> search(LogQuery query, std::chrono::milliseconds limit) override;
  Task<Result<std::vector<std::string>>> services(std::chrono::milliseconds limit) override;
  Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) override;

 private:
  std::shared_ptr<const FilesOptions> options_;  // shared with jobs that still run after their time limit
  Workers& workers_;
};

/// The search itself. Blocks.
Result<LogFindings> search_files(const FilesOptions& options, const LogQuery& query, const std::stop_token& stop);

}  // namespace deputy::tools::files
