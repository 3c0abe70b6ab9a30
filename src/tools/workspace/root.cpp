#include "tools/workspace/root.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "base/secret.h"
#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxForState = 64UL * 1024 * 1024;

int open_below(int folder, const std::string& path, int flags, std::uint64_t links) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | links;
  // The kernel returns EAGAIN if something was renamed meanwhile: try again, but not forever.
  int opened = -1;
  for (int tries = 0; tries < 16; ++tries) {
    opened = static_cast<int>(syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how));
    if (opened >= 0 || (errno != EAGAIN && errno != EINTR)) break;
  }
  return opened;
}

int open_name_by_name(int folder, const std::string& path, int flags) {
  FileDescriptor at(openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::string_view rest = path;
  while (at.number >= 0) {
    const std::size_t slash = rest.find('/');
    const std::string name(rest.substr(0, slash));
    if (slash == std::string_view::npos) return openat(at.number, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC);
    at = FileDescriptor(openat(at.number, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    rest.remove_prefix(slash + 1);
  }
  return -1;
}

std::unexpected<Error> explain(std::string_view path, int code) {
  const std::string shown = shown_path(path);
  switch (code) {
    case ENOENT:
      return fail(ErrorKind::not_found, fmt::format("there is no {} in the workspace", shown),
                  "see what there is with list_files");
    case EXDEV:
    case ELOOP:
      return fail(ErrorKind::permission, fmt::format("{} is a link that leads out of the workspace, or nowhere", shown),
                  "tools see nothing outside the workspace");
    case ENOTDIR:
      return fail(ErrorKind::invalid_input, fmt::format("a part of {} is not a folder", shown));
    case EACCES:
    case EPERM:
      return fail(ErrorKind::permission, fmt::format("Deputy has no permission to open {}", shown));
    case ENXIO:
      return fail(ErrorKind::invalid_input, fmt::format("{} is not an ordinary file", shown));
    default:
      return fail(ErrorKind::internal, fmt::format("cannot open {}: {}", shown, std::strerror(code)));
  }
}

std::unexpected<Error> cannot_write(std::string_view path, int code) {
  const ErrorKind kind = code == EACCES || code == EPERM || code == EROFS ? ErrorKind::permission : ErrorKind::internal;
  return fail(kind, fmt::format("cannot write {}: {}", shown_path(path), std::strerror(code)));
}

std::unexpected<Error> is_a_link(std::string_view path) {
  return fail(ErrorKind::invalid_input, fmt::format("{} is a link", shown_path(path)), "write to what it points to");
}

Result<> write_all(const FileDescriptor& file, std::string_view content, std::string_view path) {
  while (!content.empty()) {
    const ssize_t written = ::write(file.number, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// A temporary file that is renamed when it is complete; until then it is removed at the end.
struct Unnamed {
  int folder;
  std::string name;
  FileDescriptor file;

  ~Unnamed() {
    if (!name.empty()) unlinkat(folder, name.c_str(), 0);
  }
};

// Replacing a file creates a new one, so it must get the mode and owner of the old one, or the owner of the folder.
// Only root may change the owner of a file; other accounts own what they create.
void keep_owner_and_mode(const FileDescriptor& file, const std::optional<struct stat>& old, const struct stat& folder) {
  if (geteuid() == 0) {
    const struct stat& like = old ? *old : folder;
    [[maybe_unused]] const int given = fchown(file.number, like.st_uid, like.st_gid);
  }
  if (old) fchmod(file.number, old->st_mode & 0777U);
}

}  // namespace

Resolving best_resolving() {
  const FileDescriptor probe(open_below(AT_FDCWD, ".", O_PATH, RESOLVE_NO_SYMLINKS));
  return probe.number < 0 && errno == ENOSYS ? Resolving::name_by_name : Resolving::by_kernel;
}

FileState state_of_content(std::string_view content) { return {sha256_hex(content)}; }

Result<Root> Root::open(const std::filesystem::path& folder, Resolving resolving) {
  std::error_code failed;
  const std::filesystem::path canonical = std::filesystem::canonical(folder, failed);
  FileDescriptor opened(failed ? -1 : ::open(canonical.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (opened.number < 0) {
    return fail(ErrorKind::not_configured, fmt::format("the workspace `{}` is not a folder", folder.string()),
                "set tools.workspace_tools.root to a folder that is there");
  }
  return Root(std::move(opened), canonical, resolving);
}

Result<FileDescriptor> Root::resolve(std::string_view path, int flags, Links links) const {
  TRY(const std::string inside, normal_path(path));
  const std::uint64_t refused = links == Links::refused ? RESOLVE_NO_SYMLINKS : 0;
  FileDescriptor opened(resolving_ == Resolving::by_kernel ? open_below(descriptor_.number, inside, flags, refused)
                                                           : open_name_by_name(descriptor_.number, inside, flags));
  if (opened.number < 0) return explain(path, errno);
  return opened;
}

Result<FileDescriptor> Root::open_folder(std::string_view path) const {
  return resolve(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
}

Result<FileDescriptor> Root::open_file(std::string_view path) const {
  // Opening a device may already have an effect, so check what it is first.
  TRY(const FileDescriptor seen, resolve(path, O_PATH));
  struct stat about{};
  if (fstat(seen.number, &about) != 0) return explain(path, errno);
  if (S_ISLNK(about.st_mode)) return explain(path, ELOOP);
  if (S_ISDIR(about.st_mode)) {
    return fail(ErrorKind::invalid_input, fmt::format("{} is a folder", shown_path(path)),
                "see what is in it with list_files");
  }
  if (!S_ISREG(about.st_mode)) return explain(path, ENXIO);
  TRY(FileDescriptor file, resolve(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (fstat(file.number, &about) != 0) return explain(path, errno);
  if (!S_ISREG(about.st_mode)) return explain(path, ENXIO);
  return file;
}

Result<std::string> read_open_file(const FileDescriptor& file, std::string_view path, std::size_t most) {
  std::string content;
  std::string piece(64 * 1024, '\0');
  for (;;) {
    const ssize_t size = ::read(file.number, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return explain(path, errno);
    if (size == 0) return content;
    content.append(piece, 0, static_cast<std::size_t>(size));
    if (content.size() > most) {
      return fail(ErrorKind::invalid_input, fmt::format("{} has more than {} bytes", shown_path(path), most));
    }
  }
}

Result<std::string> Root::read(std::string_view path, std::size_t most) const {
  TRY(const FileDescriptor file, open_file(path));
  return read_open_file(file, path, most);
}

Result<FileState> Root::state(std::string_view path, std::size_t most) const {
  const Result<std::string> content = read(path, most);
  if (content) return state_of_content(*content);
  if (content.error().kind == ErrorKind::not_found) return FileState{};
  return std::unexpected(content.error());
}

Result<FileDescriptor> Root::make_folders(std::string_view path) const {
  TRY(const std::string inside, normal_path(path));
  TRY(FileDescriptor at, open_folder(""));
  for (std::size_t end = 0; end < inside.size() && inside != ".";) {
    end = std::min(inside.find('/', end + 1), inside.size());
    const std::string so_far = inside.substr(0, end);
    Result<FileDescriptor> next = open_folder(so_far);
    if (!next && next.error().kind == ErrorKind::not_found) {
      const std::string name = so_far.substr(so_far.rfind('/') + 1);
      if (mkdirat(at.number, name.c_str(), 0777) != 0 && errno != EEXIST) return cannot_write(path, errno);
      struct stat above{};
      if (geteuid() == 0 && fstat(at.number, &above) == 0) {
        [[maybe_unused]] const int given =
            fchownat(at.number, name.c_str(), above.st_uid, above.st_gid, AT_SYMLINK_NOFOLLOW);
      }
      next = open_folder(so_far);
    }
    TRY(at, std::move(next));
  }
  return at;
}

std::string Root::path_of(const FileDescriptor& opened) const {
  const auto name_of = [](const FileDescriptor& file) {
    std::error_code failed;
    return std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file.number), failed).string();
  };
  const std::string root = name_of(descriptor_);
  const std::string path = name_of(opened);
  if (path == root) return ".";
  return path.starts_with(root + "/") ? path.substr(root.size() + 1) : "";
}

Result<toolkit::Led> Root::leads_to(std::string_view path) const {
  TRY(const std::string inside, normal_path(path));
  const Result<FileDescriptor> there = resolve(inside, O_PATH, Links::followed);
  if (there) {
    struct stat about{};
    if (fstat(there->number, &about) != 0) return explain(path, errno);
    if (S_ISLNK(about.st_mode)) return explain(path, ELOOP);
    std::string found = path_of(*there);
    if (found.empty()) return explain(path, EXDEV);
    return toolkit::Led{std::move(found), S_ISREG(about.st_mode) && about.st_nlink > 1};
  }
  if (there.error().kind != ErrorKind::not_found || inside == ".") return std::unexpected(there.error());
  const std::size_t slash = inside.rfind('/');
  const std::string name = inside.substr(slash == std::string::npos ? 0 : slash + 1);
  TRY(const toolkit::Led folder, leads_to(slash == std::string::npos ? "." : inside.substr(0, slash)));
  return toolkit::Led{folder.path == "." ? name : folder.path + "/" + name};
}

Result<> Root::check_has_no_link(std::string_view path) const {
  TRY(const std::string inside, normal_path(path));
  for (std::size_t end = 0; end < inside.size();) {
    end = std::min(inside.find('/', end + 1), inside.size());
    const std::string so_far = inside.substr(0, end);
    const Result<FileDescriptor> there = resolve(so_far, O_PATH | O_NOFOLLOW);
    struct stat about{};
    if (there && fstat(there->number, &about) == 0 && S_ISLNK(about.st_mode)) return is_a_link(so_far);
  }
  return {};
}

Result<> Root::write(std::string_view path, std::string_view content, const FileState& seen) const {
  TRY(const std::string inside, normal_path(path));
  const auto conflict = [&](std::string_view how) {
    return fail(ErrorKind::conflict, fmt::format("{} {}", shown_path(path), how),
                "read it again and make a new change");
  };
  if (!check_has_no_link(inside)) return conflict("leads through a link now");
  const std::size_t slash = inside.rfind('/');
  const std::string folder_path = slash == std::string::npos ? "" : inside.substr(0, slash);
  const std::string name = slash == std::string::npos ? inside : inside.substr(slash + 1);
  TRY(const FileState now, state(inside, kMaxForState));
  if (now != seen) return conflict("has changed since it was looked at");
  TRY(const FileDescriptor folder, make_folders(folder_path));
  struct stat about_folder{};
  if (fstat(folder.number, &about_folder) != 0) return cannot_write(path, errno);
  std::optional<struct stat> old;
  struct stat about{};
  if (fstatat(folder.number, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0) old = about;
  if (old && S_ISLNK(old->st_mode)) return conflict("is a link now");
  if (old && !S_ISREG(old->st_mode)) return explain(path, ENXIO);
  Unnamed fresh{folder.number, ".deputy-" + sha256_hex(random_bytes(16)).substr(0, 16), {}};
  fresh.file = FileDescriptor(
      openat(folder.number, fresh.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (fresh.file.number < 0) return cannot_write(path, errno);
  keep_owner_and_mode(fresh.file, old, about_folder);
  TRY(write_all(fresh.file, content, path));
  if (fsync(fresh.file.number) != 0) return cannot_write(path, errno);
  if (renameat(folder.number, fresh.name.c_str(), folder.number, name.c_str()) != 0) return cannot_write(path, errno);
  fresh.name.clear();
  if (fsync(folder.number) != 0) return cannot_write(path, errno);
  return {};
}

Result<> check_apart(const std::filesystem::path& root, const std::vector<std::filesystem::path>& own_folders) {
  const auto canonical = [](const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::path found = std::filesystem::weakly_canonical(path, failed);
    return (failed ? path.lexically_normal() : found) / "";
  };
  const auto contains = [](const std::filesystem::path& outer, const std::filesystem::path& inner) {
    return inner.native().starts_with(outer.native());
  };
  const std::filesystem::path workspace = canonical(root);
  for (const std::filesystem::path& own : own_folders) {
    const std::filesystem::path other = canonical(own);
    if (!contains(workspace, other) && !contains(other, workspace)) continue;
    return fail(
        ErrorKind::not_configured,
        fmt::format("the workspace `{}` and Deputy's own folder `{}` contain each other", root.string(), own.string()),
        "set tools.workspace_tools.root to another folder");
  }
  return {};
}

}  // namespace deputy::tools
