// Patterns of rules: RE2, linear time on any text.
//
// An allow pattern matches the whole value, so that nothing can be added to what was meant. A deny pattern is searched
// for: what is refused stays refused whatever stands around it, and for that search `.` and `^`, `$` see lines as well.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace deputy::policy {

/// Immutable and cheap to copy.
class Pattern {
 public:
  /// Says what is wrong with a pattern that RE2 refuses.
  static Result<Pattern> compile(std::string_view text);

  const std::string& text() const { return text_; }

  bool matches_whole(std::string_view value) const;
  bool is_found_in(std::string_view value) const;
  bool is_found_at_start_of(std::string_view value) const;

  /// Whether what stands before a match can matter: the pattern may hold a `^`.
  bool may_be_anchored() const { return may_be_anchored_; }

 private:
  Pattern() = default;

  std::string text_;
  std::shared_ptr<const re2::RE2> whole_;
  std::shared_ptr<const re2::RE2> search_;
  bool may_be_anchored_ = false;
};

}  // namespace deputy::policy
