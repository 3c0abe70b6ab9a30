// Which files under the root hold the log of which service in which environment.
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

// Whose log a file is, by its path. A pattern is a path under the root in which {environment} and {service} stand for
// one piece of a name each, and * for anything but a slash:
//
//   {environment}/{service}.log      k8s/*/{service}-*.log      nginx/access.log
//
// Rotated files belong to the file they were: app.log.1, app.log.2.gz, app-20261101.log, app.log-20261101.gz.
class RE2;
}

namespace deputy::tools::files {

inline constexpr std::string_view kEnvironmentPlace = "{environment}";
inline constexpr std::string_view kServicePlace = "{service}";

/// The path without what rotation and compression added to it.
std::string unrotated(std::string_view path);
bool is_compressed(std::string_view path);

struct PathOwner {
  std::string environment;  // as the path says it; empty: it does not
  std::string service;

  bool operator==(const PathOwner&) const = default;
};

class PathPattern {
 public:
  /// Says what is wrong with a pattern: an unknown place, one that stands twice, a way out of the root.
  static Result<PathPattern> compile(std::string_view pattern);

  /// Whose the file is, when the pattern fits its path, rotated or not. Where two readings are possible a place takes
  /// as little as it can. Linear.
  std::optional<PathOwner> match(std::string_view path) const;
  bool names_environment() const { return environment_ > 0; }
  bool names_service() const { return service_ > 0; }

 private:
  std::shared_ptr<const re2::RE2> expression_;
  int environment_ = 0;  // which group of the expression; 0: none
  int service_ = 0;
};

inline constexpr std::size_t kMostFilesSeen = 100'000;
inline constexpr int kDeepestFolder = 12;

/// A pattern and what its path does not say.
struct LogPath {
  PathPattern pattern;
  std::string environment;  // where the pattern names none
  std::string service;      // the same
};

/// Environments as people and paths name them: name to its other names.
using EnvironmentNames = std::map<std::string, std::vector<std::string>>;

struct LogFile {
  std::string name;  // under the root
  std::string path;
  std::string environment;  // by the name settings know
  std::string service;      // as the path says it
  Timestamp written;        // last
  std::uint64_t size = 0;

  bool is_packed() const { return is_compressed(name); }
};

struct FoundFiles {
  std::vector<LogFile> files;  // by name
  std::int64_t links = 0;      // symbolic links, which are not followed
  bool too_many = false;       // not all of the folder was seen
};

/// Blocks. An error when the root cannot be read; a folder below it that cannot be read is passed over.
Result<FoundFiles> find_files(const std::filesystem::path& root, const std::vector<LogPath>& paths,
                              const EnvironmentNames& environments, const std::stop_token& stop);

/// The environment that a word means, or empty.
std::string environment_meant(std::string_view word, const EnvironmentNames& environments);

}  // namespace deputy::tools::files
