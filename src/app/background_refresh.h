// When something outside is read: once from the start on, while whoever needs it first waits a bounded time; then anew,
// behind the back of whoever looks at it, once it is older than its time. Only the when: what is read, and what is kept
// where it cannot be, is the business of who is read for.
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
    std::chrono::milliseconds longest_wait;  // for the first reading
    std::chrono::milliseconds ttl;           // from the beginning of a reading
  };

  /// One reading. It may end after this is gone, so it holds what it works on.
  using Read = std::function<Task<>()>;

  /// `clock` and the loop outlive it. Without `read` there is nothing to read, and nobody waits.
  BackgroundRefresh(std::string name, Times times, const Clock& clock, asio::any_io_executor loop, Read read);

  /// Begins the first reading, which goes on behind; nothing once it has begun. On the loop only, as all of these.
  void begin();

  /// Returns when the first reading has ended, or `longest_wait` after it began: whoever asks late waits less.
  Task<> first();

  /// Begins a reading behind, where the last one is old and none is under way.
  void look();

 private:
  struct State;  // shared with a reading that is under way

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
