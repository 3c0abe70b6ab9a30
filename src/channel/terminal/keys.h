// Turns the bytes of a terminal into keys: whole characters and whole key sequences, so that code that acts on a key
// never has to wait for the rest of it. Pure; bytes may come one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deputy::channel {

/// To add a key: a row here and in kSequences in keys.cpp.
enum class KeyKind {
  character,
  enter,
  new_line,  // Alt-Enter, Shift-Enter where the terminal tells it apart, Ctrl-J
  tab,
  escape,
  up,
  down,
  left,
  right,
  word_left,
  word_right,
  home,
  end,
  page_up,
  page_down,
  backspace,
  delete_right,
  cut_space_word,  // Ctrl-W: back to the last space
  cut_word_left,
  cut_word_right,
  cut_to_start,
  cut_to_end,
  insert_cut,    // Ctrl-Y
  search,        // Ctrl-R
  clear_screen,  // Ctrl-L
  interrupt,
  end_of_input,
  paste,
  other
};

struct Key {
  KeyKind kind = KeyKind::other;
  char32_t character = 0;  // with `character`
  std::string bytes;       // as received; for `paste`, the pasted text
  bool goes_on = false;    // with `paste`: the next paste key is the rest of the same text

  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }

  /// The next complete key. Bytes that are not UTF-8 are `other`. Pasted text is one `paste` key, or several if it is
  /// long; control characters in it do not act as keys.
  std::optional<Key> next();

  /// The bytes so far may be the start of a key sequence, or the Escape key alone: wait a moment, then call give_up.
  bool is_undecided() const { return !bytes_.empty() && !pastes_; }

  /// No key and no paste has begun and not ended.
  bool is_between_keys() const { return bytes_.empty() && !pastes_; }

  /// For when no more bytes came in time: a lone escape byte is the Escape key, anything else unfinished is `other`.
  std::optional<Key> give_up();

 private:
  std::optional<Key> next_pasted();

  std::string bytes_;
  bool pastes_ = false;
};

/// Pasted text with its line breaks, each as \n; other control characters than tabs are removed.
std::string as_lines(std::string_view pasted);

/// Pasted text as one line: line breaks become spaces, except at both ends, where they are removed; control characters
/// are removed.
std::string as_one_line(std::string_view pasted);

}  // namespace deputy::channel
