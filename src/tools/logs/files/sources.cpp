#include "tools/logs/files/sources.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "tools/logs/files/scan.h"

namespace deputy::tools::files {

namespace {

std::unexpected<Error> system_error(int code) {
  return fail(ErrorKind::upstream, std::generic_category().message(code));
}

class PlainSource final : public ByteSource {
 public:
  PlainSource(const FileDescriptor& file, std::uint64_t begin) : file_(file), at_(begin) {}

  Result<std::size_t> read(char* into, std::size_t most) override {
    TRY(const std::size_t count, read_at(file_, into, most, at_));
    at_ += count;
    return count;
  }

 private:
  const FileDescriptor& file_;
  std::uint64_t at_;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(const FileDescriptor& file) : file_(file), packed_(kPackedSize) {
    constexpr int kGzipOnly = 15 + 16;
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<std::size_t> read(char* into, std::size_t most) override {
    if (!ready_) return fail(ErrorKind::internal, "zlib could not be started");
    if (broken_) return std::unexpected(*broken_);
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(most, 1u << 30));
    const std::size_t room = stream_.avail_out;
    // Fill the buffer: a file of a thousand tiny members must not take a thousand reads.
    while (stream_.avail_out > 0 && !ended_ && !broken_) {
      if (Result<> some = inflate_some(); !some) broken_ = some.error();
    }
    const std::size_t count = room - stream_.avail_out;
    if (count == 0 && broken_) return std::unexpected(*broken_);
    return count;
  }

 private:
  static constexpr std::size_t kPackedSize = 128 * 1024;

  Result<> inflate_some() {
    if (stream_.avail_in == 0) {
      TRY(const std::size_t count, read_at(file_, packed_.data(), packed_.size(), at_));
      if (count == 0) {
        ended_ = true;
        // The file may end only between members.
        if (inside_member_) return fail(ErrorKind::upstream, "the gzip file is cut off");
        return {};
      }
      at_ += count;
      stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_in = static_cast<uInt>(count);
    }
    inside_member_ = true;
    const int said = inflate(&stream_, Z_NO_FLUSH);
    if (said == Z_STREAM_END) {
      inside_member_ = false;
      if (inflateReset(&stream_) != Z_OK) return fail(ErrorKind::upstream, "it is not a valid gzip file");
    } else if (said != Z_OK && said != Z_BUF_ERROR) {
      return fail(ErrorKind::upstream, "it is not a valid gzip file");
    }
    return {};
  }

  const FileDescriptor& file_;
  std::vector<char> packed_;
  z_stream stream_{};
  std::uint64_t at_ = 0;
  bool ready_ = false;
  bool inside_member_ = false;
  bool ended_ = false;
  std::optional<Error> broken_;  // returned once the bytes before the error have been read
};

}  // namespace

Result<OpenFile> open_regular(const std::string& path) {
  OpenFile file;
  file.descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (file.descriptor.number < 0) return system_error(errno);
  struct stat status{};
  if (::fstat(file.descriptor.number, &status) != 0) return system_error(errno);
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::invalid_input, "it is not a regular file");
  file.size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Result<std::size_t> read_at(const FileDescriptor& file, char* into, std::size_t most, std::uint64_t offset) {
  std::size_t count = 0;
  while (count < most) {
    const ssize_t got = ::pread(file.number, into + count, most - count, static_cast<off_t>(offset + count));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno);
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  return count;
}

std::unique_ptr<ByteSource> plain_source(const FileDescriptor& file, std::uint64_t begin) {
  return std::make_unique<PlainSource>(file, begin);
}
std::unique_ptr<ByteSource> gzip_source(const FileDescriptor& file) { return std::make_unique<GzipSource>(file); }

namespace {

constexpr std::size_t kSampleSize = 16 * 1024;
constexpr std::uint64_t kReadWhole = 4 * kSampleEvery;  // smaller files have too few samples to trust their order

/// The first time in `sample`. Skips the first line unless the sample begins at the beginning of a line.
std::optional<Timestamp> first_time(std::string_view sample, bool begins_a_line, const logs::TimeRules& rules) {
  if (!begins_a_line) {
    const std::size_t end = sample.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    sample.remove_prefix(end + 1);
  }
  while (!sample.empty()) {
    const std::string_view line = sample.substr(0, sample.find('\n'));
    if (const auto at = logs::time_of(line, rules)) return at;
    sample.remove_prefix(std::min(sample.size(), line.size() + 1));
  }
  return std::nullopt;
}

/// The part of a file that contains the time range; nothing if the sampled times do not rise or cannot be read.
Result<std::optional<FilePart>> part_around(const OpenFile& file, const TimeSpan& span, const logs::TimeRules& rules) {
  std::vector<char> sample(kSampleSize);
  FilePart part{file.size, file.size};
  std::optional<Timestamp> before;
  bool begun = false;
  for (std::uint64_t at = 0; at < file.size; at += kSampleEvery) {
    TRY(const std::size_t count, read_at(file.descriptor, sample.data(), sample.size(), at));
    const auto time = first_time({sample.data(), count}, at == 0, rules);
    if (!time || (before && *time < *before - kDisorder)) return std::nullopt;
    before = std::max(before.value_or(*time), *time);
    // Entries before this sample may still be in the range. Once a sample is past the end, entries after it are not.
    if (!begun && *time >= span.from - kDisorder) {
      part.begin = at < kSampleEvery ? 0 : at - kSampleEvery;
      begun = true;
    }
    if (*time > span.to + kDisorder) {
      part.end = std::min(file.size, at + kSampleSize);
      // Check the rest too: only if the times rise to the end of the file may a part of it be skipped.
      for (at += kSampleEvery; at < file.size; at += kSampleEvery) {
        TRY(const std::size_t more, read_at(file.descriptor, sample.data(), sample.size(), at));
        const auto later = first_time({sample.data(), more}, false, rules);
        if (!later || *later < *before - kDisorder) return std::nullopt;
        before = std::max(*before, *later);
      }
      break;
    }
  }
  if (!begun) part.begin = file.size <= kSampleEvery ? 0 : (file.size - 1) / kSampleEvery * kSampleEvery;
  return part;
}

}  // namespace

Result<FilePlan> plan_plain(const OpenFile& file, const TimeSpan& span, const logs::TimeRules& rules,
                            std::uint64_t largest_part) {
  FilePlan plan;
  if (file.size == 0) return plan;
  std::vector<char> head(4 * kSampleSize);
  TRY(const std::size_t count, read_at(file.descriptor, head.data(), head.size(), 0));
  const std::string_view beginning(head.data(), count);
  plan.times = times_in(beginning, rules);
  FilePart part{0, file.size};
  if (plan.times == logs::Times::in_lines && file.size >= kReadWhole) {
    TRY(const std::optional<FilePart> around, part_around(file, span, rules));
    if (around) part = *around;
    // The times rise and begin after the range: nothing to read.
    const auto first = first_time(beginning, true, rules);
    if (around && first && *first > span.to + kDisorder) return plan;
  }
  for (std::uint64_t at = part.begin; at < part.end; at += largest_part) {
    plan.parts.push_back({at, std::min(part.end, at + largest_part)});
  }
  return plan;
}

}  // namespace deputy::tools::files
