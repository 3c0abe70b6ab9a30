// Finding secrets and putting markers in their place: what comes in passes here before it is stored, indexed, sent to a
// model or logged.
//
// What counts: secrets with a shape (patterns.cpp), values next to secret-like names (names.h, values.h), credentials
// after `Bearer`, `Basic` and the like, passwords in URLs, private key blocks. Prose about keys does not. Time is
// linear in the text and memory is bounded. Bytes need not be UTF-8. Text without a secret comes out byte for byte as
// it went in.
//
// redact(redact(x)) == redact(x), and a marker is never redacted again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "redact/chunks.h"
#include "redact/marker.h"

namespace deputy::redact {

/// The secrets of `text` in order. For arguments, which are refused instead of altered.
std::vector<Finding> find(std::string_view text);

/// Every kind that a finding can have.
std::vector<std::string_view> kinds();

/// Redacts a text that arrives in parts. What is let out is the same however it was cut, and never holds a part of a
/// secret: the last unfinished word, the rest of a line after a secret-like name and an open private key block are held
/// back until they are known.
class Stream {
 public:
  /// Holds back at most `longest_piece` bytes; where more would be needed, they are replaced as a whole (`oversized`).
  explicit Stream(std::string salt, std::size_t longest_piece = kLongestPiece)
      : salt_(std::move(salt)), longest_piece_(longest_piece), cutter_(longest_piece) {}

  /// What may be let out now.
  std::string feed(std::string_view part);

  /// What was still held back. The stream can then be used for another text.
  std::string finish();

  /// How many secrets were replaced so far.
  std::size_t replaced() const { return replaced_; }

 private:
  /// Appends to `out` what of `text` is known and returns how many bytes of it that was.
  std::size_t advance(std::string_view text, Input input, std::string& out);

  friend class Redactor;

  std::string salt_;
  std::size_t longest_piece_;
  std::string held_;
  Cutter cutter_;
  std::size_t replaced_ = 0;
};

/// Redacts whole texts. Immutable: use it from any thread.
class Redactor {
 public:
  /// The same secret has the same marker under one salt: one salt a run. Who knows the salt can try guesses against a
  /// marker, so it is random bytes, or derived from such.
  explicit Redactor(std::string salt, std::size_t longest_piece = kLongestPiece)
      : salt_(std::move(salt)), longest_piece_(longest_piece) {}

  std::string redact(std::string_view text) const;
  Stream stream() const { return Stream(salt_, longest_piece_); }

 private:
  std::string salt_;
  std::size_t longest_piece_;
};

}  // namespace deputy::redact
