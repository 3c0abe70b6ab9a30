#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "app/command_line.h"
#include "app/redaction.h"

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

// Opens closed standard streams on /dev/null. Otherwise the next file that is opened gets their number, and the output.
void keep_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) != -1) continue;
    // It gets the lowest free number, which is this one. Output is opened for reading, so that writing to it fails and
    // the loss is noticed.
    [[maybe_unused]] const int opened = open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int main(int count, char** arguments) {
  keep_standard_streams();
  deputy::app::keep_secrets_out_of_the_log();
  std::error_code failed;
  const std::filesystem::path working_dir = std::filesystem::current_path(failed);
  if (failed) {
    std::cerr << "deputy: the working folder cannot be found: " << failed.message() << "\n";
    return static_cast<int>(deputy::app::ExitCode::failed);
  }
  const auto ended = deputy::app::run_command(
      {arguments + 1, arguments + count},
      {environment_of_process(), working_dir, std::cout, std::cerr, STDIN_FILENO, isatty(STDOUT_FILENO) == 1});
  return static_cast<int>(ended);
}
