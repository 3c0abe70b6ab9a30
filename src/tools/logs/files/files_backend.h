// Logs in files: plain text and JSON lines, gzip, rotated, of any size. The whole of a search runs on a worker thread
// and some threads of its own, and hears its stop token.
#pragma once

#include <filesystem>
#include <vector>

#include "base/workers.h"
#include "tools/logs/files/find_files.h"
#include "tools/logs/files/times.h"
#include "tools/logs/log_backend.h"

namespace deputy::tools::files {

struct FilesOptions {
  std::filesystem::path root;
  std::vector<LogPath> paths;
  EnvironmentNames environments;
  std::chrono::minutes utc_offset{0};     // of times that name no zone
  int threads = 2;                        // that read beside each other
  std::uint64_t largest_part = 32 << 20;  // of a file that one of them reads at a time, in bytes
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
  std::shared_ptr<const FilesOptions> options_;  // shared with jobs that are left behind
  Workers& workers_;
};

/// The search itself. Blocks.
Result<LogFindings> search_files(const FilesOptions& options, const LogQuery& query, const std::stop_token& stop);

}  // namespace deputy::tools::files
