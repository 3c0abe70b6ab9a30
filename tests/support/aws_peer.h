// STS, S3, a container's and an instance's credentials as a program of its own (tests/peers/aws_peer.js).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "support/child.h"

namespace deputy::test {

class AwsPeer {
 public:
  /// It lives at this time, whatever the machine's clock says.
  explicit AwsPeer(Timestamp now);

  /// "http://127.0.0.1:PORT/path"
  std::string url(std::string_view path = {}) const;

  /// What it was asked since the last call, in order.
  std::vector<std::string> said();

 private:
  Child child_;
  int port_ = 0;
};

}  // namespace deputy::test
