#include "support/node.h"

#include <unistd.h>

#include <stdexcept>

namespace deputy::test {

std::vector<std::string> node_program(const std::string& file, std::vector<std::string> arguments) {
  if (access(NODE, X_OK) != 0) throw std::runtime_error("there is no " NODE ": run scripts/setup");
  std::vector<std::string> program{NODE, SOURCE_FOLDER "/tests/peers/" + file};
  for (std::string& argument : arguments) program.push_back(std::move(argument));
  return program;
}

}  // namespace deputy::test
