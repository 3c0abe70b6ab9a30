#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> get_background_task() {
  return toolkit::make_tool<TaskParams>(
      task_spec("get_background_task", "Shows one background task of this conversation and what came of it",
                {.words = {"background task", "background", "task"},
                 .examples = {"show background task {id}"},
                 .working = "Reading task {id}"}),
      [](const TaskParams& params) { return Result<toolkit::Pipeline>(look_after("tasks", "get", params.task_id)); });
}

}  // namespace deputy::tools
