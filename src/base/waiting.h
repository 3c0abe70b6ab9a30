// Tells people what a task waits for. The listener travels with the executor of a task, so whatever the task awaits can
// reach it, and no function in between has to pass it on: a tool knows who follows its call, its client knows why it
// waits.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/task.h"

namespace deputy {

/// Hears a line, with its line break, on the loop.
using WaitListener = std::function<void(std::string_view line)>;

/// The same executor; what its tasks wait for is told to the listener.
asio::any_io_executor with_wait_listener(asio::any_io_executor executor, WaitListener listener);

/// "retry in 2s: Loki's rate limit is used up". The time comes first, because a narrow terminal shows only the
/// beginning.
std::string wait_line(const Error& why, std::chrono::milliseconds wait);

inline constexpr std::string_view kTriesAgain = "trying again\n";

/// Tells the listener of this task, if it has one, why it waits, and that it does no more.
Task<> sleep_before_retry(Error why, std::chrono::milliseconds wait);

}  // namespace deputy
