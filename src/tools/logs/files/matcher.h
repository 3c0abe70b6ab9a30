// Where in bytes an entry may match, and whether it does. It finds places without taking lines apart, so that what does
// not match costs next to nothing.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/logs/files/needle.h"
#include "tools/logs/query.h"

namespace re2 {
class RE2;
}

namespace deputy::tools::files {

class Matcher {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// The query was made by parse_query: its expression compiles.
  explicit Matcher(const TextQuery& query);

  /// Every entry matches.
  bool takes_all() const { return !needle_ && !expression_; }

  /// A place at or behind `from` within an entry that may match, or npos. Not for one that takes all.
  std::size_t find(std::string_view bytes, std::size_t from) const;
  /// Whether an entry in which `find` stopped matches.
  bool matches(std::string_view entry) const;

 private:
  std::optional<Needle> needle_;  // the longest word
  std::vector<Needle> others_;
  std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace deputy::tools::files
