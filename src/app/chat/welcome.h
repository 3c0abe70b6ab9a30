// The first lines of a chat: which model answers, and what to try with the tools there are. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "toolkit/registry.h"

namespace deputy::app {

/// Words to try, and the tool they are for.
struct Try {
  std::string_view tool;
  std::string_view words;
};

/// Best first; what is shown is what there are tools for.
std::span<const Try> tries();

/// `answering` is the model and why it is the one (who_answers).
std::string welcome(std::string_view answering, const std::vector<toolkit::ToolListing>& tools);

}  // namespace deputy::app
