#include "config/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>

#include "base/files.h"

namespace deputy::config {

namespace {

std::unexpected<Error> why(int code) {
  const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::not_found
                         : code == EACCES || code == EPERM ? ErrorKind::permission
                         : code == EEXIST                  ? ErrorKind::conflict
                                                           : ErrorKind::internal;
  return fail(kind, std::strerror(code));
}

std::unexpected<Error> in_full(std::string_view what, const std::filesystem::path& path, Error why) {
  why.message = fmt::format("cannot {} {}: {}", what, path.string(), why.message);
  return std::unexpected(std::move(why));
}

std::unexpected<Error> system_failure(std::string_view what, const std::filesystem::path& path, int code) {
  return in_full(what, path, why(code).error());
}

Result<> write_all(int file, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_failure("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file) != 0) return system_failure("write", path, errno);
  return {};
}

}  // namespace

Fingerprint fingerprint(const std::vector<std::filesystem::path>& paths) {
  Fingerprint taken;
  taken.reserve(paths.size());
  for (const auto& path : paths) {
    struct stat seen{};
    if (stat(path.c_str(), &seen) != 0) {
      taken.emplace_back(path, std::nullopt);
      continue;
    }
    const auto since_1970 = [](const timespec& time) {
      return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    taken.emplace_back(
        path, FileIdentity{seen.st_dev, seen.st_ino, seen.st_size, since_1970(seen.st_mtim), since_1970(seen.st_ctim)});
  }
  return taken;
}

bool agree(const Fingerprint& one, const Fingerprint& other) {
  const std::map<std::filesystem::path, std::optional<FileIdentity>> known(one.begin(), one.end());
  return std::ranges::all_of(other, [&](const auto& seen) {
    const auto found = known.find(seen.first);
    return found == known.end() || found->second == seen.second;
  });
}

Fingerprint look_again(const Fingerprint& before) {
  std::vector<std::filesystem::path> paths;
  paths.reserve(before.size());
  for (const auto& [path, identity] : before) paths.push_back(path);
  return fingerprint(paths);
}

Writer writer_of(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat seen{};
  if (file.number < 0 || fstat(file.number, &seen) != 0) return errno == ENOENT ? Writer::nobody : Writer::unknown;
  if (!S_ISREG(seen.st_mode)) return Writer::nobody;
  // When someone opens it for writing while we hold the lease, the kernel signals us. The default is SIGIO, which ends
  // a process; SIGURG is ignored.
  if (fcntl(file.number, F_SETSIG, SIGURG) != 0) return Writer::unknown;
  // A read lease is granted only while nobody has the file open for writing. We release it at once, so nobody waits for
  // long.
  if (fcntl(file.number, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? Writer::somebody : Writer::unknown;
  fcntl(file.number, F_SETLEASE, F_UNLCK);
  return Writer::nobody;
}

std::optional<std::filesystem::path> being_written(const Fingerprint& files) {
  for (const auto& [path, identity] : files) {
    if (identity && writer_of(path) == Writer::somebody) return path;
  }
  return std::nullopt;
}

bool others_can_write(FileOwner owner, uid_t us) {
  return (owner.mode & 0022) != 0 || (owner.user != us && owner.user != 0);
}

bool others_can_read(FileOwner owner) { return (owner.mode & 0044) != 0; }

Result<FileContent> read_or_why(const std::filesystem::path& path, std::size_t most) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number < 0) return why(errno);
  struct stat seen{};
  if (fstat(file.number, &seen) != 0) return why(errno);
  if (!S_ISREG(seen.st_mode)) return fail(ErrorKind::invalid_input, "it is not a regular file");
  FileContent content{{}, {seen.st_uid, seen.st_mode & 07777}};
  content.text.resize(most + 1);
  std::size_t size = 0;
  while (size < content.text.size()) {
    const ssize_t piece = ::read(file.number, content.text.data() + size, content.text.size() - size);
    if (piece < 0 && errno == EINTR) continue;
    if (piece < 0) return why(errno);
    if (piece == 0) break;
    size += static_cast<std::size_t>(piece);
  }
  if (size > most) return fail(ErrorKind::invalid_input, fmt::format("it is larger than {} bytes", most));
  content.text.resize(size);
  return content;
}

Result<FileContent> read_bounded(const std::filesystem::path& path, std::size_t most) {
  Result<FileContent> content = read_or_why(path, most);
  if (!content) return in_full("read", path, std::move(content.error()));
  return content;
}

Result<> write_private(const std::filesystem::path& path, std::string_view text, Existing existing) {
  if (path.has_parent_path()) TRY(make_private_folder(path.parent_path()));
  std::string draft = path.string() + ".XXXXXX";
  const FileDescriptor file(mkostemp(draft.data(), O_CLOEXEC));  // 0600
  if (file.number < 0) return system_failure("write", draft, errno);
  Result<> written = write_all(file.number, text, path);
  if (written && existing == Existing::replace && rename(draft.c_str(), path.c_str()) == 0) return {};
  if (written && existing == Existing::keep && link(draft.c_str(), path.c_str()) == 0) {
    unlink(draft.c_str());
    return {};
  }
  if (written) written = system_failure("write", path, errno);
  unlink(draft.c_str());
  return written;
}

Result<> make_private_folder(const std::filesystem::path& path) {
  if (const std::error_code failed = make_folders(path))
    return system_failure("create the folder", path, failed.value());
  struct stat seen{};
  if (stat(path.c_str(), &seen) != 0) return system_failure("create the folder", path, errno);
  if (!S_ISDIR(seen.st_mode)) return fail(ErrorKind::invalid_input, fmt::format("{} is not a folder", path.string()));
  // In a sticky folder such as /tmp others may add files but not touch ours. That is enough for a file that somebody
  // named; the data folder has stricter rules (base/files.h).
  const mode_t writable_as = (seen.st_mode & S_ISVTX) != 0 ? seen.st_mode & 07755 : seen.st_mode & 07777;
  if (others_can_write({seen.st_uid, writable_as}, geteuid())) {
    return fail(
        ErrorKind::permission, fmt::format("others can write the folder {}", path.string()),
        fmt::format("use a file in a folder of your own, or make this one yours alone: `chmod 700 {}`", path.string()));
  }
  return {};
}

}  // namespace deputy::config
