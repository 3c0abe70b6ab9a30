// An open file that closes itself.
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

// Folders that are one user's alone: made so, and judged by owner and mode. By the bits, not by whether we may: root
// may everything.

/// Makes the folders of `path` that are missing, each for its owner alone (0700).
std::error_code make_folders(const std::filesystem::path& path);

/// What is wrong with a data folder of that owner and mode for a process of user `us`: whoever can write it can put a
/// file of theirs in place of ours. Pure.
Result<> check_ours_alone(const std::filesystem::path& folder, uid_t owner, mode_t mode, uid_t us);

/// Makes the data folder, or takes one that is there and passes check_ours_alone. One of ours that others can enter is
/// closed to them (0700), unless something in it is for them too: then it was not made for us, and stays as it is.
Result<> make_ours_alone(const std::filesystem::path& folder);

}  // namespace deputy
