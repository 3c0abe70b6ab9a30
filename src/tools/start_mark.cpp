#include "tools/start_mark.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/process.h"

namespace deputy::tools {

Result<StartMark> StartMark::make() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    return fail(ErrorKind::internal, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return StartMark(FileDescriptor(ends[0]), FileDescriptor(ends[1]));
}

std::vector<std::string> StartMark::before(std::vector<std::string> program) {
  // A mark that cannot be left starts nothing.
  std::vector<std::string> line{"/bin/sh", "-c",
                                fmt::format(R"(printf x >&{0} && exec {0}>&- && exec "$@")", kPassedDescriptor), "sh"};
  line.insert(line.end(), std::make_move_iterator(program.begin()), std::make_move_iterator(program.end()));
  return line;
}

bool StartMark::was_left() const {
  char mark = 0;
  return read(read_.number, &mark, 1) == 1;
}

}  // namespace deputy::tools
