#include "channel/terminal/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace deputy::channel {

namespace {

// How long to wait for the rest of a key sequence before the bytes so far count as the whole key.
constexpr std::chrono::milliseconds kRestOfAKey{60};

constexpr std::size_t kMaxLine = 64UL * 1024;
constexpr int kMaxDiscarded = 1024;  // reads

}  // namespace

FileDescriptor readiness_of(int input) {
  FileDescriptor readiness(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{.events = EPOLLIN, .data = {}};
  const bool watched = readiness.number >= 0 && epoll_ctl(readiness.number, EPOLL_CTL_ADD, input, &event) == 0;
  return watched ? std::move(readiness) : FileDescriptor();
}

TerminalInput::TerminalInput(const asio::any_io_executor& loop, int descriptor, TerminalEvents events)
    : terminal_(descriptor),
      readiness_(loop, readiness_of(descriptor).release()),
      undecided_(loop),
      events_(std::move(events)) {}

// In line mode Enter arrives as \n, which is a key of its own afterwards.
void TerminalInput::start() {
  int waiting = 0;
  if (ioctl(terminal_, FIONREAD, &waiting) == 0 && waiting > 0) typed_before_ = static_cast<std::size_t>(waiting);
  wait();
}

void TerminalInput::stop() {
  stopped_ = true;
  undecided_.cancel();
  boost::system::error_code ignored;
  readiness_.close(ignored);
}

// Flushing the terminal could drop the mark that begins a paste, and then its rest would arrive as keys.
void TerminalInput::discard() {
  for (int i = 0; i < kMaxDiscarded && read_some() == Read::something; ++i) {
    while (keys_.next()) continue;
  }
}

// What was there may be gone: another process reads the same terminal. A read must not wait for more.
void TerminalInput::wait() {
  readiness_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (!error && !stopped_) read();
  });
}

TerminalInput::Read TerminalInput::read_some() {
  pollfd ready{.fd = terminal_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, 0) == 0) return Read::nothing_yet;
  std::array<char, 1024> bytes{};
  const ssize_t size = ::read(terminal_, bytes.data(), bytes.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Read::nothing_yet;
  if (size <= 0) return Read::end;
  const auto read = static_cast<std::size_t>(size);
  const std::size_t before = std::min(typed_before_, read);
  std::replace(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(before), '\n', '\r');
  typed_before_ -= before;
  keys_.feed({bytes.data(), read});
  return Read::something;
}

