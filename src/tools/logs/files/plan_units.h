// Which parts of which files must be read for a time span: files last written before it are passed over, and of a large
// plain file whose times rise only the part around the span is read.
#pragma once

#include <vector>

#include "tools/logs/files/entry.h"
#include "tools/logs/files/sources.h"
#include "tools/logs/log_backend.h"

namespace deputy::tools::files {

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
