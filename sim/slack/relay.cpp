#include "sim/slack/relay.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

namespace deputy::sim::slack {

namespace {

using asio::ip::tcp;

constexpr std::size_t kChunk = 64UL * 1024;

tcp::endpoint loopback(int port) { return {asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)}; }

/// Tasks of the relay that run, counted for as long as the guard lives.
struct Counted {
  explicit Counted(std::shared_ptr<int> count) : running(std::move(count)) { ++*running; }
  ~Counted() { --*running; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  std::shared_ptr<int> running;
};

}  // namespace

struct Relay::Line {
  explicit Line(tcp::socket socket) : app(std::move(socket)), behind(app.get_executor()) {}

  void end() {
    boost::system::error_code ignored;
    app.close(ignored);
    behind.close(ignored);
  }
  void reset() {
    boost::system::error_code ignored;
    app.set_option(asio::socket_base::linger(true, 0), ignored);
    end();
  }

  tcp::socket app;
  tcp::socket behind;
  std::string first;  // its first bytes
  bool frozen = false;
};

Relay::Relay(asio::any_io_executor executor) : executor_(std::move(executor)), acceptor_(executor_) {}
Relay::~Relay() = default;

Result<std::unique_ptr<Relay>> Relay::listen(const asio::any_io_executor& executor, int port) {
  std::unique_ptr<Relay> relay(new Relay(executor));
  boost::system::error_code failed;
  relay->acceptor_.open(tcp::v4(), failed);
  if (!failed) relay->acceptor_.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) relay->acceptor_.bind(loopback(port), failed);
  if (!failed) relay->acceptor_.listen(asio::socket_base::max_listen_connections, failed);
  if (failed)
    return fail(ErrorKind::not_configured, fmt::format("Cannot listen on port {}: {}", port, failed.message()));
  return relay;
}

int Relay::port() const { return acceptor_.local_endpoint().port(); }

void Relay::carry_to(int behind) { spawn(executor_, "slack simulator relay", accept(behind)); }

Task<> Relay::accept(int behind) {
  const Counted counted(running_);
  while (acceptor_.is_open()) {
    boost::system::error_code failed;
    tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
    if (failed == asio::error::operation_aborted) co_return;
    if (failed) continue;
    const auto line = std::make_shared<Line>(std::move(socket));
    std::erase_if(lines_, [](const std::weak_ptr<Line>& old) { return old.expired(); });
    lines_.push_back(line);
    spawn(executor_, "slack simulator line", serve(line, behind));
  }
}

Task<> Relay::serve(std::shared_ptr<Line> line, int behind) {
  const auto counted = std::make_shared<Counted>(running_);
  boost::system::error_code failed;
  co_await line->behind.async_connect(loopback(behind), asio::redirect_error(asio::use_awaitable, failed));
  if (failed) co_return;
  boost::system::error_code ignored;
  line->app.set_option(tcp::no_delay(true), ignored);
  line->behind.set_option(tcp::no_delay(true), ignored);
  spawn(executor_, "slack simulator line back",
        [](std::shared_ptr<Line> same, std::shared_ptr<Counted> kept) -> Task<> {
          co_await carry(std::move(same), /*towards_app=*/true);
          kept.reset();
        }(line, counted));
  co_await carry(line, /*towards_app=*/false);
}

Task<> Relay::carry(std::shared_ptr<Line> line, bool towards_app) {
  tcp::socket& from = towards_app ? line->behind : line->app;
  tcp::socket& to = towards_app ? line->app : line->behind;
  const std::string cut = fmt::format("HTTP/1.1 {} ", kCutStatus);
  std::vector<char> buffer(kChunk);
  while (true) {
    boost::system::error_code failed;
    const std::size_t count =
        co_await from.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, failed));
    if (failed) break;
    const std::string_view bytes(buffer.data(), count);
    if (line->frozen) continue;
    if (!towards_app && line->first.empty()) line->first = bytes.substr(0, bytes.find('\n'));
    if (towards_app && bytes.starts_with(cut)) {
      line->reset();
      co_return;
    }
    co_await asio::async_write(to, asio::buffer(bytes.data(), bytes.size()),
                               asio::redirect_error(asio::use_awaitable, failed));
    if (failed) break;
  }
  // A frozen line stays: its other end has noticed, the app has not.
  if (!(line->frozen && towards_app))
    line->end();
  else {
    boost::system::error_code ignored;
    line->behind.close(ignored);
  }
}

bool Relay::freeze(std::string_view mark) {
  bool any = false;
  for (const auto& weak : lines_) {
    const auto line = weak.lock();
    if (!line || line->first.find(mark) == std::string::npos) continue;
    line->frozen = true;
    any = true;
  }
  return any;
}

Task<> Relay::stop() {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  while (*running_ > 0) {
    for (const auto& weak : lines_) {
      if (const auto line = weak.lock()) line->end();
    }
    co_await sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace deputy::sim::slack
