// Cuts a text into chunks that can be searched one by one, so that the output never depends on how the text arrived.
//
// A word without a hint is clean and passes at once. A word with a hint starts a chunk. When the hint needs the rest of
// its line (a secret-like name, `Bearer`), the chunk extends to the end of the line, and further while lines end in a
// backslash; when a private key block is open there, to the end of the block. When a line ends in a name whose value
// comes on the next line, that line is a chunk too. A chunk longer than kMaxPiece cannot be searched: it and the
// rest of its line are dropped, never let through.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "redact/detect.h"
#include "redact/key_block.h"
#include "redact/key_lines.h"

namespace deputy::redact {

inline constexpr std::size_t kMaxPiece = 1 << 20;  // unless the cutter is told otherwise

/// The start of a text: `clean` bytes that pass unchanged, then a chunk of `length` bytes.
struct Chunk {
  enum class Kind {
    none,       // only clean bytes
    suspect,    // must be searched
    oversized,  // replaced as a whole
    dropped,    // the rest of an oversized one: left out
  };
  std::size_t clean = 0;
  std::size_t length = 0;
  Kind kind = Kind::none;
  Context context;
};

class Cutter {
 public:
  explicit Cutter(std::size_t max_piece = kMaxPiece) : max_piece_(max_piece) {}

  /// The next chunk of `text`, which starts where the last one ended and may have grown since. Nothing when the rest
  /// must wait for more input, or is empty. Each byte is examined once, however often this is called.
  std::optional<Chunk> next(std::string_view text, Input input);

  /// Tells the cutter the redacted text of the last suspect chunk. Call it before asking for the next chunk.
  void judged(std::string_view text);

 private:
  enum class State { words, line, block, dropping, line_end, next_line };

  std::optional<Chunk> cut_words(std::string_view text, Input input);
  std::optional<Chunk> cut_line(std::string_view text, Input input);
  std::optional<Chunk> cut_block(std::string_view text, Input input);
  std::optional<Chunk> drop(std::string_view text);
  /// Cuts the end of a line whose value is on the next line.
  std::optional<Chunk> cut_line_end(std::string_view text, Input input);
  /// Finds out if the next line is needed; cuts nothing.
  void look_at_next_line(std::string_view text, Input input);
  void begin_line(std::size_t searched);
  /// Updates the context of the next chunk after `text` has passed.
  void pass(std::string_view text);
  Chunk suspect(std::string_view piece);
  Chunk give_up();

  std::size_t max_piece_;
  State state_ = State::words;
  std::size_t searched_ = 0;  // bytes known not to hold the end that this state looks for
  std::size_t line_ = 0;      // start of the current line, including the line end before it
  Context context_;
  KeyBlocks blocks_;
};

}  // namespace deputy::redact
