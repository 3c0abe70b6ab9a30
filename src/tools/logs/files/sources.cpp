#include "tools/logs/files/sources.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

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
    // As much as there is room for: a file of a thousand tiny members is no thousand reads.
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
        // Between members is where a file may end.
        if (inside_member_) return fail(ErrorKind::upstream, "it breaks off");
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
      if (inflateReset(&stream_) != Z_OK) return fail(ErrorKind::upstream, "it is no good gzip file");
    } else if (said != Z_OK && said != Z_BUF_ERROR) {
      return fail(ErrorKind::upstream, "it is no good gzip file");
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
  std::optional<Error> broken_;  // after what was good has been read
};

}  // namespace

Result<OpenFile> open_regular(const std::string& path) {
  OpenFile file;
  file.descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (file.descriptor.number < 0) return system_error(errno);
  struct stat status{};
  if (::fstat(file.descriptor.number, &status) != 0) return system_error(errno);
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::invalid_input, "it is no regular file");
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

}  // namespace deputy::tools::files
