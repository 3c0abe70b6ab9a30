// Input from a terminal or a pipe, read without blocking the loop: keys, lines, and one queue that keeps all events in
// order.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "base/task.h"
#include "channel/terminal/keys.h"

namespace deputy::channel {

struct TerminalEvents {
  std::function<void(const Key&)> key;
  std::function<void()> end;  // the terminal is gone
};

/// An epoll descriptor that becomes readable when `input` does. Waiting on the input itself would make it non-blocking
/// for every process that shares it. None for a file, which is always readable.
FileDescriptor readiness_of(int input);

/// Reads keys from a terminal until it is destroyed. Callbacks are not called after `stop`.
class TerminalInput {
 public:
  TerminalInput(const asio::any_io_executor& loop, int descriptor, TerminalEvents events);
  void start();
  void stop();
  /// Drops the bytes of an unfinished key or paste, whose rest may never come.
  void forget() { keys_ = {}; }
  /// Drops everything that was typed and not handed on yet. Of a paste that has begun only the rest is handed on: as a
  /// paste, never as keys.
  void discard();
  bool is_between_keys() const { return keys_.is_between_keys(); }

 private:
  enum class Read { something, nothing_yet, end };
  void wait();
  void read();
  Read read_some();
  void hand_on();

  int terminal_;
  asio::posix::stream_descriptor readiness_;
  asio::steady_timer undecided_;
  TerminalEvents events_;
  KeyReader keys_;
  std::size_t typed_before_ = 0;  // bytes that came while the terminal was in line mode
  bool stopped_ = false;
};

struct TerminalEvent {
  enum class Kind {
    line,
    key,        // while a form is open; Escape where it goes back
    end,        // of the input
    interrupt,  // Ctrl-C
    leave,      // SIGTERM, SIGHUP, SIGQUIT
    look,       // something may have changed
  };

  Kind kind = Kind::look;
  std::string line = {};
  Key key = {};
  int prompt = 0;                        // which prompt was shown when the line was typed
  std::vector<std::string> pasted = {};  // into the line
};

class Inbox {
 public:
  explicit Inbox(const asio::any_io_executor& loop) : wake_(loop) {}

  void push(TerminalEvent event);
  Task<TerminalEvent> next();
  /// Whether somebody wants it to stop or to leave.
  bool is_to_end() const;

 private:
  std::deque<TerminalEvent> events_;
  asio::steady_timer wake_;
};

/// All that was piped in.
struct PipedText {
  enum class End { whole, nothing_came, too_much };

  std::string text;
  End end = End::whole;
};

class InputLines {
 public:
  explicit InputLines(int descriptor);

  bool is_terminal() const;
  /// The input has ended and every line was taken.
  bool ended() const { return ended_ && buffer_.empty() && !too_long_; }

  /// The next line without its line break; nothing at the end of the input, or when none has come within `limit`.
  /// Other tasks on the loop get their turn, however much there is to read.
  /// Returns invalid_input for a line that is too long; the whole line is dropped.
  Task<Result<std::optional<std::string>>> next(std::chrono::milliseconds limit);
  /// Everything to the end of the input, at most `max_bytes`. Nothing if no byte comes within `first`.
  Task<PipedText> all(std::chrono::milliseconds first, std::size_t max_bytes);
  /// Forgets what was typed and not taken yet; only for a terminal.
  void discard();
  /// The same without waiting: nothing if no line is complete yet.
  Result<std::optional<std::string>> take();
  /// Calls `ready` once, on the loop, when `take` may return more. Never called after this object is destroyed.
  void when_ready(const asio::any_io_executor& loop, std::function<void()> ready);

 private:
  enum class Read { something, nothing_yet, end };
  Read read_some();
  /// Takes a complete line out of the buffer.
  std::optional<Result<std::string>> take_line();

  Task<Result<>> wait_until_readable();

  int descriptor_;
  FileDescriptor readiness_;
  std::optional<asio::posix::stream_descriptor> watched_;  // used by `when_ready`
  bool is_watched_ = false;
  std::string buffer_;
  bool too_long_ = false;  // the current line is too long, and its bytes are dropped
  bool ended_ = false;
};

}  // namespace deputy::channel
