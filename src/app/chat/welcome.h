// The first lines of a chat: which model answers, and what to try with the tools there are. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolkit/registry.h"

namespace deputy::app {

/// "the offline planner (no model is set up)", or the model by its name.
std::string model_words(std::string_view model);

std::string welcome(std::string_view model, const std::vector<toolkit::ToolListing>& tools);

}  // namespace deputy::app
