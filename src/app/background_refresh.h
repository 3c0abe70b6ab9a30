// Decides when a value from outside is read: once at the start, while the first reader waits for a bounded time; then
// again in the background, when the value is older than its ttl. The owner of the value reads and keeps it, and decides
// what to do when a read fails.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/task.h"

namespace deputy::app {

class BackgroundRefresh {
 public:
  struct Times {
    std::chrono::milliseconds max_wait;  // for the first read
    std::chrono::milliseconds ttl;       // from the start of a read
  };

  /// Reads once. It may end after this object is destroyed, so it must own what it uses.
  using Read = std::function<Task<>()>;

  /// `clock` and the loop outlive it. Without `read` nothing is read, and `first` returns at once.
  BackgroundRefresh(std::string name, Times times, const Clock& clock, asio::any_io_executor loop, Read read);

  /// Starts the first read in the background, unless it was already started. Call all of these on the loop only.
  void begin();

  /// Returns when the first read has ended, or `max_wait` after it started: a later caller waits less.
  Task<> first();

  /// Starts a read in the background if the last one is too old and none is running.
  void look();

 private:
  struct State;  // shared with a read that is running

  static Task<> read_once(std::shared_ptr<State> state, Read read);
  static Task<> first_of(std::shared_ptr<State> state);
  void read();

  std::string name_;
  Times times_;
  const Clock& clock_;
  asio::any_io_executor loop_;
  Read read_;
  std::optional<Timestamp> read_at_;
  std::shared_ptr<State> state_;
};

}  // namespace deputy::app
