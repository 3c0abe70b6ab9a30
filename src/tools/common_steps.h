// The chain of a tool whose work is done by the layer above: one handler that delegates, and says what came back.
//
//   delegating = [ delegate ]
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

/// What is said of the answer; the answer itself where there is none. Called on the loop, so quick.
using Shape = std::function<std::string(std::string answer)>;

toolkit::Pipeline delegating(toolkit::DelegateKind kind, json::object payload, Shape shape = {});

// The step of a handler whose work blocks: a job on a worker, and what it returned is the step.

/// What `job` says, or its error. As with `on_worker` the job owns what it uses and may be left behind at `limit`.
Task<toolkit::Step> text_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                   std::move_only_function<Result<std::string>(std::stop_token)> job);

/// The same for a job that has data for later handlers, too.
Task<toolkit::Step> output_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                     std::move_only_function<Result<toolkit::Output>(std::stop_token)> job);

// Some lines of a file, as a tool shows them. Pure.

/// The lines from `first` to `last`, counted from 1, in valid UTF-8; a last line says which they are when they are not
/// all. `name` is for messages. What is not text, or has no such line, is an error.
Result<std::string> lines_of_file(std::string_view text, std::string_view name, std::optional<int> first,
                                  std::optional<int> last);

}  // namespace deputy::tools
