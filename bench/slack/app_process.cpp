#include "slack/app_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace deputy::bench {

namespace {

[[noreturn]] void become(const App& app, const std::filesystem::path& log) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(output, 1);
  dup2(output, 2);
  for (const std::string& variable : app.variables) putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> arguments;
  for (const std::string& argument : app.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

AppProcess::AppProcess(const App& app, const std::filesystem::path& log) : pid_(fork()) {
  if (pid_ == 0) become(app, log);
}

AppProcess::~AppProcess() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool AppProcess::is_running() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

double AppProcess::cpu_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double AppProcess::resident_megabytes() const {
  std::ifstream rollup(fmt::format("/proc/{}/smaps_rollup", pid_));
  for (std::string line; std::getline(rollup, line);) {
    if (line.starts_with("Rss:")) return std::atof(line.c_str() + 4) / 1024.0;
  }
  return 0;
}

}  // namespace deputy::bench
