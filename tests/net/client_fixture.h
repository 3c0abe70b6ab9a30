// A loop, a client on it, and certificates that are made once.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "base/json.h"
#include "base/task.h"
#include "net/client.h"
#include "support/http_peer.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::net {

class ClientTest : public testing::Test {
 protected:
  static const test::Certificates& certificates() {
    static const test::Certificates made;
    return made;
  }

  /// Made at its first use, from `options` as they are then.
  Client& client() {
    if (!client_) client_ = std::make_unique<Client>(loop.get_executor(), options);
    return *client_;
  }
  void drop_client() { client_.reset(); }

  Result<Response> send(Request request) { return test::run_on(loop, client().send(std::move(request))); }
  Result<Response> get(std::string url) { return send({.url = std::move(url)}); }
  /// The body, or the error in words.
  std::string text_of(std::string url) {
    const Result<Response> response = get(std::move(url));
    return response ? response->body : describe(response.error());
  }
  static std::string header(const Response& response, std::string_view name) {
    return std::string(find_header(response.headers, name).value_or(""));
  }

  asio::io_context loop;
  ClientOptions options;

 private:
  std::unique_ptr<Client> client_;
};

}  // namespace deputy::net
