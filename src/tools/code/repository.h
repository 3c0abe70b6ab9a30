// A git repository of this machine, read through git in the sandbox.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/task.h"
#include "tools/code/code.h"

namespace deputy::tools {

constexpr std::size_t kMostOfAFile = 1024UL * 1024;  // bytes; larger ones are not indexed and not shown

/// What git printed. An error says what git said; more than `most_output` bytes are an error too.
Task<Result<std::string>> run_git(SandboxPrograms programs, CodeRepository repository,
                                  std::vector<std::string> arguments, std::string input, std::size_t most_output,
                                  std::chrono::milliseconds timeout);

/// Brings the index to the repository's present commit. What was done stays done when it is cut short.
Task<Result<>> refresh_repository(CodeSetup setup, CodeRepository repository,
                                  std::chrono::steady_clock::time_point deadline);

}  // namespace deputy::tools
