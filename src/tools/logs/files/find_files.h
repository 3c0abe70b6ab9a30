// Which files under the root hold the log of which service in which environment.
#pragma once

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "tools/logs/files/path_pattern.h"

namespace deputy::tools::files {

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
