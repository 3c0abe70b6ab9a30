// The public port of the simulator: carries bytes between apps and the HTTP server behind it, so that a test can break
// the wire itself: cut a connection before its response, or freeze one so that it looks healthy and says nothing.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <list>
#include <memory>
#include <string>

#include "base/task.h"

namespace deputy::sim::slack {

class Relay {
 public:
  /// A response with this status never arrives: the relay cuts the connection instead.
  static constexpr int kCutStatus = 599;

  /// Listens on `port` of loopback (0: any) and carries to `behind`.
  static Result<std::unique_ptr<Relay>> listen(const asio::any_io_executor& executor, int port);
  ~Relay();

  int port() const;
  void carry_to(int behind);

  /// Freezes the connection whose first line has `mark`, in both directions. False when there is none.
  bool freeze(std::string_view mark);

  /// Ends everything; returns when all of it has ended.
  Task<> stop();

 private:
  struct Line;

  explicit Relay(asio::any_io_executor executor);
  Task<> accept(int behind);
  Task<> serve(std::shared_ptr<Line> line, int behind);
  static Task<> carry(std::shared_ptr<Line> line, bool towards_app);

  asio::any_io_executor executor_;
  asio::ip::tcp::acceptor acceptor_;
  std::list<std::weak_ptr<Line>> lines_;
  std::shared_ptr<int> running_ = std::make_shared<int>(0);
};

}  // namespace deputy::sim::slack
