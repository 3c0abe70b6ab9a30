// Reads the bytes of a log file, plain or gzip, and decides which parts of a plain file must be read for a time range.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "tools/logs/entry.h"
#include "tools/logs/log_backend.h"

namespace deputy::tools::files {

/// A regular file. It is opened without following a link or blocking on a pipe.
struct OpenFile {
  FileDescriptor descriptor;
  std::uint64_t size = 0;
};
Result<OpenFile> open_regular(const std::string& path);

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `most` bytes; 0 at the end. After an error, what was read before is still valid.
  virtual Result<std::size_t> read(char* into, std::size_t most) = 0;
};

/// A file from an offset to its end. The file may grow and shrink meanwhile. The descriptor outlives the source.
std::unique_ptr<ByteSource> plain_source(const FileDescriptor& file, std::uint64_t begin);
/// A gzip file, of one or several members. The descriptor outlives the source.
std::unique_ptr<ByteSource> gzip_source(const FileDescriptor& file);

/// Reads at an offset; the file position stays. Returns fewer bytes than asked for only at the end of the file.
Result<std::size_t> read_at(const FileDescriptor& file, char* into, std::size_t most, std::uint64_t offset);

inline constexpr std::uint64_t kSampleEvery = 1 << 20;  // bytes
/// How far entries may be out of order: programs with many threads do not write them strictly by time.
inline constexpr std::chrono::minutes kDisorder{5};

struct FilePart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const FilePart&) const = default;
};

struct FilePlan {
  std::vector<FilePart> parts;  // in order; empty: nothing in the file is from that time
  logs::Times times = logs::Times::in_lines;
};

/// Decides which parts of a plain file to read for a time range. Samples the times of a large file in each megabyte: if
/// they rise, only the part around the range is read, else the whole file. No part is larger than `largest_part`, so
/// that threads can share a file.
Result<FilePlan> plan_plain(const OpenFile& file, const TimeSpan& span, const logs::TimeRules& rules,
                            std::uint64_t largest_part);

}  // namespace deputy::tools::files
