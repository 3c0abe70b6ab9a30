// Finds the log files under the root, and tells by its path which service and environment a file belongs to.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace re2 {
class RE2;
}

namespace deputy::tools::files {

inline constexpr std::string_view kEnvironmentPlace = "{environment}";
inline constexpr std::string_view kServicePlace = "{service}";

/// The path before rotation and compression: app.log for app.log.1, app.log.2.gz, app-20261101.log,
/// app.log-20261101.gz.
std::string unrotated(std::string_view path);
bool is_compressed(std::string_view path);

struct PathOwner {
  std::string environment;  // as written in the path; empty: the pattern does not name it
  std::string service;

  bool operator==(const PathOwner&) const = default;
};

/// A path under the root in which {environment} and {service} stand for a part of a name each, and * for anything but a
/// slash:
///
///   {environment}/{service}.log      k8s/*/{service}-*.log      nginx/access.log
class PathPattern {
 public:
  /// The error says what is wrong with the pattern: unknown or repeated braces, or a path that leaves the root.
  static Result<PathPattern> compile(std::string_view pattern);

  /// The owner of the file if the pattern matches its path, rotated or not. If several matches are possible, each
  /// placeholder takes as little as it can. Linear.
  std::optional<PathOwner> match(std::string_view path) const;
  bool names_environment() const { return environment_ > 0; }
  bool names_service() const { return service_ > 0; }

 private:
  std::shared_ptr<const re2::RE2> expression_;
  int environment_ = 0;  // which group of the expression; 0: none
  int service_ = 0;
};

inline constexpr std::size_t kMaxFilesSeen = 100'000;
inline constexpr int kDeepestFolder = 12;

/// A pattern, with the environment and service of files whose path does not name them.
struct LogPath {
  PathPattern pattern;
  std::string environment;  // used if the pattern does not name it
  std::string service;      // the same
};

/// The known environments: each name with its other names.
using EnvironmentNames = std::map<std::string, std::vector<std::string>>;

struct LogFile {
  std::string name;  // under the root
  std::string path;
  std::string environment;  // its name in settings
  std::string service;      // as written in the path
  Timestamp written;        // last modified
  std::uint64_t size = 0;

  bool is_packed() const { return is_compressed(name); }
};

struct FoundFiles {
  std::vector<LogFile> files;  // sorted by name
  std::int64_t links = 0;      // symbolic links, which are not followed
  bool too_many = false;       // the search stopped at kMaxFilesSeen
};

/// Blocks. An error if the root cannot be read; folders below it that cannot be read are skipped.
Result<FoundFiles> find_files(const std::filesystem::path& root, const std::vector<LogPath>& paths,
                              const EnvironmentNames& environments, const std::stop_token& stop);

/// The environment that a word means, or empty.
std::string environment_meant(std::string_view word, const EnvironmentNames& environments);

}  // namespace deputy::tools::files
