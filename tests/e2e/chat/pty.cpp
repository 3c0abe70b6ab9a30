#include "e2e/chat/pty.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <tuple>

#include "base/text.h"

namespace deputy::test {

namespace {

using Steady = std::chrono::steady_clock;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

}  // namespace

std::string without_sequences(std::string_view raw) {
  std::string text;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] == '\r') continue;
    if (raw[at] != '\x1b') {
      text += raw[at];
      continue;
    }
    if (at + 1 < raw.size() && raw[at + 1] == '[') {
      at += 2;
      while (at < raw.size() && (raw[at] < 0x40 || raw[at] > 0x7e)) ++at;
    } else {
      ++at;
    }
  }
  return text;
}

Pty::Pty(const PtySpec& spec) {
  winsize size{.ws_row = spec.rows, .ws_col = spec.columns, .ws_xpixel = 0, .ws_ypixel = 0};
  EXPECT_EQ(openpty(&master_, &slave_, nullptr, nullptr, &size), 0);
  std::vector<char*> arguments = pointers(spec.arguments);
  std::vector<char*> environment = pointers(spec.environment);
  pid_ = fork();
  if (pid_ != 0) return;
  close(master_);
  if (login_tty(slave_) != 0 || chdir(spec.working_dir.c_str()) != 0) _exit(126);
  execve(arguments[0], arguments.data(), environment.data());
  _exit(127);
}

Pty::~Pty() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(master_);
  close(slave_);
}

void Pty::type(std::string_view bytes) const {
  EXPECT_EQ(write(master_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

bool Pty::read_some(Steady::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Steady::now()).count();
  if (left <= 0) return false;
  pollfd ready{.fd = master_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, static_cast<int>(left)) <= 0) return false;
  std::array<char, 4096> piece{};
  const ssize_t size = read(master_, piece.data(), piece.size());
  if (size <= 0) return false;
  raw_.append(piece.data(), static_cast<std::size_t>(size));
  return true;
}

std::string Pty::expect(std::string_view text, std::chrono::seconds limit) {
  const Steady::time_point until = Steady::now() + limit;
  for (;;) {
    const std::string shown = without_sequences(raw_);
    const std::size_t found = shown.find(text, std::min(seen_, shown.size()));
    if (found != std::string::npos) {
      std::string between = shown.substr(seen_, found - seen_);
      seen_ = found + text.size();
      return between;
    }
    if (read_some(until)) continue;
    ADD_FAILURE() << "waited in vain for: " << text << "\nshown since: " << shown.substr(std::min(seen_, shown.size()));
    return {};
  }
}

void Pty::resize(unsigned short rows, unsigned short columns) const {
  const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  EXPECT_EQ(ioctl(master_, TIOCSWINSZ, &size), 0);
}

void Pty::signal(int number) const { kill(pid_, number); }

int Pty::end(std::chrono::seconds limit) {
  const Steady::time_point until = Steady::now() + limit;
  int status = 0;
  while (Steady::now() < until) {
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) {
      pid_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    read_some(std::min(until, Steady::now() + std::chrono::milliseconds(20)));
  }
  ADD_FAILURE() << "the program did not end; shown last: "
                << without_sequences(raw_).substr(std::min(seen_, raw_.size()));
  return -1;
}

bool Pty::is_in_line_mode() const {
  termios modes{};
  return tcgetattr(slave_, &modes) == 0 && (modes.c_lflag & ICANON) != 0 && (modes.c_lflag & ECHO) != 0;
}

namespace {

// Knows the sequences that Deputy draws with. A character is a column.
class DrawnScreen {
 public:
  void take(std::string_view sequence) {
    const char kind = sequence.back();
    const std::string_view words = sequence.substr(2, sequence.size() - 3);
    const std::size_t count = words.empty() || words.front() == '?' ? 1 : std::stoul(std::string(words));
    if (kind == 'A') row_ -= std::min(row_, count);
    if (kind == 'C') column_ += count;
    if (kind == 'H') row_ = column_ = 0;
    if (kind == 'J' && words == "2") rows_.assign(1, {});
    if (kind == 'J' && words.empty()) {
      rows_.resize(row_ + 1);
      rows_[row_].resize(std::min(rows_[row_].size(), column_));
    }
    if (words == "?1049" && kind == 'h') other_ = {{rows_, row_, column_}};
    if (words == "?1049" && kind == 'l' && other_) std::tie(rows_, row_, column_) = *std::exchange(other_, {});
  }
  void put(std::string character) {
    if (character == "\r") {
      column_ = 0;
    } else if (character == "\n") {
      ++row_;
      rows_.resize(std::max(rows_.size(), row_ + 1));
    } else {
      std::vector<std::string>& row = rows_[row_];
      row.resize(std::max(row.size(), column_ + 1), " ");
      row[column_++] = std::move(character);
    }
  }
  std::string text() const {
    std::string all;
    for (const std::vector<std::string>& row : rows_) all += join(row, "") + "\n";
    return all;
  }

 private:
  using Rows = std::vector<std::vector<std::string>>;
  Rows rows_{{}};
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::optional<std::tuple<Rows, std::size_t, std::size_t>> other_;
};

}  // namespace

std::string on_screen(std::string_view raw) {
  DrawnScreen screen;
  while (!raw.empty()) {
    std::size_t size = decode_utf8(raw).bytes;
    if (raw.starts_with("\x1b[")) {
      size = std::min(raw.find_first_not_of("?0123456789;", 2), raw.size() - 1) + 1;
      screen.take(raw.substr(0, size));
    } else {
      screen.put(std::string(raw.substr(0, size)));
    }
    raw.remove_prefix(size);
  }
  return screen.text();
}

}  // namespace deputy::test
