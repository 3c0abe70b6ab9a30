// What every Provider must do, over a socket, against a strict stand-in for its vendor's API (tests/peers). A vendor is
// a line in vendors.cpp; the cases know nothing of it but what stands there. What only one vendor has is tested in a
// file of its own (anthropic_test.cpp and so on), by the same means.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/model.h"
#include "net/client.h"
#include "support/loop.h"
#include "support/model_peer.h"
#include "support/results.h"

namespace deputy::model {

/// The keys that the stand-ins take, as they stand in tests/peers.
inline constexpr std::string_view kAnthropicKey = "sk-ant-test-0123456789";
inline constexpr std::string_view kOpenAiKey = "sk-test-0123456789";
inline constexpr std::string_view kAwsSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

struct Vendor {
  std::string name;
  std::string stand_in;  // a file of tests/peers
  std::function<std::unique_ptr<Provider>(net::HttpClient& http, const Clock& clock, const std::string& url)> make;
  std::string key = {};  // that is sent along, and that no error may tell; empty: it only signs
  bool streams = true;   // else a reply comes as one body
  bool stops_for_overflow = true;
  bool counts_cache_writes = true;
  bool takes_thinking_back = true;
  bool tells_summaries = true;
};

/// All of them.
const std::vector<Vendor>& vendors();
const Vendor& vendor(std::string_view name);

inline void PrintTo(const Vendor& vendor, std::ostream* out) { *out << vendor.name; }

/// A request with tools, and the turns that follow its first.
Request asking(std::vector<Turn> more = {});

struct Heard {
  Result<Reply> reply;
  std::string streamed;
};

/// The calls and the text of it; whole replies are compared by their parts, because an error has none.
std::vector<Call> calls_of(const Reply& reply);

/// A vendor, played by its stand-in, and a provider that talks to it.
class Talk {
 public:
  Talk(const Vendor& vendor, const test::Scenario& scenario) : Talk(vendor.stand_in, vendor, scenario) {}
  /// Another program in the stand-in's place.
  Talk(const std::string& program, const Vendor& vendor, const test::Scenario& scenario);

  /// One attempt, to its end.
  Heard hear(Request request = asking());
  /// The same by a provider of its own, such as one with other options or another client.
  Heard hear_by(Provider& provider, Request request = asking());
  /// Begins an attempt, waits until the stand-in says these words, cancels it, and waits for its end and for the
  /// stand-in to see the connection close. What was streamed until then.
  std::string cancel_when(std::string words);

  test::ModelPeer& peer() { return peer_; }
  net::HttpClient& http() { return http_; }
  const Clock& clock() const { return clock_; }
  asio::io_context& loop() { return loop_; }

 private:
  asio::io_context loop_;
  SystemClock clock_;
  net::Client http_;
  test::ModelPeer peer_;
  std::unique_ptr<Provider> provider_;
};

class ProviderTest : public testing::TestWithParam<Vendor> {};

}  // namespace deputy::model
