// A program under test that the test talks to and kills: its output line by line, SIGKILL at any moment.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace deputy::test {

class Child {
 public:
  /// Starts it with our environment and `variables` ("NAME=value") on top. Dies with us.
  explicit Child(std::vector<std::string> arguments, std::vector<std::string> variables = {});
  /// Kills it when it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The next line without its end, or nothing at the end of its output. Throws when none comes in time.
  std::optional<std::string> read_line(std::chrono::seconds limit = std::chrono::seconds(60));

  /// The same, or nothing when none comes in time.
  std::optional<std::string> read_line_within(std::chrono::milliseconds limit);

  /// Sends it a line on its standard input; false when it is gone.
  bool write_line(std::string line);

  /// All further lines to the end of its output.
  std::vector<std::string> read_rest();

  void kill();
  void signal(int number) const;

  /// True when it has ended, by itself or killed, and was not waited for.
  bool has_ended() const;

  /// Waits for its end: its exit code, or 128 + signal.
  int wait();

  pid_t pid() const { return pid_; }

 private:
  bool read_more(std::chrono::milliseconds limit, bool& in_time);
  std::optional<std::string> take_line();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;
};

}  // namespace deputy::test
