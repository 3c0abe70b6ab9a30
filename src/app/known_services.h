// The services that requests may name: those of the services file, and those that the log backend has logs of. They are
// read from the start on, while whoever needs them first waits a bounded time, and read anew behind the back of whoever
// asks once they are older than tools::kServicesTtl. What cannot be read leaves what was known, and the log says so.
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

/// Those of the registry with all their names, then those that only logs know. Pure.
ServiceNames join_services(const std::vector<tools::Service>& registered, const std::vector<std::string>& logged);

class KnownServices {
 public:
  static constexpr std::chrono::seconds kLongestLoad{3};

  /// `clock` and what registry and backend work with outlive it and its loop. No backend: null.
  KnownServices(std::shared_ptr<tools::ServicesRegistry> registry, std::shared_ptr<tools::LogBackend> logs,
                const Clock& clock, asio::any_io_executor loop);

  /// Begins the first reading, which goes on behind.
  void begin() { behind_.begin(); }
  /// Returns when the first reading is done, or kLongestLoad after it began: whoever asks late waits less.
  Task<> known() { return behind_.first(); }

  /// Never null. The same pointer as long as they are the same. On the loop only.
  std::shared_ptr<const ServiceNames> names();

 private:
  struct Sources;  // with a reading that is under way, which may end after this is gone

  std::shared_ptr<Sources> sources_;
  BackgroundRefresh behind_;
};

/// Blocks: hand it to a ServicesRegistry, which calls it on a worker. The error names every problem, with its line
/// where the file itself is wrong.
Result<std::vector<tools::Service>> read_services(const std::filesystem::path& file);

}  // namespace deputy::app
