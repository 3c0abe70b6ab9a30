// Goes through the files below a folder of the root: by name in every folder, without following links or entering
// .git, bounded in number and depth. It blocks: call it on a worker.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "tools/workspace/root.h"

namespace deputy::tools {

struct WalkEntry {
  enum class Kind { file, folder, link, other };

  std::string path;  // from the root
  Kind kind = Kind::file;
  std::uint64_t bytes = 0;
};

enum class Depth { this_folder, all_below };
enum class Next { go_on, enough };

struct WalkEnd {
  bool whole = true;    // false: there was more than is looked at, or what it was called for had enough
  int not_entered = 0;  // folders that may not be opened, or too deep
};

constexpr int kMostWalked = 200'000;
constexpr int kDeepest = 64;

/// Calls `visit` for each entry. Ends early, as `cancelled`, when `stop` says so.
Result<WalkEnd> walk(const Root& root, const std::string& path, Depth depth, const std::stop_token& stop,
                     const std::function<Next(const WalkEntry&)>& visit);

}  // namespace deputy::tools
