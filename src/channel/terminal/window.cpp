#include "channel/terminal/window.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cwchar>

#include "base/text.h"

namespace deputy::channel {

namespace {

constexpr const char* kMarkPastes = "\x1b[?2004h";
constexpr const char* kMarkPastesNoMore = "\x1b[?2004l";

void tell_terminal(const char* sequence) {
  std::fputs(sequence, stdout);
  std::fflush(stdout);
}

// wcwidth knows only the characters of the locale. Input and output are UTF-8, even if the environment names no locale.
bool widths_are_known() {
  return std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr || std::setlocale(LC_CTYPE, "") != nullptr;
}

}  // namespace

RawMode::RawMode(int descriptor) : descriptor_(descriptor) {
  is_on_ = tcgetattr(descriptor_, &before_) == 0;
  if (is_on_) take();
}

RawMode::~RawMode() {
  if (!is_on_) return;
  tell_terminal(kMarkPastesNoMore);
  tcsetattr(descriptor_, TCSADRAIN, &before_);
}

// Signals stay keys of the terminal: Ctrl-Z stops the process as in any other program. Enter is \r, so that Ctrl-J is a
// key of its own.
void RawMode::take() {
  termios modes = before_;
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  modes.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  tcsetattr(descriptor_, TCSADRAIN, &modes);
  tell_terminal(kMarkPastes);
}

WindowSize window_size() {
  winsize size{};
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO}) {
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) continue;
    return {.columns = size.ws_col, .rows = size.ws_row == 0 ? WindowSize{}.rows : size.ws_row};
  }
  return {};
}

std::size_t columns() { return window_size().columns; }

std::size_t width_of(std::string_view text) {
  static const bool known = widths_are_known();
  std::size_t width = 0;
  bool inside = false;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    text.remove_prefix(point.bytes);
    if (point.value == U'\x1b') inside = true;
    const int wide = known ? wcwidth(static_cast<wchar_t>(point.value)) : 1;
    if (!inside && point.valid) width += static_cast<std::size_t>(std::max(wide, 0));
    if (inside && point.value == U'm') inside = false;
  }
  return width;
}

}  // namespace deputy::channel
