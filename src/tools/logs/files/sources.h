// The bytes of a log file, one after the other, plain or unpacked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "tools/logs/files/entry.h"
#include "tools/logs/log_backend.h"

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

// Which parts of which files must be read for a time span: files last written before it are passed over, and of a large
// plain file whose times rise only the part around the span is read.

inline constexpr std::uint64_t kSampleEvery = 1 << 20;  // bytes
/// Programs with many threads write entries a little out of order.
inline constexpr std::chrono::minutes kDisorder{5};

struct FilePart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const FilePart&) const = default;
};

struct FilePlan {
  std::vector<FilePart> parts;  // in order; empty: nothing in it is of that time
  Times times = Times::in_lines;
};

/// Reads some bytes of each megabyte. A file whose sampled times do not rise is read whole. No part is larger than
/// `largest_part`, so that threads can share a file.
Result<FilePlan> plan_plain(const OpenFile& file, const TimeSpan& span, const TimeRules& rules,
                            std::uint64_t largest_part);

}  // namespace deputy::tools::files
