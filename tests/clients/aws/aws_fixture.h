// A loop, a client that reaches this machine only, the peer, a clock, and the surroundings of a chain.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clients/aws/chain.h"
#include "net/client.h"
#include "support/aws_peer.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::clients::aws {

class AwsTest : public testing::Test {
 protected:
  AwsTest() {
    around.settings.region = "eu-central-1";
    around.settings.endpoint_url = peer.url();
    around.environment = {{"HOME", folder.path().string()}, {"AWS_EC2_METADATA_DISABLED", "true"}};
  }

  static net::ClientOptions this_machine_only() {
    net::ClientOptions options;
    options.allow_address = [](const asio::ip::address& address) {
      return address.is_loopback() ? Result<>{} : fail(ErrorKind::permission, "tests reach this machine only");
    };
    return options;
  }

  Result<Credentials> find() { return test::run_on(loop, find_credentials(around)); }
  void write_credentials(const std::string& text) { folder.write(".aws/credentials", text); }
  void write_config(const std::string& text) { folder.write(".aws/config", text); }

  asio::io_context loop;
  test::ManualClock clock;
  test::TemporaryFolder folder;
  test::AwsPeer peer{clock.now()};
  net::Client http{loop.get_executor(), this_machine_only()};
  AwsContext around{http, clock, {}, {}};
};

/// The same credentials, as a test compares them.
inline std::string shown(const Result<Credentials>& found) {
  if (!found) return describe(found.error());
  return found->key.access_key_id + " " + found->key.secret.reveal() + " " + found->key.session_token.reveal() +
         " from " + found->origin;
}

}  // namespace deputy::clients::aws
