// What settings say of the network, seen in pages that fetch_url reads from a server on this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "support/http_peer.h"

namespace deputy {
namespace {

using testing::HasSubstr;
constexpr const char* kPage = "/typed?type=text/plain&body=hello";

class NetworkSettingsAtWork : public testing::Test {
 protected:
  ProcessEnd fetch(const std::string& url, const std::string& settings) const {
    deputy_.write_user(settings);
    return deputy_.run({"tools", "call", "fetch_url", fmt::format(R"({{"url": "{}"}})", url)});
  }
  static std::string listed(int port, const std::string& more = "fetch_private: true",
                            const std::string& host = "127.0.0.1") {
    return fmt::format("tools: {{workspace_tools: {{fetch_hosts: ['{}:{}'], {}}}}}\n", host, port, more);
  }

  test::Program deputy_;
};

TEST_F(NetworkSettingsAtWork, FetchHostsSayWhatIsReadWithoutAsking) {
  const test::HttpPeer peer("plain");
  const ProcessEnd read = fetch(peer.url(kPage), listed(peer.port()));
  EXPECT_EQ(read.exit_code, 0) << read.output << read.errors;
  const ProcessEnd asked = fetch(peer.url(kPage), "tools: {workspace_tools: {fetch_private: true}}\n");
  EXPECT_EQ(asked.exit_code, 4) << asked.output << asked.errors;
  EXPECT_THAT(asked.output, HasSubstr(peer.url(kPage)));
  const std::string host = fmt::format("127.0.0.1:{}", peer.port());
  EXPECT_THAT(asked.output, HasSubstr("fetch_url GET " + host));
  EXPECT_THAT(asked.output, HasSubstr("Why it asks: " + host + " is not in tools.workspace_tools.fetch_hosts"));
  EXPECT_THAT(asked.output, HasSubstr("Nothing is changed: it sends GET to " + host));
}

TEST_F(NetworkSettingsAtWork, AnAddressThatIsNeverReadIsRefusedBeforeAnybodyIsAsked) {
  const ProcessEnd refused = fetch("http://127.0.0.1:1/", "{}\n");
  EXPECT_EQ(refused.exit_code, 1) << refused.output << refused.errors;
  EXPECT_THAT(refused.output, HasSubstr("a loopback address, which fetch_url does not read from"));
}

TEST_F(NetworkSettingsAtWork, FetchPrivateSaysWhetherNeighboursAreRead) {
  const test::HttpPeer peer("plain");
  EXPECT_EQ(fetch(peer.url(kPage), listed(peer.port(), "fetch_private: false")).exit_code, 1);
  EXPECT_EQ(fetch(peer.url(kPage), listed(peer.port(), "fetch_private: true")).exit_code, 0);
}

TEST_F(NetworkSettingsAtWork, ProxyCarriesWhatIsNotReachedDirectly) {
  const test::HttpPeer peer("plain");
  // A name of this machine, without asking a name server, and none of those that always go without the proxy.
  const std::string host = "some.localhost";
  const std::string url = peer.url(kPage, "http", host);
  const std::string allowed = listed(peer.port(), "fetch_private: true", host);
  const std::string nobody_listens = "network: {proxy: 'http://127.0.0.1:1', no_proxy: ''}\n";
  EXPECT_THAT(fetch(url, nobody_listens + allowed).output, HasSubstr("proxy"));
  EXPECT_EQ(fetch(peer.url(kPage), nobody_listens + listed(peer.port())).exit_code, 0) << "this machine itself";
  const std::string direct = "network: {proxy: 'http://127.0.0.1:1', no_proxy: some.localhost}\n";
  EXPECT_EQ(fetch(url, direct + allowed).exit_code, 0);
  deputy_.variables["HTTPS_PROXY"] = "http://127.0.0.1:1";
  EXPECT_THAT(fetch(url, allowed).output, HasSubstr("proxy"));
}

TEST_F(NetworkSettingsAtWork, CaFileSaysWhomToTrust) {
  const test::Certificates certificates;
  const test::HttpPeer peer("tls", certificates);
  const std::string url = peer.url(kPage, "https");
  EXPECT_THAT(fetch(url, listed(peer.port())).output, HasSubstr("certificate"));
  deputy_.variables["SSL_CERT_FILE"] = certificates.authority_file();
  EXPECT_EQ(fetch(url, listed(peer.port())).exit_code, 0);
}

}  // namespace
}  // namespace deputy
