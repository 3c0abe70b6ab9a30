// The line being typed: a pure state machine that keys go into and rows come out of. A line may have line breaks, and a
// long pasted text stands in it as "[pasted 500 lines]", which moves and is erased like one character.
//
// To add an editing key: a kind in keys.h, and its case in `edit`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/terminal/keys.h"

namespace deputy::channel {

/// Lines that the arrow keys and the search can bring back.
inline constexpr std::size_t kMaxHistory = 1000;
/// Pasted text that is longer is folded.
inline constexpr std::size_t kMaxShownPaste = 1000;  // characters
inline constexpr std::size_t kMaxShownPasteLines = 8;
inline constexpr std::size_t kMaxTyped = 1UL << 20;  // bytes of one line

/// What Tab can put in the place of the last `replaces` bytes before the cursor.
struct Completion {
  std::size_t replaces = 0;
  std::vector<std::string> choices = {};
};
using Completer = std::function<Completion(std::string_view before_cursor)>;

/// The rows of the line as they are drawn, and where the cursor is.
struct TypedRows {
  std::vector<std::string> rows;
  std::size_t cursor_row = 0;
  std::size_t cursor_column = 0;

  bool operator==(const TypedRows&) const = default;
};

struct TypedLine {
  std::string text;                 // with folded pastes in full
  std::vector<std::string> pasted;  // what was pasted into it

  bool operator==(const TypedLine&) const = default;
};

class LineEditor {
 public:
  /// `history` is oldest first. `complete` may be empty.
  explicit LineEditor(std::vector<std::string> history = {}, Completer complete = {});

  enum class Fed { edited, sends };
  /// Acts on a key. `sends` for Enter, unless a backslash before it asks for another line; then call `take`.
  Fed feed(const Key& key);
  /// Returns the line and starts an empty one.
  TypedLine take();
  /// Adds a line to the history of the arrow keys.
  void remember(const std::string& line);

  void set_prompt(std::string prompt) { prompt_ = std::move(prompt); }
  const std::string& prompt() const { return prompt_; }
  bool empty() const { return cells_.empty(); }
  /// Nothing is typed, and nothing is searched for.
  bool is_idle() const { return cells_.empty() && !search_; }
  std::string text() const;
  std::string before_cursor() const { return text_of(0, cursor_); }
  void replace(std::string_view text);

  /// At most `most` rows around the cursor, each narrower than `width` columns. Hidden characters are made visible.
  TypedRows rows(std::size_t width, std::size_t most) const;

 private:
  // One character with the marks that belong to it, or a whole pasted text.
  using Cell = std::string;

  struct Search {
    std::string words = {};
    std::optional<std::size_t> found = {};  // in history_
    std::vector<Cell> before = {};          // the line as it was
  };

  enum class Paste {
    none,
    goes_on,  // the cell before the cursor is the beginning of it
    dropped   // it is too long
  };

  void edit(const Key& key);
  void search(const Key& key);
  void find_older(std::size_t below);
  void insert(std::string_view text);
  void paste(const Key& key);
  void complete();
  void show_history(std::size_t index);
  void move_up();
  void move_down();
  void cut(std::size_t from, std::size_t to);
  std::size_t line_start() const;
  std::size_t line_end() const;
  std::size_t word_left() const;
  std::size_t word_right() const;
  std::string text_of(std::size_t from, std::size_t to) const;
  bool has_room_for(std::size_t bytes) const { return bytes_ + bytes <= kMaxTyped; }
  void set_cells(std::vector<Cell> cells);

  std::string prompt_;
  std::vector<Cell> cells_;
  std::size_t bytes_ = 0;   // of all cells
  std::size_t cursor_ = 0;  // in cells
  std::vector<Cell> cut_;
  std::vector<std::string> history_;
  std::size_t at_;                 // in history_; its size: the new line
  std::vector<Cell> new_line_;     // while an older one is shown
  std::vector<std::string> hint_;  // below the line, until the next key
  Paste pasting_ = Paste::none;
  std::vector<std::string> pasted_;  // into this line
  std::optional<Search> search_;     // Ctrl-R
  Completer complete_;
};

}  // namespace deputy::channel
