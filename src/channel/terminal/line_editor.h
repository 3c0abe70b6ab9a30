// One line edited with libedit, a key at a time: the loop feeds what was pressed and nothing ever waits. Only on a
// terminal, which it takes out of line mode until it is closed: Ctrl-S stops no output then, and what is pasted comes
// marked as such.
//
// It draws its prompt and line itself; `rows_above_cursor` and `redraw` let others print where it stands.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/terminal/keys.h"

namespace deputy::channel {

/// Lines that the arrows reach back to.
inline constexpr std::size_t kMostHistory = 1000;

class LineEditor {
 public:
  /// Over standard input and output of this process. Fails where they are no terminal that can be edited on.
  static Result<std::unique_ptr<LineEditor>> open(const std::vector<std::string>& history);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Any key but Enter. Those that would wait for another key do nothing.
  void feed(const Key& key);
  /// What was typed; the next line begins, and is not drawn yet.
  std::string end_line();
  /// For the arrows.
  void remember(const std::string& line);

  /// Drawn with the next `redraw`.
  void set_prompt(std::string prompt);
  const std::string& prompt() const;
  std::string text() const;
  void replace(const std::string& text);
  /// At the cursor; drawn with the next `redraw`.
  void insert(const std::string& text);

  /// Prompt and line anew, from where the cursor is, at the start of an empty row.
  void redraw();
  /// How far the cursor is below the first row of the prompt.
  std::size_t rows_above_cursor() const;
  /// The window has another size.
  void resize();
  /// Its way of reading keys again, after the process had been stopped.
  void take_terminal();

 private:
  struct Parts;
  explicit LineEditor(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

/// Columns of the terminal that is written to.
std::size_t columns();
/// Columns that a text takes, our own colours left out.
std::size_t width_of(std::string_view text);

}  // namespace deputy::channel
