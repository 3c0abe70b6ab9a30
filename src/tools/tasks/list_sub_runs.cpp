#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> list_sub_runs() {
  return toolkit::make_tool<NoParams>(
      task_spec("list_sub_runs", "Lists the sub-runs of this conversation and how they stand",
                {.words = {"sub-runs"}, .examples = {"which sub-runs are there?"}, .working = "Listing sub-runs"}),
      [](const NoParams&) { return Result<toolkit::Pipeline>(look_after("sub_runs", "list")); });
}

}  // namespace deputy::tools
