// The terminal itself: its mode, its size, and the columns that a text takes in it.
#pragma once

#include <termios.h>

#include <cstddef>
#include <string_view>

namespace deputy::channel {

/// Takes a terminal out of line mode until it is destroyed: keys arrive one by one and are not echoed, Ctrl-S does not
/// stop the output, pasted text is marked. It uses the descriptor it was given, never the name of the device: after
/// `su` the name belongs to another user.
class RawMode {
 public:
  explicit RawMode(int descriptor);
  ~RawMode();
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

  /// False if it is not a terminal.
  bool is_on() const { return is_on_; }
  /// Sets the mode again after the process was stopped and continued.
  void take();

 private:
  int descriptor_;
  termios before_{};
  bool is_on_ = false;
};

struct WindowSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
WindowSize window_size();
/// The width of the terminal in columns.
std::size_t columns();

/// The width of a text in columns, without our own colour sequences.
std::size_t width_of(std::string_view text);

}  // namespace deputy::channel