void TerminalInput::read() {
  const Read read = read_some();
  if (read == Read::end) {
    stopped_ = true;
    events_.end();
    return;
  }
  if (read == Read::something) hand_on();
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

void Inbox::push(TerminalEvent event) {
  const bool again =
      event.kind == TerminalEvent::Kind::look && !events_.empty() && events_.back().kind == TerminalEvent::Kind::look;
  if (!again) events_.push_back(std::move(event));
  wake_.cancel();
}

Task<TerminalEvent> Inbox::next() {
  while (events_.empty()) {
    wake_.expires_at(std::chrono::steady_clock::time_point::max());
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  TerminalEvent event = std::move(events_.front());
  events_.pop_front();
  co_return event;
}

bool Inbox::is_to_end() const {
  using Kind = TerminalEvent::Kind;
  return std::ranges::any_of(events_, [](const TerminalEvent& event) {
    return event.kind == Kind::interrupt || event.kind == Kind::leave || event.kind == Kind::end;
  });
}

InputLines::InputLines(int descriptor) : descriptor_(descriptor), readiness_(readiness_of(descriptor)) {}

bool InputLines::is_terminal() const { return isatty(descriptor_) == 1; }

InputLines::Read InputLines::read_some() {
  pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
  const int found = poll(&ready, 1, 0);
  if (found == 0 || (found < 0 && errno == EINTR)) return Read::nothing_yet;
  if (found < 0 || (ready.revents & (POLLNVAL | POLLERR)) != 0) return Read::end;
  std::array<char, 4096> piece{};
  const ssize_t size = read(descriptor_, piece.data(), piece.size());
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return Read::nothing_yet;
  if (size <= 0) return Read::end;
  buffer_.append(piece.data(), static_cast<std::size_t>(size));
  return Read::something;
}

std::optional<Result<std::string>> InputLines::take_line() {
  const std::size_t end = buffer_.find('\n');
  const bool whole = end != std::string::npos || (ended_ && (too_long_ || !buffer_.empty()));
  if (std::min(end, buffer_.size()) > kMaxLine) too_long_ = true;
  if (!whole) {
    if (too_long_) buffer_.clear();
    return std::nullopt;
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end == std::string::npos ? end : end + 1);
  if (std::exchange(too_long_, false)) {
    return fail(ErrorKind::invalid_input, fmt::format("a line is longer than {} KiB and was ignored", kMaxLine / 1024),
                "use shorter lines");
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

Result<std::optional<std::string>> InputLines::take() {
  std::optional<Result<std::string>> line = take_line();
  if (!line && !ended_) {
    if (read_some() == Read::end) ended_ = true;
    line = take_line();
  }
  if (!line) return std::nullopt;
  TRY(std::string text, *std::move(line));
  return text;
}

void InputLines::when_ready(const asio::any_io_executor& loop, std::function<void()> ready) {
  if (readiness_.number < 0) return asio::post(loop, std::move(ready));
  if (is_watched_) return;
  watched_.emplace(loop, dup(readiness_.number));  // a new one each time, so that data that is already there counts
  is_watched_ = true;
  watched_->async_wait(asio::posix::stream_descriptor::wait_read,
                       [this, ready = std::move(ready)](const boost::system::error_code& error) {
                         if (error) return;
                         is_watched_ = false;
                         ready();
                       });
}

Task<Result<>> InputLines::wait_until_readable() {
  asio::posix::stream_descriptor readiness(co_await asio::this_coro::executor, dup(readiness_.number));
  co_await readiness.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
  co_return Result<>{};
}

Task<Result<std::optional<std::string>>> InputLines::next(std::chrono::milliseconds limit) {
  const auto give_up = std::chrono::steady_clock::now() + std::min(limit, kMaxWait);
  const auto executor = co_await asio::this_coro::executor;
  std::optional<Result<std::string>> line = take_line();
  while (!line && !ended_) {
    const Read read = read_some();
    if (read == Read::end) ended_ = true;
    // Endless input must not block the loop or keep this from being cancelled.
    if (read == Read::something) co_await asio::post(executor, asio::use_awaitable);
    line = take_line();
    const auto left = give_up - std::chrono::steady_clock::now();
    if (line || left <= std::chrono::milliseconds(0)) break;
    if (read == Read::nothing_yet)
      (void)co_await with_timeout<void>(std::chrono::ceil<std::chrono::milliseconds>(left), wait_until_readable());
  }
  if (!line) co_return std::nullopt;
  CO_TRY(std::string text, *std::move(line));
  co_return text;
}

Task<PipedText> InputLines::all(std::chrono::milliseconds first, std::size_t max_bytes) {
  const auto executor = co_await asio::this_coro::executor;
  const auto give_up = std::chrono::steady_clock::now() + first;
  while (!ended_ && buffer_.size() <= max_bytes) {
    const Read read = read_some();
    if (read == Read::end) ended_ = true;
    if (read == Read::something) co_await asio::post(executor, asio::use_awaitable);
    if (read != Read::nothing_yet) continue;
    const auto left = buffer_.empty()
                          ? std::chrono::ceil<std::chrono::milliseconds>(give_up - std::chrono::steady_clock::now())
                          : kMaxWait;
    if (left <= std::chrono::milliseconds(0)) co_return PipedText{{}, PipedText::End::nothing_came};
    (void)co_await with_timeout<void>(left, wait_until_readable());
  }
  PipedText piped{std::exchange(buffer_, {}), PipedText::End::whole};
  if (piped.text.size() > max_bytes) {
    piped.text.resize(max_bytes);
    piped.end = PipedText::End::too_much;
  }
  co_return piped;
}

void InputLines::discard() {
  tcflush(descriptor_, TCIFLUSH);
  buffer_.clear();
  too_long_ = false;
}

}  // namespace deputy::channel
