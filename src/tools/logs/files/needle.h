// Finds a word in bytes, whatever the case of its ASCII letters, at the speed of memory: it looks for the two rarest
// bytes of the word at their distance and compares the rest only there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace deputy::tools::files {

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
