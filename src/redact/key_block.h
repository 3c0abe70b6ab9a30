// Private key blocks: from `-----BEGIN … PRIVATE KEY-----` to its END, and from `Private-Lines:` to `Private-MAC:` in
// PuTTY files, over several lines or inside one line with a literal `\n`. A block without END extends as far as lines
// look like the inside of one. Lines are read one by one without looking ahead, so that a stream and a whole text
// agree.
#pragma once

#include <string_view>
#include <vector>

#include "redact/marker.h"

namespace deputy::redact {

inline constexpr std::string_view kKeyBlock = "pem";

/// A pattern (RE2) that matches in every line that a block can begin in.
inline constexpr std::string_view kKeyBlockHints = "-----BEGIN|Private-Lines:";

class KeyBlocks {
 public:
  /// With `open` the first line is already inside a block.
  explicit KeyBlocks(bool open = false) : open_(open) {}

  /// True when the last line read ended inside a block.
  bool open() const { return open_; }

  /// Reads the next line, without its end. False when a block was open and `line` does not belong to it: the block
  /// ended with the previous line, and `line` was not read.
  bool read(std::string_view line, std::size_t offset);

  /// The blocks so far, by the offsets given to read.
  const std::vector<Finding>& found() const { return found_; }

 private:
  /// Finds blocks that begin in `line` at or after `from`.
  void read_outside(std::string_view line, std::size_t from, std::size_t offset);

  bool open_;
  bool begun_ = false;  // found_.back() is the open block
  std::vector<Finding> found_;
};

/// True for base64 of a text that contains a private key block, as clusters store keys. Certificates are not secret.
bool is_private_key_in_base64(std::string_view text);

/// The private key blocks of `text`, which holds whole ones.
std::vector<Finding> find_key_blocks(std::string_view text, bool starts_open);

}  // namespace deputy::redact
