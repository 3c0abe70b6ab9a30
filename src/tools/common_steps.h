// Steps that tools of several families share: hand the work to the run, do blocking work on a worker, show lines of a
// file.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "base/task.h"
#include "base/workers.h"
#include "toolkit/pipeline.h"
#include "toolkit/step.h"

namespace deputy::tools {

/// Makes the tool's result from the answer; empty: the answer is the result. Called on the loop, so it must be quick.
using Shape = std::function<std::string(std::string answer)>;

/// The chain of a tool whose work needs a run, a model or the store: [ delegate ]. Its one handler hands `payload` to
/// the run and returns the answer.
toolkit::Pipeline delegating(toolkit::DelegateKind kind, json::object payload, Shape shape = {});

/// The step of a coroutine that leaves with its error.
Task<toolkit::Step> as_step(Task<Result<toolkit::Step>> task);

/// Runs blocking work on a worker; its text or its error is the step. As with `on_worker`, the job must own what it
/// uses: at `limit` the caller goes on without it, and the job may still be running.
Task<toolkit::Step> text_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                   std::move_only_function<Result<std::string>(std::stop_token)> job);

/// The same for a job that also returns data for later handlers.
Task<toolkit::Step> output_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                     std::move_only_function<Result<toolkit::Output>(std::stop_token)> job);

/// The lines from `first` to `last`, counted from 1, in valid UTF-8. If these are not all lines, one more line at the
/// end says which they are. An error if the file is not text or has fewer than `first` lines; `name` is for the
/// message. Pure.
Result<std::string> lines_of_file(std::string_view text, std::string_view name, std::optional<int> first,
                                  std::optional<int> last);

}  // namespace deputy::tools
