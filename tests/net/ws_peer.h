// The npm package `ws` at the other end of a WebSocket (tests/peers/ws_peer.js): it shares no code with ours.
#pragma once

#include <string>
#include <vector>

#include "base/task.h"
#include "support/certificates.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy::test {

class WsPeer {
 public:
  /// `arguments` as ws_peer.js takes them.
  explicit WsPeer(std::vector<std::string> arguments) : child_(node_program("ws_peer.js", std::move(arguments))) {}

  /// A server, and the URL of one of its paths.
  static WsPeer server() { return WsPeer({"server"}); }
  static WsPeer server(const Certificates& with) {
    return WsPeer({"server", with.key_file(), with.certificate_file()});
  }
  std::string url(std::string_view path, std::string_view scheme = "ws", std::string_view host = "127.0.0.1") {
    if (port_.empty()) port_ = child_.read_line().value_or("port 0").substr(5);
    return fmt::format("{}://{}:{}{}", scheme, host, port_, path);
  }

  void tell(std::string line) { child_.write_line(std::move(line)); }

  /// The next line it says; the loop goes on meanwhile.
  Task<std::string> says() {
    for (;;) {
      if (auto said = child_.read_line_within(std::chrono::milliseconds(0))) co_return *std::move(said);
      co_await sleep_for(std::chrono::milliseconds(2));
    }
  }

  pid_t pid() const { return child_.pid(); }

 private:
  Child child_;
  std::string port_;
};

}  // namespace deputy::test
