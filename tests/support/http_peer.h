// A web server of its own program (tests/peers/http_peer.js): the other end of what the client says.
#pragma once

#include <string>
#include <string_view>

#include "base/task.h"
#include "support/certificates.h"
#include "support/child.h"

namespace deputy::test {

class HttpPeer {
 public:
  /// `kind` is one of those that http_peer.js names.
  explicit HttpPeer(std::string kind, std::string argument = {});
  HttpPeer(std::string kind, const Certificates& certificates);

  int port() const { return port_; }
  /// "http://127.0.0.1:PORT/path"
  std::string url(std::string_view path, std::string_view scheme = "http", std::string_view host = "127.0.0.1") const;

  /// Waits, while the loop goes on, until it says this line; others are dropped.
  Task<> says(std::string line);
  /// Lets what waits for it go on.
  void go_on() { child_.write_line("go"); }

 private:
  void read_port();

  Child child_;
  int port_ = 0;
};

}  // namespace deputy::test
