// What was pressed on a terminal, from the bytes it sends: whole characters and whole key sequences, so that nobody who
// acts on a key has to wait for the rest of it. Pure; bytes may come one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deputy::app {

/// To add a key: a row here and of kSequences in keys.cpp.
enum class KeyKind { character, enter, escape, up, down, left, right, backspace, interrupt, end_of_input, other };

struct Key {
  KeyKind kind = KeyKind::other;
  char32_t character = 0;  // with `character`
  std::string bytes;       // as they came, for who reads keys itself

  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }

  /// The next key that is all there. Bytes that are not UTF-8 are `other`.
  std::optional<Key> next();

  /// What came begins a key sequence, or is the Escape key: which, only time tells.
  bool is_undecided() const { return !bytes_.empty(); }

  /// No more came in time: a lone escape byte is the key, anything else unfinished is dropped.
  std::optional<Key> give_up();

 private:
  std::string bytes_;
};

}  // namespace deputy::app
