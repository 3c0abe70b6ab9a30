// What comes in from a terminal or a pipe, without the loop ever waiting for it: keys, lines, and all that happens in
// one order.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/result.h"
#include "base/task.h"
#include "channel/terminal/keys.h"

namespace deputy::channel {

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

struct TerminalEvent {
  enum class Kind {
    line,
    key,        // while a form has the keys
    end,        // of the input
    interrupt,  // Ctrl-C
    leave,      // SIGTERM, SIGHUP, SIGQUIT
    look,       // something may have changed
  };

  Kind kind = Kind::look;
  std::string line = {};
  Key key = {};
  int prompt = 0;       // what stood before the line as it was typed
  bool pasted = false;  // some of the line
};

class Inbox {
 public:
  explicit Inbox(const asio::any_io_executor& loop) : wake_(loop) {}

  void push(TerminalEvent event);
  Task<TerminalEvent> next();

 private:
  std::deque<TerminalEvent> events_;
  asio::steady_timer wake_;
};

class InputLines {
 public:
  explicit InputLines(int descriptor);

  bool is_terminal() const;
  /// Nothing more comes.
  bool ended() const { return ended_ && buffer_.empty() && !too_long_; }

  /// The next line without its end; nothing at the end of the input, or when none has come within `limit`.
  /// However much there is to read, others on the loop get their turn.
  /// invalid_input in place of a line that is too long: no part of it is a line.
  Task<Result<std::optional<std::string>>> next(std::chrono::milliseconds limit);
  /// The same without waiting: nothing where no line is all there yet.
  Result<std::optional<std::string>> take();
  /// Calls `ready` once, on the loop, when `take` may give more. Not after this object is gone.
  void when_ready(const asio::any_io_executor& loop, std::function<void()> ready);

 private:
  enum class Read { something, nothing_yet, end };
  Read read_some();
  /// Takes the line that is all there out of what was read.
  std::optional<Result<std::string>> take_line();

  Task<Result<>> wait_until_readable();

  int descriptor_;
  /// Becomes readable when the descriptor does. Waiting for the descriptor itself would change how others who share it
  /// read. None for a file, which is always readable.
  FileDescriptor readiness_;
  std::optional<asio::posix::stream_descriptor> watched_;  // by `when_ready`
  bool is_watched_ = false;
  std::string buffer_;
  bool too_long_ = false;  // the line that is being read: what came of it so far is dropped
  bool ended_ = false;
};

}  // namespace deputy::channel
