// The sign that a program in the sandbox has begun. What makes the sandbox writes it to a descriptor of its own, as its
// last act before it becomes the program: where it is missing the program has done nothing, and nothing that the
// program says can make it look so.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace deputy::tools {

class StartMark {
 public:
  static Result<StartMark> make();

  /// The command line that leaves the mark and then becomes `program`, in the same process and without the descriptor.
  static std::vector<std::string> before(std::vector<std::string> program);

  /// For ProcessSpec::passed.
  int descriptor() const { return write_.number; }

  /// Whether the program has begun; asked once, when it has ended.
  bool was_left() const;

 private:
  StartMark(FileDescriptor read, FileDescriptor write) : read_(std::move(read)), write_(std::move(write)) {}

  FileDescriptor read_;
  FileDescriptor write_;
};

}  // namespace deputy::tools
