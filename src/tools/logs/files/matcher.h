// Where in bytes an entry may match, and whether it does. It finds places without taking lines apart, so that what does
// not match costs next to nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/logs/log_backend.h"

namespace deputy::tools::files {

// Finds a word in bytes, whatever the case of its ASCII letters, at the speed of memory: it looks for the two rarest
// bytes of the word at their distance and compares the rest only there.

class Needle {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// The word is in small letters and not empty.
  explicit Needle(std::string word);

  /// Where it begins at or behind `from`, or npos.
  std::size_t find(std::string_view bytes, std::size_t from = 0) const;
  bool is_in(std::string_view bytes) const { return find(bytes) != npos; }
  const std::string& word() const { return word_; }

 private:
  bool is_at(const char* place) const;

  std::string word_;
  std::size_t rare_ = 0;    // where in the word
  std::size_t second_ = 0;  // the same
};

}  // namespace deputy::tools::files

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
