// An HTTP client without a network: what is asked is kept, what comes back is what a test wrote down, piece by piece.
//
//   ScriptedHttp http;
//   http.answers({.pieces = {"data: {}\n\n"}}).answers({.status = 529});
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/http.h"

namespace deputy::test {

struct ScriptedResponse {
  int status = 200;
  std::vector<net::Header> headers = {{"content-type", "text/event-stream"}};
  std::vector<std::string> pieces = {};
  std::optional<Error> breaks = std::nullopt;  // after the pieces, in place of the end
  bool hangs = false;                          // after the pieces, until it is cancelled
};

class ScriptedHttp final : public net::HttpClient {
 public:
  ScriptedHttp& answers(ScriptedResponse response);
  /// The connection itself fails.
  ScriptedHttp& fails(Error error);

  /// All that was asked, in order.
  const std::vector<net::Request>& asked() const { return asked_; }
  /// Streams that nobody has let go of.
  int open_streams() const { return *open_streams_; }

  Task<Result<net::Response>> send(net::Request request) override;
  Task<Result<std::unique_ptr<net::ResponseStream>>> open(net::Request request) override;

 private:
  std::deque<Result<ScriptedResponse>> script_;
  std::vector<net::Request> asked_;
  std::shared_ptr<int> open_streams_ = std::make_shared<int>(0);
};

}  // namespace deputy::test
