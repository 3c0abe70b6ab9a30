// The services that requests may name: those in the services registry, a file or an S3 object, and those that the log
// backends have logs of. They are read at the start, and again in the background when they are older than
// tools::kServicesTtl. If a read fails, the last good list stays and the failure is logged.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/background_refresh.h"
#include "intent/vocabulary.h"
#include "tools/logs/log_backend.h"
#include "tools/services_registry.h"

namespace deputy::app {

using ServiceNames = std::vector<intent::KnownService>;

/// The services of the registry with all their names, then those found only in logs. Pure.
ServiceNames join_services(const std::vector<tools::Service>& registered, const std::vector<std::string>& logged);

class KnownServices {
 public:
  static constexpr std::chrono::seconds kMaxLoad{3};

  /// `clock` and what registry and backends use outlive it and its loop.
  KnownServices(std::shared_ptr<tools::ServicesRegistry> registry, std::vector<std::shared_ptr<tools::LogBackend>> logs,
                const Clock& clock, asio::any_io_executor loop);

  /// Starts the first read in the background.
  void begin() { behind_.begin(); }
  /// Returns when the first read has ended, or kMaxLoad after it started: a later caller waits less.
  Task<> known() { return behind_.first(); }

  /// Never null. The pointer changes only when the names change. On the loop only.
  std::shared_ptr<const ServiceNames> names();

 private:
  struct Sources;  // shared with a running read, which may end after this object is destroyed

  std::shared_ptr<Sources> sources_;
  BackgroundRefresh behind_;
};

/// Blocks: pass it to a ServicesRegistry, which calls it on a worker. The error names every problem, with its line if
/// the file cannot be parsed.
Result<std::vector<tools::Service>> read_services(const std::filesystem::path& file);

/// The same for a document that is already read; `name` is for messages.
Result<std::vector<tools::Service>> parse_services(std::string_view text, const std::string& name,
                                                   const std::filesystem::path& folder = {});

}  // namespace deputy::app
