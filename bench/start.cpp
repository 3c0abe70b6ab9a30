// How long Deputy takes to be there, and what it weighs then: `deputy ask` from its start to its answer, `deputy chat`
// from its start to its prompt and idle after it. A program that does nothing is started beside them: the machine's own
// speed.
//
// It works in a folder of its own under $TMPDIR, or beside the program, and removes it.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sized.h"

namespace {

using SteadyClock = std::chrono::steady_clock;

const int kRounds = deputy::bench::sized(20, 1);
constexpr double kReadyTarget = 50;         // ms
constexpr double kIdleTarget = 20;          // MB
constexpr std::string_view kPrompt = "> ";  // of the chat

double milliseconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

[[noreturn]] void become(const std::vector<std::string>& arguments) {
  std::vector<char*> list;
  list.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  execv(list[0], list.data());
  _exit(127);
}

struct Ended {
  double milliseconds = 0;
  double megabytes = 0;  // at most, of resident memory
  bool well = false;
};

Ended run(const std::vector<std::string>& arguments) {
  const auto begin = SteadyClock::now();
  const pid_t pid = fork();
  if (pid == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
    become(arguments);
  }
  int status = 0;
  rusage used{};
  wait4(pid, &status, 0, &used);
  return {milliseconds_since(begin), static_cast<double>(used.ru_maxrss) / 1024.0, status == 0};
}

/// The value of a line such as "Pss:  1234 kB", in MB.
double memory_of(pid_t pid, std::string_view name) {
  std::ifstream rollup(fmt::format("/proc/{}/smaps_rollup", pid));
  for (std::string line; std::getline(rollup, line);) {
    if (line.starts_with(name)) return std::atof(line.c_str() + name.size()) / 1024.0;
  }
  return 0;
}

struct Idle {
  double milliseconds = 0;
  double resident = 0;
  double proportional = 0;
  bool ready = false;
};

Idle run_chat(const std::vector<std::string>& arguments) {
  const auto begin = SteadyClock::now();
  int terminal = -1;
  winsize size{.ws_row = 40, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) become(arguments);
  Idle idle;
  std::string shown;
  std::array<char, 4096> piece{};
  pollfd readable{terminal, POLLIN, 0};
  while (!idle.ready && milliseconds_since(begin) < 10'000 && poll(&readable, 1, 1000) >= 0) {
    const ssize_t count = (readable.revents & POLLIN) != 0 ? read(terminal, piece.data(), piece.size()) : 0;
    if (count < 0) break;
    shown.append(piece.data(), static_cast<std::size_t>(count));
    idle.ready = shown.contains(kPrompt);
  }
  idle.milliseconds = milliseconds_since(begin);
  usleep(500'000);  // what it does after its prompt belongs to it too
  idle.resident = memory_of(pid, "Rss:");
  idle.proportional = memory_of(pid, "Pss:");
  kill(pid, SIGKILL);
  close(terminal);  // first: its end waits for what nobody has read
  waitpid(pid, nullptr, 0);
  return idle;
}

}  // namespace

int main() {
  const char* temporary = std::getenv("TMPDIR");
  const std::filesystem::path folder =
      std::filesystem::absolute(temporary != nullptr ? temporary : ".") / fmt::format("bench_start.{}", getpid());
  std::filesystem::create_directories(folder);
  setenv("HOME", folder.c_str(), 1);
  setenv("NO_COLOR", "1", 1);  // or marks stand inside the prompt
  const std::string data = (folder / "state").string();
  std::vector<double> nothing, asks, ask_memory, chats, resident, proportional;
  bool well = run({DEPUTY_PROGRAM, "--data", data, "ask", "hello"}).well;  // makes the store
  for (int round = 0; round < kRounds; ++round) {
    nothing.push_back(run({"/bin/true"}).milliseconds);
    const Ended ask = run({DEPUTY_PROGRAM, "--data", data, "ask", "hello"});
    const Idle chat = run_chat({DEPUTY_PROGRAM, "--data", data, "chat"});
    well = well && ask.well && chat.ready;
    asks.push_back(ask.milliseconds);
    ask_memory.push_back(ask.megabytes);
    chats.push_back(chat.milliseconds);
    resident.push_back(chat.resident);
    proportional.push_back(chat.proportional);
  }
  std::filesystem::remove_all(folder);
  fmt::print("medians of {} rounds; /bin/true takes {:.1f} ms\n", kRounds, median(nothing));
  fmt::print("ask: start to answer and end {:.1f} ms, at most {:.1f} MB resident\n", median(asks), median(ask_memory));
  fmt::print(
      "chat: start to prompt {:.1f} ms (target: under {}), idle {:.1f} MB resident (target: under {}), {:.1f} MB "
      "proportional\n",
      median(chats), kReadyTarget, median(resident), kIdleTarget, median(proportional));
  if (!well) fmt::print("a round failed\n");
  return well ? 0 : 1;
}
