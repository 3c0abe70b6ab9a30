#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "app/command_line.h"
#include "app/logging.h"

namespace {

deputy::config::Environment environment_of_process() {
  deputy::config::Environment environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

}  // namespace

int main(int count, char** arguments) {
  deputy::app::keep_secrets_out_of_the_log();
  std::error_code failed;
  const std::filesystem::path working_dir = std::filesystem::current_path(failed);
  if (failed) {
    std::cerr << "deputy: the working folder is gone: " << failed.message() << "\n";
    return static_cast<int>(deputy::app::ExitCode::failed);
  }
  const auto ended = deputy::app::run_command(
      {arguments + 1, arguments + count},
      {environment_of_process(), working_dir, std::cout, std::cerr, STDIN_FILENO, isatty(STDOUT_FILENO) == 1});
  std::cout.flush();
  return static_cast<int>(ended);
}
