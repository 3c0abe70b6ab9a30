// An open file that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

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

}  // namespace deputy
