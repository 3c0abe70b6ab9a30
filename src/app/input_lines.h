// Lines that people typed or piped, one after another, without ever stopping the loop: standard input may be a
// terminal, a pipe that nobody writes to, a file, or something that never ends.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "base/task.h"

namespace deputy::app {

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

}  // namespace deputy::app
