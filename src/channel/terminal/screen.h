// The content of a terminal: printed lines that stay, and below them rows that change (the unfinished line of an
// answer, what is running, a form, the line being typed). Printing goes above these rows. A pipe gets printed lines
// only.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "channel/terminal/line_editor.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/window.h"

namespace deputy::channel {

enum class Drawing {
  lines,  // a pipe, a file, a dumb terminal: lines in, lines out
  keys    // keys are read one by one, and rows can be drawn again
};

struct TerminalKind {
  Drawing drawing = Drawing::lines;
  Colours colours = Colours::off;

  bool operator==(const TerminalKind&) const = default;
};

/// `in` and `out`: whether standard input and output are terminals. `term` and `no_color` are the variables TERM and
/// NO_COLOR, empty if not set: a dumb terminal is treated like a pipe, and any text in NO_COLOR switches colours off.
TerminalKind terminal_kind(bool in, bool out, std::string_view term, std::string_view no_color);

class Screen {
 public:
  /// `editor` is null for a pipe. Both must outlive it.
  Screen(std::ostream& out, LineEditor* editor) : out_(out), editor_(editor) {}

  /// Prints complete lines. Text from outside must be escaped already.
  void print(std::string_view lines);
  /// The same, and replaces the rows between the printed lines and the line being typed.
  void print(std::string_view lines, std::vector<std::string> below);
  /// Prints a card with its prompt right below it, where typing is shown. Until `release` nothing else is printed or
  /// drawn: it is held back.
  void hold(std::string_view card, const std::string& prompt);
  void release();
  /// The columns that printed lines may take; kAnyWidth for a pipe.
  std::size_t width() const { return editor_ == nullptr ? kAnyWidth : columns() - 1; }
  enum class Typing { shown, hidden };
  void set_typing(Typing typing);
  bool shows_typing() const { return typing_ == Typing::shown; }
  /// Makes a change to the line, the prompt or the window, and draws again.
  template <class Change>
  void redraw_after(Change change) {
    erase();
    change();
    draw();
  }
  /// Returns the typed line, which stays on the screen as it was drawn.
  TypedLine end_line();
  /// Shows rows on a page of their own, in place of everything else, until `end_page`. Until then nothing else is
  /// printed or drawn: it is held back.
  void show_page(const std::vector<std::string>& rows);
  void end_page();
  /// Clears the window and draws the rows that change at its top.
  void clear();
  /// Removes the rows that change; nothing is drawn after this.
  void close();

 private:
  void erase();
  void draw();
  void draw_typed(WindowSize window);
  void keep_for_later(std::string_view lines);

  std::ostream& out_;
  LineEditor* editor_;
  std::vector<std::string> below_;
  Typing typing_ = Typing::shown;
  std::vector<std::size_t> widths_above_;  // of the rows drawn above the cursor
  bool drawn_ = false;
  bool holds_ = false;
  bool shows_page_ = false;
  std::string held_;  // lines that wait for `release`
  bool lost_some_ = false;
  std::vector<std::string> held_below_;
};

}  // namespace deputy::channel
