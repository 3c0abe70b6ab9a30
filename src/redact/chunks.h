// Cuts a text into pieces that can be judged one by one, so that what comes out never depends on how the text arrived.
//
// A word without a hit is clean and goes at once. A word with a hit is a piece; where the hit needs the rest of its
// line to be told (a secret-like name, `Bearer`), the piece goes to the end of the line, and on while lines end in a
// backslash; where a private key block is open there, to the end of the block. Where a line ends in a name whose value
// comes on the next line, that line is a piece too. A piece longer than kLongestPiece cannot be judged and is given up:
// it and the rest of its line are lost, never let out.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "redact/detect.h"
#include "redact/key_block.h"

namespace deputy::redact {

inline constexpr std::size_t kLongestPiece = 1 << 20;  // unless the cutter is told otherwise

/// What stands at the start of a text: `clean` bytes that are let out as they are, then a piece of `length` bytes.
struct Piece {
  enum class Kind {
    none,       // only clean bytes
    suspect,    // to be searched
    oversized,  // to be replaced as a whole
    dropped,    // the rest of an oversized one: to be left out
  };
  std::size_t clean = 0;
  std::size_t length = 0;
  Kind kind = Kind::none;
  Context context;
};

enum class Input { more_follows, ended };

class Cutter {
 public:
  explicit Cutter(std::size_t longest_piece = kLongestPiece) : longest_piece_(longest_piece) {}

  /// The next piece of `text`, which starts where the last piece ended and may have grown since. Nothing when the rest
  /// must wait for more, or is empty. Bytes are looked at once, however often this is called.
  std::optional<Piece> next(std::string_view text, Input input);

  /// What the suspect piece that came last has become. Must be called before the next piece is asked for.
  void judged(std::string_view text);

 private:
  enum class State { words, line, block, dropping, line_end, next_line };

  std::optional<Piece> cut_words(std::string_view text, Input input);
  std::optional<Piece> cut_line(std::string_view text, Input input);
  std::optional<Piece> cut_block(std::string_view text, Input input);
  std::optional<Piece> drop(std::string_view text);
  /// The end of a line that asks for the next one.
  std::optional<Piece> cut_line_end(std::string_view text, Input input);
  /// Whether the next line is needed; cuts nothing.
  void look_at_next_line(std::string_view text, Input input);
  void begin_line(std::size_t searched);
  /// Remembers what stands before the next piece when `text` is let go.
  void pass(std::string_view text);
  Piece suspect(std::string_view piece);
  Piece give_up();

  std::size_t longest_piece_;
  State state_ = State::words;
  std::size_t searched_ = 0;  // bytes of the text known not to hold the end that this state looks for
  std::size_t line_ = 0;      // where the line that is being read begins, with the line end before it
  Context context_;
  KeyBlocks blocks_;
};

}  // namespace deputy::redact
