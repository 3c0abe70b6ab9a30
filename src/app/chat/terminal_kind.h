// What the terminal can do, told by its kind and the environment. Pure.
#pragma once

#include "channel/terminal/ansi_text.h"
#include "config/load.h"

namespace deputy::app {

enum class Drawing {
  lines,  // a pipe, a file, a dumb terminal: lines in, lines out
  keys    // keys are read one by one, and what was drawn can be drawn again
};

struct TerminalKind {
  Drawing drawing = Drawing::lines;
  channel::Colours colours = channel::Colours::off;

  bool operator==(const TerminalKind&) const = default;
};

/// `in` and `out`: whether these are terminals. NO_COLOR with any text in it and TERM=dumb are honoured.
TerminalKind terminal_kind(bool in, bool out, const config::Environment& environment);

}  // namespace deputy::app
