#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> cancel_background_task() {
  toolkit::ToolSpec spec = task_spec("cancel_background_task", "Stops a background task of this conversation",
                                     {.words = {"background task", "background", "task"},
                                      .verbs = {"cancel", "stop", "abort"},
                                      .examples = {"cancel background task {id}"},
                                      .working = "Stopping task {id}"});
  spec.changes_runs = true;
  return toolkit::make_tool<TaskParams>(std::move(spec), [](const TaskParams& params) {
    return Result<toolkit::Pipeline>(look_after("tasks", "cancel", params.task_id));
  });
}

}  // namespace deputy::tools
