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
  int input[2];
  if (pipe2(ends, O_CLOEXEC) != 0 || pipe2(input, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(input[0], 0);
    dup2(ends[1], 1);
    for (std::string& variable : variables) putenv(variable.data());
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  close(input[0]);
  input_ = input[1];
  output_ = ends[0];
}

Child::~Child() {
  if (pid_ > 0) {
    kill();
    wait();
  }
  close(input_);
  close(output_);
}

bool Child::write_line(std::string line) {
  line += '\n';
  // Who reads it may be killed at any moment: that is an answer, no signal.
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before{};
  sigaction(SIGPIPE, &ignore, &before);
  const bool written = write(input_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  sigaction(SIGPIPE, &before, nullptr);
  return written;
}

std::optional<std::string> Child::take_line() {
  const std::size_t end = buffer_.find('\n');
  if (end == std::string::npos) return std::nullopt;  // an unfinished line was never said
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

// False at the end of its output.
bool Child::read_more(std::chrono::milliseconds limit, bool& in_time) {
  pollfd waiting{output_, POLLIN, 0};
  in_time = poll(&waiting, 1, static_cast<int>(limit.count())) != 0;
  if (!in_time) return false;
  char piece[4096];
  const ssize_t size = read(output_, piece, sizeof piece);
  if (size > 0) buffer_.append(piece, static_cast<std::size_t>(size));
  return size > 0;
}

std::optional<std::string> Child::read_line(std::chrono::seconds limit) {
  for (bool in_time = true;;) {
    if (auto line = take_line()) return line;
    if (read_more(limit, in_time)) continue;
    if (!in_time) throw std::runtime_error("the program under test has gone silent");
    return std::nullopt;
  }
}

std::optional<std::string> Child::read_line_within(std::chrono::milliseconds limit) {
  for (bool in_time = true;;) {
    if (auto line = take_line()) return line;
    if (!read_more(limit, in_time)) return std::nullopt;
  }
}

std::vector<std::string> Child::read_rest() {
  std::vector<std::string> lines;
  while (auto line = read_line()) lines.push_back(*std::move(line));
  return lines;
}

void Child::kill() { ::kill(pid_, SIGKILL); }
void Child::signal(int number) const { ::kill(pid_, number); }

bool Child::has_ended() const {
  siginfo_t ended{};
  return waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == pid_;
}

int Child::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace deputy::test
