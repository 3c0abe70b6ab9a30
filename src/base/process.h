// Child processes. Each runs in its own process group, which is killed as a whole, with bounded time, output and
// resources, and dies when we do. (When we are killed the kernel kills the child only; its own children are its
// responsibility, as with bwrap --die-with-parent.)
//
// A child inherits its three streams and the one descriptor it may be given, nothing else: no other descriptor, no
// variable, no ignored signal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"

namespace deputy {

/// Resource limits of the child (setrlimit); absent ones are inherited.
struct ProcessLimits {
  std::optional<std::uint64_t> cpu_seconds;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> file_bytes;
  std::optional<std::uint64_t> open_files;
  std::optional<std::uint64_t> processes;  // does not bind uid 0
};

/// The number under which a child sees `ProcessSpec::passed`: one that a shell can name.
inline constexpr int kPassedDescriptor = 9;

struct ProcessSpec {
  std::vector<std::string> arguments;    // the first is the path of the program
  std::vector<std::string> environment;  // "NAME=value"; nothing is inherited
  std::string working_dir;               // empty: same as ours
  std::string input;                     // written to standard input, which is then closed
  std::chrono::milliseconds timeout{30'000};
  std::size_t max_output = 50'000;  // bytes kept of each stream; the rest is read and counted
  ProcessLimits limits;
  int passed = -1;  // one more of our descriptors for the child; -1: none
};

enum class OutputStream { output, errors };

struct ProcessEnd {
  int exit_code = 0;  // 128 + signal when a signal ended it
  bool timed_out = false;
  std::string output;
  std::string errors;
  std::uint64_t output_bytes = 0;  // total written; more than output.size() means it was cut
  std::uint64_t errors_bytes = 0;
};

/// Called on the loop with each chunk as it arrives, also with those that are not kept.
using OutputSink = std::function<void(OutputStream, std::string_view)>;

/// Runs the program until it ends or times out, then kills the rest of its group. A process of the group that keeps the
/// output open does not delay the return. Cancelling the caller kills the group too. A missing program is `not_found`.
/// Call it on the loop's thread: the child dies with the thread that started it.
Task<Result<ProcessEnd>> run_process(ProcessSpec spec, OutputSink sink = {});

/// Lets calls go on that this signal interrupts, such as a write to a slow terminal. Asio's handlers let them fail, and
/// an output stream never recovers from that. Call it once the handler is set.
void restart_interrupted_calls(int signal);

}  // namespace deputy
