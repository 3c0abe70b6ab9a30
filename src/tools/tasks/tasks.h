// Tools for background tasks and sub-runs of this conversation. Both are child runs: a task is one call that goes on
// without a model, a sub-run has its own model.
#pragma once

#include <memory>

#include "toolkit/tool.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> list_background_tasks();
std::shared_ptr<const toolkit::Tool> get_background_task();
std::shared_ptr<const toolkit::Tool> cancel_background_task();

/// start_sub_run(task*, label, tools): the call ends when the sub-run does, with its answer.
std::shared_ptr<const toolkit::Tool> start_sub_run();
std::shared_ptr<const toolkit::Tool> list_sub_runs();
std::shared_ptr<const toolkit::Tool> get_sub_run();

}  // namespace deputy::tools
