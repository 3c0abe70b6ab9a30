// Block Kit as Slack checks it.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace deputy::sim::slack {

enum class Surface { message, modal, home };
struct BlockProblem {
  std::string error;
  std::string pointer;
};
std::vector<BlockProblem> check_blocks(const json::value& blocks, Surface surface);
std::vector<BlockProblem> check_view(const json::value& view);
std::vector<BlockProblem> check_attachments(const json::value& attachments);

}  // namespace deputy::sim::slack
