#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> cancel_background_task() {
  return toolkit::make_tool<TaskParams>(
      task_spec("cancel_background_task", "Stops a background task of this conversation"),
      [](const TaskParams& params) {
        return Result<toolkit::Pipeline>(look_after("tasks", "cancel", params.task_id));
      });
}

}  // namespace deputy::tools
