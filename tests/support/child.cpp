#include "support/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace deputy::test {

Child::Child(std::vector<std::string> arguments, std::vector<std::string> variables) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], 1);
    for (std::string& variable : variables) putenv(variable.data());
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  output_ = ends[0];
}

Child::~Child() {
  if (pid_ > 0) {
    kill();
    wait();
  }
  close(output_);
}

std::optional<std::string> Child::read_line(std::chrono::seconds limit) {
  for (;;) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    pollfd waiting{output_, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(limit).count())) == 0) {
      throw std::runtime_error("the program under test has gone silent");
    }
    char piece[4096];
    const ssize_t size = read(output_, piece, sizeof piece);
    if (size <= 0) return std::nullopt;  // an unfinished line was never said
    buffer_.append(piece, static_cast<std::size_t>(size));
  }
}

std::vector<std::string> Child::read_rest() {
  std::vector<std::string> lines;
  while (auto line = read_line()) lines.push_back(*std::move(line));
  return lines;
}

void Child::kill() { ::kill(pid_, SIGKILL); }

int Child::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace deputy::test
