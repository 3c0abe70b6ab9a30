// Child processes: each in a group of its own that is ended whole, with bounded time, output and resources, and dead
// when we are. (When we are killed the kernel ends the child itself; what the child has started it must see to, as
// bwrap --die-with-parent does.)
//
// A child inherits nothing but its three streams and the one descriptor that it may be given: no other descriptor, no
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

/// Which number a child knows `ProcessSpec::passed` by: one that a shell can name.
inline constexpr int kPassedDescriptor = 9;

struct ProcessSpec {
  std::vector<std::string> arguments;    // the first is the path of the program
  std::vector<std::string> environment;  // "NAME=value"; nothing is inherited
  std::string working_dir;               // empty: ours
  std::string input;                     // written to its standard input, which is then closed
  std::chrono::milliseconds timeout{30'000};
  std::size_t most_output = 50'000;  // bytes kept of each stream; the rest is read and counted
  ProcessLimits limits;
  int passed = -1;  // a descriptor of ours that it is given too; -1: none
};

enum class OutputStream { output, errors };

struct ProcessEnd {
  int exit_code = 0;  // 128 + signal when a signal ended it
  bool timed_out = false;
  std::string output;
  std::string errors;
  std::uint64_t output_bytes = 0;  // written in all; more than output.size() means cut
  std::uint64_t errors_bytes = 0;
};

/// Called on the loop with each piece as it arrives, cut pieces included.
using OutputSink = std::function<void(OutputStream, std::string_view)>;

/// Runs the program to its end or its timeout, then ends whatever is left of its group. A process of the group that
/// keeps the output open does not delay the return. Cancelling the caller ends the group too. A program that is not
/// there is `not_found`. Call it on the loop's thread: the child dies with the thread that started it.
Task<Result<ProcessEnd>> run_process(ProcessSpec spec, OutputSink sink = {});

}  // namespace deputy
