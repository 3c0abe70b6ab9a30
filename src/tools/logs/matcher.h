// Finds the entries that match a query. It searches the raw bytes without splitting them into lines, so entries that do
// not match cost almost nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/logs/log_backend.h"

namespace re2 {
class RE2;
}

namespace deputy::tools::logs {

/// Finds a word in bytes, ignoring the case of ASCII letters. Fast: it looks for the two rarest bytes of the word at
/// their distance and compares the rest of the word only there.
class Needle {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// The word is in lower case and not empty.
  explicit Needle(std::string word);

  /// The first position of the word at or after `from`, or npos.
  std::size_t find(std::string_view bytes, std::size_t from = 0) const;
  bool is_in(std::string_view bytes) const { return find(bytes) != npos; }
  const std::string& word() const { return word_; }

 private:
  bool is_at(const char* place) const;

  std::string word_;
  std::size_t rare_ = 0;    // position in the word of its rarest byte
  std::size_t second_ = 0;  // the same for the second rarest
};

class Matcher {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// The query must come from parse_query, so that its expression compiles.
  explicit Matcher(const TextQuery& query);

  /// True if every entry matches.
  bool takes_all() const { return !needle_ && !expression_; }

  /// A position at or after `from` in an entry that may match, or npos. Do not call it if `takes_all()`.
  std::size_t find(std::string_view bytes, std::size_t from) const;
  /// True if the entry in which `find` stopped does match.
  bool matches(std::string_view entry) const;

 private:
  std::optional<Needle> needle_;  // the longest word
  std::vector<Needle> others_;
  std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace deputy::tools::logs
