// Lines that people typed or piped, one after another, without ever stopping the loop: standard input may be a
// terminal, a pipe that nobody writes to, or a file.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/task.h"

namespace deputy::app {

class InputLines {
 public:
  explicit InputLines(int descriptor) : descriptor_(descriptor) {}

  bool is_terminal() const;
  /// Nothing more comes.
  bool ended() const { return ended_ && buffer_.empty(); }

  /// The next line without its end; nothing at the end of the input, or when none has come within `limit`.
  Task<std::optional<std::string>> next(std::chrono::milliseconds limit);

 private:
  enum class Read { something, nothing_yet, end };
  Read read_some();

  int descriptor_;
  std::string buffer_;
  bool ended_ = false;
};

}  // namespace deputy::app
