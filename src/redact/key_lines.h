// Key material without its armour: three or more neighbouring lines that hold base64 of the width of key files, also
// behind a log's prefix; the last line may be shorter. That is what is left of a private key when its first line was
// cut off, or when a log holds one line of it an entry. Each line's part becomes a marker of its own; the lines stay.
//
// Certificates and public keys are left alone, and so is a block that begins with its armour: key_block.h finds it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "redact/marker.h"

namespace deputy::redact {

enum class Input { more_follows, ended };

class KeyLines {
 public:
  /// `enough` lines in a row are a key.
  explicit KeyLines(std::string salt, std::size_t enough = 3) : salt_(std::move(salt)), enough_(enough) {}

  /// `text`, which follows what was given before, with key material replaced. Holds back the last run of base64
  /// characters and at most the lines that are needed to know if they are a key.
  std::string feed(std::string_view text, Input input);

  /// What the last feed replaced, by offsets from the start of all text.
  const std::vector<Finding>& found() const { return found_; }

 private:
  enum class Step { done, needs_more };
  Step begin(Input input, std::string& out);
  Step go_on(Input input, std::string& out);
  void count(Range word, std::size_t column);
  void end(std::string& out);
  /// Moves the start of held_ to `out`, with the key's parts replaced unless they are left alone.
  void release(std::size_t length, std::string& out);
  /// True when the word at the start of held_, whose line ends at `line_end`, begins nothing to be replaced here.
  bool is_left_alone(std::size_t line_end) const;

  std::string salt_;
  std::size_t enough_;
  std::string held_;
  std::string before_;  // the end of what was released
  std::size_t released_ = 0;
  std::size_t at_ = 0;        // where to read on in held_
  std::vector<Range> parts_;  // of the key in held_
  std::size_t lines_ = 0;     // of the key so far; 0: there is none
  std::size_t width_ = 0;     // of its lines
  std::size_t column_ = 0;    // of its last part
  bool left_alone_ = false;
  bool in_long_run_ = false;  // held_ begins inside a run that is too long
  std::vector<Finding> found_;
};

}  // namespace deputy::redact
