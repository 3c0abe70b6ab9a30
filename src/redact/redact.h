// Finds secrets and replaces them with markers. Incoming text passes through here before it is stored, indexed, sent to
// a model or logged.
//
// It finds secrets with a known shape (shapes.h), values next to secret-like names (names.h, values.h), credentials
// after `Bearer`, `Basic` and the like, passwords in URLs, and private key blocks, but not prose about keys. Time is
// linear in the text and memory is bounded. Bytes need not be UTF-8. Terminal codes and zero-width characters are
// removed (visible.h); other text without a secret comes out unchanged.
//
// redact(redact(x)) == redact(x), and a marker is never redacted again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "redact/chunks.h"
#include "redact/key_lines.h"
#include "redact/marker.h"
#include "redact/visible.h"

namespace deputy::redact {

/// The secrets of `text` in order, by offsets in visible(text). Use it for arguments, which are refused instead of
/// changed.
std::vector<Finding> find(std::string_view text);

/// Every kind that a finding can have.
std::vector<std::string_view> kinds();

/// Redacts a text that arrives in parts. The output is the same however the text was cut, and never contains part of a
/// secret: the last unfinished word, the rest of a line after a secret-like name and an open private key block are held
/// back until they can be decided.
class Stream {
 public:
  /// Holds back at most `max_piece` bytes; a longer chunk is replaced as a whole (`oversized`).
  explicit Stream(std::string salt, std::size_t max_piece = kMaxPiece, Lines lines = Lines::joined)
      : salt_(std::move(salt)),
        max_piece_(max_piece),
        lines_(lines),
        key_lines_(lines == Lines::picked ? KeyLines(salt_, 1) : KeyLines(salt_)),
        cutter_(max_piece) {}

  /// Returns the text that is ready.
  std::string feed(std::string_view part);

  /// Returns the rest. The stream can then be used for another text.
  std::string finish();

  /// The number of secrets replaced so far.
  std::size_t replaced() const { return replaced_; }

 private:
  std::string pass(std::string_view part, Input input);
  /// Appends the decided part of `text` to `out` and returns its length in bytes of `text`.
  std::size_t advance(std::string_view text, Input input, std::string& out);

  friend class Redactor;

  std::string salt_;
  std::size_t max_piece_;
  Lines lines_;
  VisibleText visible_;
  KeyLines key_lines_;
  std::string held_;
  Cutter cutter_;
  std::size_t replaced_ = 0;
};

/// Redacts whole texts. Immutable: use it from any thread.
class Redactor {
 public:
  /// The same secret has the same marker under one salt: use one salt per run. Anyone who knows the salt can test
  /// guesses against a marker, so it must be random bytes, or derived from such.
  explicit Redactor(std::string salt, std::size_t max_piece = kMaxPiece)
      : salt_(std::move(salt)), max_piece_(max_piece) {}

  std::string redact(std::string_view text, Lines lines = Lines::joined) const;
  Stream stream() const { return Stream(salt_, max_piece_); }

 private:
  std::string salt_;
  std::size_t max_piece_;
};

}  // namespace deputy::redact
