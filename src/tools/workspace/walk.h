// Walks the files below a folder of the root, and matches their paths with file patterns. In every folder it goes by
// name; it does not follow links, and it is bounded in number and depth. It blocks: call it on a worker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/workspace/root.h"

namespace re2 {
class RE2;
}

namespace deputy::tools {

struct WalkEntry {
  enum class Kind { file, folder, link, other };

  std::string path;  // from the root
  Kind kind = Kind::file;
  std::uint64_t bytes = 0;
  bool several_names = false;  // a file with several hard links
};

enum class Depth { this_folder, all_below };
enum class Next { go_on, not_into, enough };  // `not_into` the folder that was visited
enum class GitFolders { left_out, entered };  // folders called .git

struct WalkEnd {
  enum class Why {
    all,       // every entry was visited
    enough,    // `visit` returned Next::enough
    too_many,  // it stopped at the maximum; there may be more entries
  };

  Why why = Why::all;
  std::vector<std::string> not_entered;  // folders that could not be opened or are too deep
};

constexpr int kDeepest = 64;

/// Calls `visit` for each entry, at most `most` of them. An error of kind cancelled if `stop` is requested.
Result<WalkEnd> walk(const Root& root, const std::string& path, Depth depth, int most, const std::stop_token& stop,
                     const std::function<Next(const WalkEntry&)>& visit, GitFolders git = GitFolders::left_out);

/// The lines at the end of a result that say what was not searched; empty if everything was.
std::string not_looked_at(const WalkEnd& end, int most);

/// A file pattern: `*` and `?` stay within one name, `**` spans folders, `{a,b}` is either. A pattern without a slash
/// is matched against the last name only, so `*.cpp` finds files at any depth. Matching is linear.
class Glob {
 public:
  /// An empty pattern matches everything.
  static Result<Glob> parse(std::string_view pattern);

  bool matches(std::string_view path) const;

 private:
  std::shared_ptr<const re2::RE2> expression_;  // null: matches everything
  bool last_name_only_ = false;
};

}  // namespace deputy::tools
