#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace deputy {

namespace {

constexpr mode_t kOwnersAlone = 0700;
constexpr mode_t kOthers = 0077;

std::error_code last_error() { return {errno, std::generic_category()}; }

// An entry that cannot be inspected counts as one for others.
bool holds_something_for_others(const std::filesystem::path& folder) {
  std::error_code failed;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry(folder, failed); entry != end; entry.increment(failed)) {
    struct stat seen{};
    if (lstat(entry->path().c_str(), &seen) != 0 || (seen.st_mode & kOthers) != 0) return true;
  }
  return static_cast<bool>(failed);
}

std::unexpected<Error> cannot_use(const std::filesystem::path& folder, const std::error_code& why) {
  return fail(ErrorKind::not_configured,
              fmt::format("cannot use the data folder {}: {}", folder.string(), why.message()),
              "choose another folder with --data");
}

}  // namespace

std::error_code make_folders(const std::filesystem::path& path) {
  std::filesystem::path made;
  std::error_code refused;  // a parent we may not create can exist already: only the last folder decides
  for (const auto& part : path) {
    made /= part;
    const bool is_new = mkdir(made.c_str(), kOwnersAlone) == 0;
    if (!is_new && errno != EEXIST) refused = last_error();
  }
  struct stat seen{};
  if (stat(path.c_str(), &seen) == 0) return {};
  return refused ? refused : last_error();
}

Result<> check_ours_alone(const std::filesystem::path& folder, uid_t owner, mode_t mode, uid_t us) {
  if (owner != us && owner != 0) {
    return fail(ErrorKind::permission, fmt::format("the data folder {} belongs to user {}", folder.string(), owner),
                "run Deputy as that user, or choose another folder with --data");
  }
  // This includes sticky folders: others can put files there before we do.
  if ((mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  const std::string inside =
      fmt::format("use a folder inside it, which Deputy creates for itself: `--data {}`", (folder / "deputy").string());
  // A sticky folder such as /tmp, or one whose files get its group, is meant for others: even root should not close it.
  // A process that does not own the folder, such as in a mounted volume, cannot close it.
  const bool is_for_others = (mode & (S_ISVTX | S_ISGID)) != 0 || owner != us;
  return fail(ErrorKind::permission, fmt::format("others can write the data folder {}", folder.string()),
              is_for_others ? inside
                            : fmt::format("{}; or, if nobody else needs it, make it yours alone: `chmod 700 {}`",
                                          inside, folder.string()));
}

Result<> make_ours_alone(const std::filesystem::path& folder) {
  if (const std::error_code failed = make_folders(folder)) return cannot_use(folder, failed);
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat seen{};
  if (opened.number < 0 || fstat(opened.number, &seen) != 0) return cannot_use(folder, last_error());
  TRY(check_ours_alone(folder, seen.st_uid, seen.st_mode, geteuid()));
  const bool can_be_closed = seen.st_uid == geteuid() && (seen.st_mode & kOthers) != 0;
  // On a file system without modes this does nothing; the files inside are for their owner alone anyway.
  if (can_be_closed && !holds_something_for_others(folder)) fchmod(opened.number, kOwnersAlone);
  return {};
}

}  // namespace deputy
