// Goes through the files below a folder of the root: by name in every folder, without following links or entering
// .git, bounded in number and depth. It blocks: call it on a worker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

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
  enum class Why {
    all,       // every entry was visited
    enough,    // `visit` said so
    too_many,  // as many were visited as may be; there may be others
  };

  Why why = Why::all;
  int not_entered = 0;  // folders that may not be opened, or too deep
};

constexpr int kDeepest = 64;

/// Calls `visit` for each entry, at most `most` of them. Ends early, as `cancelled`, when `stop` says so.
Result<WalkEnd> walk(const Root& root, const std::string& path, Depth depth, int most, const std::stop_token& stop,
                     const std::function<Next(const WalkEntry&)>& visit);

/// What stands under an answer for which not all there is was looked at; nothing where all was.
std::string not_looked_at(const WalkEnd& end, int most);

}  // namespace deputy::tools

namespace re2 {

// File patterns: `*` and `?` stay within one name, `**` spans folders, `{a,b}` is either. A pattern without a slash is
// held against the last name alone, so `*.cpp` finds files at any depth. Matching is linear.
class RE2;
}

namespace deputy::tools {

class Glob {
 public:
  /// An empty pattern matches everything.
  static Result<Glob> parse(std::string_view pattern);

  bool matches(std::string_view path) const;

 private:
  std::shared_ptr<const re2::RE2> expression_;  // null: everything
  bool last_name_only_ = false;
};

}  // namespace deputy::tools
