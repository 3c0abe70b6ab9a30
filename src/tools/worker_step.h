// The step of a handler whose work blocks: a job on a worker, and what it returned is the step.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "base/task.h"
#include "base/workers.h"
#include "toolkit/step.h"

namespace deputy::tools {

/// What `job` says, or its error. As with `on_worker` the job owns what it uses and may be left behind at `limit`.
Task<toolkit::Step> text_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                   std::move_only_function<Result<std::string>(std::stop_token)> job);

/// The same for a job that has data for later handlers, too.
Task<toolkit::Step> output_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                     std::move_only_function<Result<toolkit::Output>(std::stop_token)> job);

}  // namespace deputy::tools
