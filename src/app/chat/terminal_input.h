// Keys of the terminal a chat runs on, as they come, without the loop ever waiting for them. It opens the
// terminal anew, so that what others share of it stays as it is.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <optional>

#include "app/chat/keys.h"
#include "base/result.h"
#include "base/task.h"

namespace deputy::app {

struct TerminalEvents {
  std::function<void(const Key&)> key;
  std::function<void()> end;  // the terminal is gone
};

/// Hears keys until it is gone. Callbacks are not called after `stop`.
class TerminalInput {
 public:
  static Result<std::unique_ptr<TerminalInput>> open(const asio::any_io_executor& loop, int descriptor,
                                                     TerminalEvents events);
  void start() { wait(); }
  void stop();
  /// What came of an unfinished key or paste, whose rest may never come.
  void forget() { keys_ = {}; }

 private:
  TerminalInput(const asio::any_io_executor& loop, int descriptor, TerminalEvents events);
  void wait();
  void read();
  void hand_on();

  asio::posix::stream_descriptor terminal_;
  asio::steady_timer undecided_;
  TerminalEvents events_;
  KeyReader keys_;
  bool stopped_ = false;
};

}  // namespace deputy::app
