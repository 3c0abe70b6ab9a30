// What was pressed on a terminal, from the bytes it sends: whole characters and whole key sequences, so that nobody who
// acts on a key has to wait for the rest of it. Pure; bytes may come one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deputy::channel {

/// To add a key: a row here and of kSequences in keys.cpp.
enum class KeyKind {
  character,
  enter,
  escape,
  up,
  down,
  left,
  right,
  backspace,
  interrupt,
  end_of_input,
  paste,
  other
};

struct Key {
  KeyKind kind = KeyKind::other;
  char32_t character = 0;  // with `character`
  std::string bytes;       // as they came, for who reads keys itself; of a `paste`, the text

  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }

  /// The next key that is all there. Bytes that are not UTF-8 are `other`. What a terminal marks as pasted is one key,
  /// or a few where it is long: nothing in it is pressed.
  std::optional<Key> next();

  /// What came begins a key sequence, or is the Escape key: which, only time tells.
  bool is_undecided() const { return !bytes_.empty() && !pastes_; }

  /// No more came in time: a lone escape byte is the key, anything else unfinished is dropped.
  std::optional<Key> give_up();

 private:
  std::optional<Key> next_pasted();

  std::string bytes_;
  bool pastes_ = false;
};

/// What was pasted, for a line: each line break is a space, those at its ends and what controls a terminal are left
/// out.
std::string as_one_line(std::string_view pasted);

}  // namespace deputy::channel
