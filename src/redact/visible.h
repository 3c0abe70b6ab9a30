// Removes what nobody sees but what hides a secret from a pattern: the codes that colour a terminal, and zero-width
// characters. Those after a character that is not ASCII stay, because emoji and several scripts need them.
#pragma once

#include <string>
#include <string_view>

#include "redact/key_lines.h"

namespace deputy::redact {

class VisibleText {
 public:
  /// The visible part of `text`, which follows what was given before. Holds back at most one unfinished code.
  std::string feed(std::string_view text, Input input);

 private:
  std::string held_;
  char last_ = '\n';  // the last byte that was kept
};

/// The visible part of a whole text.
std::string visible(std::string_view text);

}  // namespace deputy::redact
