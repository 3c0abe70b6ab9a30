// The real `deputy`, run in a home and a project of its own.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "base/process.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::test {

class Program {
 public:
  Program() { std::filesystem::create_directories(project()); }

  TemporaryFolder folder;
  std::map<std::string, std::string> variables;
  asio::io_context* loop = nullptr;  // on which something else runs meanwhile

  std::filesystem::path project() const { return folder / "project"; }
  std::filesystem::path user_file() const { return folder / "home/.config/deputy/deputy.yaml"; }
  std::filesystem::path trusted_file() const { return folder / "home/.local/state/deputy/trusted.json"; }

  std::filesystem::path write_user(const std::string& text) const {
    return folder.write("home/.config/deputy/deputy.yaml", text);
  }
  std::filesystem::path write_project(const std::string& text) const {
    return folder.write("project/deputy.yaml", text);
  }

  /// How a program runs there. `arguments` begin with its path.
  ProcessSpec spec_of(std::vector<std::string> arguments) const {
    ProcessSpec spec;
    spec.arguments = std::move(arguments);
    spec.environment = {"HOME=" + (folder / "home").string(), "PATH=/usr/bin:/bin"};
    for (const auto& [name, value] : variables) spec.environment.push_back(fmt::format("{}={}", name, value));
    spec.working_dir = project().string();
    spec.max_output = 1'000'000;  // the list of tools alone is 60 kB
    return spec;
  }

  /// `input` is what its standard input holds.
  ProcessEnd run(std::vector<std::string> arguments, std::string input = {}) const {
    arguments.insert(arguments.begin(), DEPUTY_PROGRAM);
    return run_any(std::move(arguments), std::move(input));
  }

  /// The same from a shell, for what is done to its streams: "runs list >/dev/full".
  ProcessEnd run_in_shell(const std::string& words) const {
    return run_any({"/bin/sh", "-c", fmt::format("exec '{}' {}", DEPUTY_PROGRAM, words)});
  }

 private:
  ProcessEnd run_any(std::vector<std::string> arguments, std::string input = {}) const {
    ProcessSpec spec = spec_of(std::move(arguments));
    spec.input = std::move(input);
    Task<Result<ProcessEnd>> running = run_process(std::move(spec));
    Result<ProcessEnd> end = loop == nullptr ? test::run(std::move(running)) : run_on(*loop, std::move(running));
    EXPECT_OK(end);
    return end ? *std::move(end) : ProcessEnd{};
  }
};

}  // namespace deputy::test
