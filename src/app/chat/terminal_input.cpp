#include "app/chat/terminal_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace deputy::app {

namespace {

// How long the rest of a key sequence may take before what came of it counts as all.
constexpr std::chrono::milliseconds kRestOfAKey{60};

}  // namespace

Result<std::unique_ptr<TerminalInput>> TerminalInput::open(const asio::any_io_executor& loop, int descriptor,
                                                           TerminalEvents events) {
  std::array<char, 256> name{};
  if (ttyname_r(descriptor, name.data(), name.size()) != 0)
    return fail(ErrorKind::internal, "the terminal has no name");
  const int own = ::open(name.data(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (own < 0) return fail(ErrorKind::internal, "the terminal cannot be opened");
  return std::unique_ptr<TerminalInput>(new TerminalInput(loop, own, std::move(events)));
}

TerminalInput::TerminalInput(const asio::any_io_executor& loop, int descriptor, TerminalEvents events)
    : terminal_(loop, descriptor), undecided_(loop), events_(std::move(events)) {}

void TerminalInput::stop() {
  stopped_ = true;
  undecided_.cancel();
  boost::system::error_code ignored;
  terminal_.close(ignored);
}

void TerminalInput::wait() {
  terminal_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (!error && !stopped_) read();
  });
}

void TerminalInput::read() {
  std::array<char, 1024> bytes{};
  const ssize_t size = ::read(terminal_.native_handle(), bytes.data(), bytes.size());
  const bool nothing_yet = size < 0 && (errno == EAGAIN || errno == EINTR);
  if (size <= 0 && !nothing_yet) {
    stopped_ = true;
    events_.end();
    return;
  }
  if (size > 0) keys_.feed({bytes.data(), static_cast<std::size_t>(size)});
  hand_on();
  if (!stopped_) wait();
}

void TerminalInput::hand_on() {
  while (auto key = keys_.next()) {
    events_.key(*key);
    if (stopped_) return;
  }
  undecided_.cancel();
  if (!keys_.is_undecided()) return;
  undecided_.expires_after(kRestOfAKey);
  undecided_.async_wait([this](const boost::system::error_code& error) {
    if (error || stopped_) return;
    if (const auto key = keys_.give_up()) events_.key(*key);
  });
}

}  // namespace deputy::app
