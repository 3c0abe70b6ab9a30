// An app that is measured, as a process of its own: its processor time and its memory are the kernel's figures.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace deputy::bench {

struct App {
  std::string name;
  std::vector<std::string> arguments;  // the first is the path of the program
  std::vector<std::string> variables;  // "NAME=value", on top of ours
};

class AppProcess {
 public:
  /// Starts it; what it prints goes to `log`. It dies with us.
  AppProcess(const App& app, const std::filesystem::path& log);
  /// Kills it.
  ~AppProcess();
  AppProcess(const AppProcess&) = delete;
  AppProcess& operator=(const AppProcess&) = delete;

  bool is_running() const;
  /// Of all its threads so far.
  double cpu_seconds() const;
  double resident_megabytes() const;

 private:
  pid_t pid_;
};

}  // namespace deputy::bench
