// A program on a terminal of its own, typed at and read as a person would: what it shows is waited for, with a
// deadline, and never slept for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::test {

struct PtySpec {
  std::vector<std::string> arguments;    // the first is the program
  std::vector<std::string> environment;  // all of it, "NAME=value"
  std::string working_dir;
  unsigned short rows = 50;
  unsigned short columns = 120;
};

class Pty {
 public:
  explicit Pty(const PtySpec& spec);
  ~Pty();  // ends what still runs
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  void type(std::string_view bytes) const;

  /// Waits until `text` was shown after whatever was waited for before, and returns what stood between. Control
  /// sequences are left out. A test failure names what was shown in place of it.
  std::string expect(std::string_view text, std::chrono::seconds limit = std::chrono::seconds(30));
  /// All of it so far, with its control sequences.
  const std::string& raw() const { return raw_; }

  void resize(unsigned short rows, unsigned short columns) const;
  void signal(int number) const;
  pid_t pid() const { return pid_; }
  /// Waits for its end: its exit code, or 128 and its signal.
  int end(std::chrono::seconds limit = std::chrono::seconds(60));
  /// Whether the terminal is in line mode with echo, as it was given.
  bool is_in_line_mode() const;

 private:
  bool read_some(std::chrono::steady_clock::time_point until);

  pid_t pid_ = -1;
  int master_ = -1;
  int slave_ = -1;  // kept open, so that modes can be looked at after the program's end
  std::string raw_;
  std::size_t seen_ = 0;  // of what is shown
};

/// A text as it is read: no control sequences, no carriage returns.
std::string without_sequences(std::string_view raw);

/// What all of it leaves on a screen without an end: rows that were drawn again stand there once.
std::string on_screen(std::string_view raw);

}  // namespace deputy::test
