// File patterns: `*` and `?` stay within one name, `**` spans folders, `{a,b}` is either. A pattern without a slash is
// held against the last name alone, so `*.cpp` finds files at any depth. Matching is linear.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace re2 {
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
