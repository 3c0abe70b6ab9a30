// All that is known about secrets, applied to one piece of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "redact/context.h"
#include "redact/finding.h"

namespace deputy::redact {

/// The secrets of a piece, in order and apart; nothing of a marker is among them.
std::vector<Finding> find_in(std::string_view piece, const Context& context);

/// A piece with its secrets replaced; what would come out longer than `longest` is replaced as a whole.
struct Cleaned {
  std::string text;
  std::size_t replaced = 0;
};
Cleaned clean(std::string_view piece, const Context& context, std::string_view salt, std::size_t longest);

/// What stands for a piece that is too long or too tangled to judge.
inline constexpr std::string_view kOversized = "oversized";

}  // namespace deputy::redact
