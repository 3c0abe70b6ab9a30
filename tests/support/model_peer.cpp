#include "support/model_peer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <stdexcept>

#include "support/node.h"

namespace deputy::test {

// Starting Node takes longer than most cases.
ModelPeer::Program& ModelPeer::started(const std::string& program) {
  static std::map<std::string, std::unique_ptr<Program>> programs;
  std::unique_ptr<Program>& found = programs[program];
  if (!found) {
    found = std::make_unique<Program>(node_program(program, {}));
    const auto line = found->child.read_line();
    if (!line || !line->starts_with("port ")) throw std::runtime_error("the stand-in did not start");
    found->port = std::stoi(line->substr(5));
  }
  return *found;
}

ModelPeer::ModelPeer(const std::string& program, const Scenario& scenario) : program_(started(program)) {
  answer_to("play " + scenario.to_json(), "playing");
}

ModelPeer::~ModelPeer() {
  try {
    count();  // whatever it had to say is said before this
  } catch (const std::exception& gone) {
    ADD_FAILURE() << gone.what();
  }
}

std::string ModelPeer::url() const { return fmt::format("http://127.0.0.1:{}", program_.port); }

void ModelPeer::chunk(int bytes) { answer_to(fmt::format("chunk {}", bytes), "chunk"); }

int ModelPeer::count() { return std::stoi(answer_to("count", "count ")); }

std::vector<json::object> ModelPeer::requests() {
  std::vector<json::object> requests;
  for (const json::value& request : json::parse(answer_to("requests", "requests ")).as_array()) {
    requests.push_back(request.as_object());
  }
  return requests;
}

Task<> ModelPeer::says(std::string words) {
  for (;;) {
    const auto line = program_.child.read_line_within(std::chrono::milliseconds(0));
    if (line) hear(*line);
    if (line && line->starts_with(words)) co_return;
    if (!line) co_await sleep_for(std::chrono::milliseconds(2));
  }
}

void ModelPeer::hear(const std::string& line) {
  if (line.starts_with("broken ")) ADD_FAILURE() << "the vendor would refuse this: " << line.substr(7);
}

// What follows the word in the first line that begins with it.
std::string ModelPeer::answer_to(const std::string& command, std::string_view word) {
  program_.child.write_line(command);
  while (const auto line = program_.child.read_line()) {
    hear(*line);
    if (line->starts_with(word)) return line->substr(word.size());
  }
  throw std::runtime_error("the stand-in has ended");
}

}  // namespace deputy::test
