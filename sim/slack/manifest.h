#pragma once

#include "sim/slack/blocks.h"

namespace deputy::sim::slack {

std::vector<BlockProblem> check_manifest(const json::value& manifest);

}  // namespace deputy::sim::slack
