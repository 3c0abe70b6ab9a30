// Anthropic's Messages API as far as an app with one tool uses it: a request is answered with a call of the tool, and
// the request that brings its result with text. Both replies are the API's events, made beforehand, so that the
// stand-in costs next to nothing.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "net/server.h"

namespace deputy::bench {

struct ModelOptions {
  std::chrono::milliseconds takes{0};  // a reply comes so long after its request
  std::string certificate = {};        // PEM; empty: plain HTTP
  Secret key = {};
};

/// The tool it calls, and what it answers in the end.
inline constexpr std::string_view kTool = "list_services";
inline constexpr std::string_view kAnswer =
    "Both services are known, checkout and billing, and neither has had a deployment today.";

class ModelStandIn {
 public:
  static Result<std::unique_ptr<ModelStandIn>> listen(const asio::any_io_executor& loop, ModelOptions options);

  std::string address() const;
  /// Requests so far.
  int requests() const { return requests_; }
  Task<> stop() { return server_->stop(std::chrono::milliseconds(0)); }

 private:
  explicit ModelStandIn(ModelOptions options) : options_(std::move(options)) {}
  Task<net::Answer> answer(net::ServerRequest request);

  ModelOptions options_;
  int requests_ = 0;
  std::unique_ptr<net::Server> server_;
};

}  // namespace deputy::bench
