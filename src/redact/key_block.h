// Private key blocks: from `-----BEGIN … PRIVATE KEY-----` to its END, and from `Private-Lines:` to `Private-MAC:` in
// the files of PuTTY, over lines or inside one line with a literal `\n`. A block whose END is missing goes as far as
// lines look like the inside of one. Read line by line, without looking ahead, so that a stream and a whole text agree.
#pragma once

#include <string_view>
#include <vector>

#include "redact/marker.h"

namespace deputy::redact {

inline constexpr std::string_view kKeyBlock = "pem";

/// A pattern (RE2) that hits in every line that a block can begin in.
inline constexpr std::string_view kKeyBlockHints = "-----BEGIN|Private-Lines:";

class KeyBlocks {
 public:
  /// With `open` the first line already lies inside a block.
  explicit KeyBlocks(bool open = false) : open_(open) {}

  /// Whether the last line that was read ended inside a block.
  bool open() const { return open_; }

  /// Reads the next line, without its end. False when a block was open and `line` does not belong to it: the block has
  /// ended with the line before, and `line` was not read.
  bool read(std::string_view line, std::size_t offset);

  /// The blocks so far, by the offsets given to read.
  const std::vector<Finding>& found() const { return found_; }

 private:
  /// Looks for blocks that begin in `line` at or after `from`.
  void read_outside(std::string_view line, std::size_t from, std::size_t offset);

  bool open_;
  bool begun_ = false;  // found_.back() is the open block
  std::vector<Finding> found_;
};

/// True for base64 of a text with a private key block in it, as clusters keep keys. Certificates are no secret.
bool is_private_key_in_base64(std::string_view text);

/// The private key blocks of `text`, which is cut so that it holds whole ones.
std::vector<Finding> find_key_blocks(std::string_view text, bool starts_open);

}  // namespace deputy::redact
