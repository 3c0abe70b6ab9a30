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
  std::string bytes;       // as received, for the line editor; for `paste`, the pasted text

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

  /// For when no more bytes came in time: a lone escape byte is the Escape key, anything else unfinished is dropped.
  std::optional<Key> give_up();

 private:
  std::optional<Key> next_pasted();

  std::string bytes_;
  bool pastes_ = false;
};

/// Pasted text as one line: line breaks become spaces, except at both ends, where they are removed; control characters
/// are removed.
std::string as_one_line(std::string_view pasted);

}  // namespace deputy::channel
