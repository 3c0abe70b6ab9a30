// A stand-in for a model vendor's API, a program of its own (tests/peers): the other end of what a provider says. A
// request that breaks one of the vendor's rules fails the test, whatever the provider made of the answer.
#pragma once

#include <string>
#include <vector>

#include "base/task.h"
#include "support/child.h"
#include "support/scenario.h"

namespace deputy::test {

class ModelPeer {
 public:
  /// `program` is a file of tests/peers: "anthropic.js". One process of it plays for all tests of this program, one
  /// scenario at a time: the newest.
  ModelPeer(const std::string& program, const Scenario& scenario);
  /// Fails the test when a rule was broken.
  ~ModelPeer();
  ModelPeer(const ModelPeer&) = delete;
  ModelPeer& operator=(const ModelPeer&) = delete;

  /// "http://127.0.0.1:PORT"
  std::string url() const;

  /// Cuts what is sent from now on into pieces of so many bytes.
  void chunk(int bytes);
  /// Lets go on what holds, now or next.
  void go_on() { program_.child.write_line("go"); }

  /// Waits, while the loop goes on, for a line that begins with these words (control.js lists them); others are passed
  /// over. Its caller bounds it.
  Task<> says(std::string words);

  /// How often this scenario was asked.
  int count();
  /// Every request of this scenario: {method, path, headers, body}, the body as a text.
  std::vector<json::object> requests();

 private:
  void hear(const std::string& line);
  std::string answer_to(const std::string& command, std::string_view word);

  struct Program {
    explicit Program(std::vector<std::string> arguments) : child(std::move(arguments)) {}

    Child child;
    int port = 0;
  };
  static Program& started(const std::string& program);

  Program& program_;
};

}  // namespace deputy::test
