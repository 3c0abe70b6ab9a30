#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> list_background_tasks() {
  return toolkit::make_tool<NoParams>(
      task_spec("list_background_tasks", "Lists the background tasks of this conversation and how they stand",
                {.words = {"background tasks", "background", "task"},
                 .examples = {"which background tasks are there?"},
                 .working = "Listing background tasks"}),
      [](const NoParams&) { return Result<toolkit::Pipeline>(look_after("tasks", "list")); });
}

}  // namespace deputy::tools
