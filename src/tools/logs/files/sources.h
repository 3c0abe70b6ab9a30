// The bytes of a log file, one after the other, plain or unpacked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace deputy::tools::files {

/// A regular file, opened without following a link or waiting for a writer.
struct OpenFile {
  FileDescriptor descriptor;
  std::uint64_t size = 0;
};
Result<OpenFile> open_regular(const std::string& path);

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `most` bytes; 0 at the end. An error leaves what was read before good.
  virtual Result<std::size_t> read(char* into, std::size_t most) = 0;
};

/// A file from an offset on, to its end. It may grow and shrink meanwhile. The descriptor outlives it.
std::unique_ptr<ByteSource> plain_source(const FileDescriptor& file, std::uint64_t begin);
/// A gzip file, of several members too. The descriptor outlives it.
std::unique_ptr<ByteSource> gzip_source(const FileDescriptor& file);

/// Reads at an offset without moving anything; fewer bytes only at the end of the file.
Result<std::size_t> read_at(const FileDescriptor& file, char* into, std::size_t most, std::uint64_t offset);

}  // namespace deputy::tools::files
