// Edits one line with libedit, one key at a time: the loop feeds it keys, and it never blocks. It works only on a
// terminal, which it takes out of line mode until it is closed. Until then Ctrl-S does not stop the output, and the
// terminal marks pasted text.
//
// It draws its prompt and line itself; `rows_above_cursor` and `redraw` let other code print above them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/terminal/keys.h"

namespace deputy::channel {

/// Lines that the arrow keys can bring back.
inline constexpr std::size_t kMaxHistory = 1000;

class LineEditor {
 public:
  /// Uses standard input and output of this process. Fails if they are not a terminal that supports line editing.
  static Result<std::unique_ptr<LineEditor>> open(const std::vector<std::string>& history);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Takes any key except Enter. Keys that would make libedit wait for another key do nothing.
  void feed(const Key& key);
  /// Returns the typed text and starts the next line, which is not drawn yet.
  std::string end_line();
  /// Adds a line to the history of the arrow keys.
  void remember(const std::string& line);

  /// Takes effect with the next `redraw`.
  void set_prompt(std::string prompt);
  const std::string& prompt() const;
  std::string text() const;
  void replace(const std::string& text);
  /// Inserts text at the cursor; drawn with the next `redraw`.
  void insert(const std::string& text);

  /// Draws prompt and line again. The cursor must be at the start of an empty row.
  void redraw();
  /// How many rows the cursor is below the first row of the prompt.
  std::size_t rows_above_cursor() const;
  /// Call it after the size of the window has changed.
  void resize();
  /// Sets the terminal mode again after the process was stopped and continued.
  void take_terminal();

 private:
  struct Parts;
  explicit LineEditor(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

/// The width of the terminal in columns.
std::size_t columns();
/// The width of a text in columns, without our own colour sequences.
std::size_t width_of(std::string_view text);

}  // namespace deputy::channel
