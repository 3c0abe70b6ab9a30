// File descriptors that close themselves, and folders that belong to one user alone.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/result.h"

namespace deputy {

struct FileDescriptor {
  int number = -1;  // -1: none

  FileDescriptor() = default;
  explicit FileDescriptor(int open_number) : number(open_number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int release() { return std::exchange(number, -1); }
  void close() {
    if (number >= 0) ::close(std::exchange(number, -1));
  }
};

// Access is judged by owner and mode bits, not by what this process may do: root may do everything.

/// Creates the missing folders of `path`, each for its owner alone (0700).
std::error_code make_folders(const std::filesystem::path& path);

/// Refuses a data folder of that owner and mode for a process of user `us` when others can write it: they could replace
/// our files with theirs. Pure.
Result<> check_ours_alone(const std::filesystem::path& folder, uid_t owner, mode_t mode, uid_t us);

/// Creates the data folder, or accepts an existing one that passes check_ours_alone. An existing folder of ours is
/// closed to others (0700), unless it holds something others can access: then it was not made for us and stays as it
/// is.
Result<> make_ours_alone(const std::filesystem::path& folder);

}  // namespace deputy
