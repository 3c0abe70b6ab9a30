// What a terminal shows: lines that stay, and below them what changes (the unfinished line of an answer, what is
// running, a form, the line that is typed). Whoever prints prints above it. On a pipe nothing changes: only lines that
// stay.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "channel/terminal/line_editor.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

enum class Drawing {
  lines,  // a pipe, a file, a dumb terminal: lines in, lines out
  keys    // keys are read one by one, and what was drawn can be drawn again
};

struct TerminalKind {
  Drawing drawing = Drawing::lines;
  Colours colours = Colours::off;

  bool operator==(const TerminalKind&) const = default;
};

/// `in` and `out`: whether these are terminals. `term` is TERM, `no_color` NO_COLOR of the environment, empty where
/// they are not set: a dumb terminal is drawn as a pipe, and any text in NO_COLOR switches colours off.
TerminalKind terminal_kind(bool in, bool out, std::string_view term, std::string_view no_color);

class Screen {
 public:
  /// `editor` may be null: a pipe. Both outlive it.
  Screen(std::ostream& out, LineEditor* editor) : out_(out), editor_(editor) {}

  /// Whole lines, ours or escaped.
  void print(std::string_view lines);
  /// The same, and what is below them from then on, above the typed line, a row a row.
  void print(std::string_view lines, std::vector<std::string> below);
  enum class Typing { shown, hidden };
  void set_typing(Typing typing);
  /// After the prompt or the size of the window has changed.
  template <class Change>
  void redraw_after(Change change) {
    erase();
    change();
    draw();
  }
  /// What was typed, which stays as a line.
  std::string end_line();
  /// For good: what changes goes, and nothing is drawn any more.
  void close();

 private:
  void erase();
  void draw();

  std::ostream& out_;
  LineEditor* editor_;
  std::vector<std::string> below_;
  Typing typing_ = Typing::shown;
  std::size_t rows_below_ = 0;  // as drawn
  bool drawn_ = false;
};

}  // namespace deputy::channel
