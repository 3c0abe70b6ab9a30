// The output of a command in bounded memory: keeps the beginning and the end, and a line between them says how much is
// left out. Both are redacted before they are cut, each with half a megabyte more than is shown, because a secret that
// was cut is no longer recognised. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "toolkit/cut.h"

namespace deputy::tools {

class ShellOutput {
 public:
  static constexpr std::size_t kMax = 50'000;  // bytes
  static constexpr std::size_t kHead = 30'000;
  static constexpr std::size_t kMargin = 512 * 1024;

  void add(std::string_view piece);

  /// True if there was more output than fits.
  bool full() const { return bytes_ > kMax; }

  /// Valid UTF-8, redacted, at most kMax bytes and the line in between.
  std::string text(const toolkit::Redact& redact) const;

 private:
  std::string head_;
  std::string tail_;  // the end of what did not fit into the head; trimmed when it is twice as long as needed
  std::uint64_t bytes_ = 0;
};

}  // namespace deputy::tools
