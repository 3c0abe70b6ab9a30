// What goes out and what comes back, over plain connections and proxies.
#include "net/client.h"

#include "net/client_fixture.h"
#include "net/url.h"

namespace deputy::net {
namespace {

using namespace std::chrono_literals;

TEST_F(ClientTest, SendsARequestAndReturnsTheResponse) {
  const test::HttpPeer peer("plain");
  const Result<Response> response = send({.method = "POST",
                                          .url = peer.url("/echo?a=b"),
                                          .headers = {{"X-One", "1"}, {"Content-Type", "text/x"}, {"X-Empty", ""}},
                                          .body = "the body"});
  ASSERT_OK(response);
  EXPECT_EQ(response->status, 200);
  const json::object seen = json::parse(response->body).as_object();
  EXPECT_EQ(seen.at("method"), "POST");
  EXPECT_EQ(seen.at("url"), "/echo?a=b");
  EXPECT_EQ(seen.at("body"), "the body");
  EXPECT_EQ(seen.at("headers").at("x-one"), "1");
  EXPECT_EQ(seen.at("headers").at("x-empty"), "");
  EXPECT_EQ(seen.at("headers").at("content-type"), "text/x");
  EXPECT_EQ(seen.at("headers").at("user-agent"), "deputy");
  EXPECT_FALSE(seen.at("headers").as_object().contains("expect"));
}

TEST_F(ClientTest, EveryMethodArrivesAsItIs) {
  const test::HttpPeer peer("plain");
  for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
    for (const char* body : {"", "something"}) {
      const Result<Response> response = send({.method = method, .url = peer.url("/echo"), .body = body});
      ASSERT_OK(response);
      const json::object seen = json::parse(response->body).as_object();
      EXPECT_EQ(seen.at("method"), method);
      EXPECT_EQ(seen.at("body"), body);
      EXPECT_FALSE(seen.at("headers").as_object().contains("content-type"));
    }
  }
  const Result<Response> head = send({.method = "HEAD", .url = peer.url("/declared?bytes=100000000")});
  ASSERT_OK(head);
  EXPECT_EQ(header(*head, "content-length"), "100000000");
}

TEST_F(ClientTest, WhatMayHaveBeenCarriedOutIsNotSentAgain) {
  const test::HttpPeer peer("plain");
  int carried_out = 0;
  for (const char* method : {"POST", "PUT", "DELETE"}) {
    for (const char* body : {"", "something"}) {
      ASSERT_OK(get(peer.url("/hello")));  // leaves a connection in the pool
      const Result<Response> response = send({.method = method, .url = peer.url("/drop"), .body = body});
      ASSERT_FAILS(response, network);
      EXPECT_EQ(get(peer.url("/dropped")).value_or(Response{}).body, std::to_string(++carried_out))
          << method << " " << body;
    }
  }
}

TEST_F(ClientTest, AStatusIsNoError) {
  const test::HttpPeer peer("plain");
  for (const int status : {204, 302, 404, 429, 500, 503}) {
    const Result<Response> response = get(peer.url("/status?code=" + std::to_string(status)));
    ASSERT_OK(response);
    EXPECT_EQ(response->status, status);
  }
}

TEST_F(ClientTest, ARedirectIsHandedBack) {
  const test::HttpPeer peer("plain");
  const Result<Response> response = get(peer.url("/redirect?to=/hello"));
  ASSERT_OK(response);
  EXPECT_EQ(response->status, 302);
  EXPECT_EQ(header(*response, "Location"), "/hello");
}

TEST_F(ClientTest, ConnectionsAreUsedAgain) {
  const test::HttpPeer peer("plain");
  for (int i = 0; i < 5; ++i) {
    const Result<Response> response = get(peer.url("/hello"));
    ASSERT_OK(response);
    EXPECT_EQ(header(*response, "x-connection"), "1");
  }
}

Task<int> count_hellos(HttpClient& client, std::string url, int wanted) {
  const auto executor = co_await asio::this_coro::executor;
  auto counted = std::make_shared<int>(0);
  auto ended = std::make_shared<int>(0);
  for (int i = 0; i < wanted; ++i) {
    asio::co_spawn(executor, client.send({.url = url}),
                   [counted, ended](const std::exception_ptr&, const Result<Response>& response) {
                     ++*ended;
                     if (response && response->body == "hello") ++*counted;
                   });
  }
  while (*ended < wanted) co_await sleep_for(1ms);
  co_return *counted;
}

TEST_F(ClientTest, ManyRequestsShareAFewConnections) {
  const test::HttpPeer peer("plain");
  options.max_connections_per_host = 7;
  EXPECT_EQ(test::run_on(loop, count_hellos(client(), peer.url("/hello"), 200)), 200);
  const json::object seen = json::parse(get(peer.url("/connections"))->body).as_object();
  EXPECT_EQ(seen.at("most_open"), 7);
  EXPECT_EQ(seen.at("opened"), 7);
}

TEST_F(ClientTest, ARequestThatWaitsForAConnectionIsNotSlowToConnect) {
  const test::HttpPeer peer("plain");
  options.max_connections_per_host = 1;
  Request slow{.url = peer.url("/stall"), .timeouts = {.connect = 5s, .idle = 300ms}};
  asio::co_spawn(loop, client().send(slow), [](const std::exception_ptr&, const Result<Response>&) {});
  const Result<Response> queued =
      send({.url = peer.url("/hello"), .timeouts = {.connect = 100ms, .idle = 100ms, .total = 20s}});
  EXPECT_OK(queued);
}

TEST_F(ClientTest, AConnectionThatBreaksOffIsANetworkError) {
  const test::HttpPeer peer("plain");
  const Result<Response> cut = get(peer.url("/cut?key=hunter2"));
  ASSERT_FAILS(cut, network);
  EXPECT_TRUE(cut.error().retryable);
  EXPECT_FALSE(describe(cut.error()).contains("hunter2"));
  EXPECT_FALSE(describe(cut.error()).contains("/cut"));
}

TEST_F(ClientTest, NobodyAtThePortIsANetworkError) {
  int port = 0;
  {
    const test::HttpPeer peer("plain");
    port = peer.port();
  }
  const Result<Response> response = get("http://127.0.0.1:" + std::to_string(port) + "/");
  ASSERT_FAILS(response, network);
  EXPECT_EQ(response.error().message, "cannot connect to `127.0.0.1:" + std::to_string(port) + "`");
}

TEST_F(ClientTest, WhatIsNoHttpIsSaid) {
  const test::HttpPeer peer("tls", certificates());
  EXPECT_FALSE(get(peer.url("/hello")).has_value());  // plain words to a TLS port
}

TEST_F(ClientTest, NothingCanBeSmuggledIntoARequest) {
  const test::HttpPeer peer("plain");
  const std::string url = peer.url("/echo");
  EXPECT_FAILS(send({.url = url, .headers = {{"X", "a\r\nY: b"}}}), invalid_input);
  EXPECT_FAILS(send({.url = url, .headers = {{"X", "a\nb"}}}), invalid_input);
  EXPECT_FAILS(send({.url = url, .headers = {{"X", std::string("a\0b", 3)}}}), invalid_input);
  EXPECT_FAILS(send({.url = url, .headers = {{"X: y\r\nZ", "a"}}}), invalid_input);
  EXPECT_FAILS(send({.url = url, .headers = {{"", "a"}}}), invalid_input);
  EXPECT_FAILS(send({.url = url, .headers = {{"Host", "other"}}}), invalid_input);
  EXPECT_FAILS(send({.url = url, .headers = {{"content-LENGTH", "5"}}}), invalid_input);
  EXPECT_FAILS(send({.method = "GET / HTTP/1.1\r\nX:", .url = url}), invalid_input);
  EXPECT_FAILS(send({.method = "", .url = url}), invalid_input);
  EXPECT_FAILS(send({.url = url + "\r\nX: y"}), invalid_input);
  EXPECT_FAILS(send({.url = "file:///etc/passwd"}), invalid_input);
  const Result<Response> refused = send({.url = url, .headers = {{"Authorization", "Bearer hunter2\n"}}});
  ASSERT_FAILS(refused, invalid_input);
  EXPECT_FALSE(describe(refused.error()).contains("hunter2"));
}

TEST_F(ClientTest, TheEnvironmentIsNotRead) {
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
  const test::HttpPeer peer("plain");
  EXPECT_EQ(text_of(peer.url("/hello")), "hello");
  unsetenv("http_proxy");
  unsetenv("ALL_PROXY");
}

TEST_F(ClientTest, AProxyIsUsedUnlessTheHostIsListed) {
  const test::HttpPeer peer("plain");
  const test::HttpPeer proxy("proxy", "ann:hunter2");
  options.proxy = Secret("http://ann:hunter2@127.0.0.1:" + std::to_string(proxy.port()));
  options.no_proxy = {"other.test"};
  const std::string url = peer.url("/hello", "http", "some.test");
  const Result<Response> through = get(url);
  ASSERT_OK(through);
  EXPECT_EQ(through->body, "hello");
  EXPECT_EQ(header(*through, "x-proxy"), "yes");
  const Result<Response> direct = get(peer.url("/hello", "http", "other.test"));
  ASSERT_OK(direct);
  EXPECT_EQ(header(*direct, "x-proxy"), "");
  const Result<Response> never = send({.url = url, .headers = {}, .proxy = ProxyUse::never});
  ASSERT_OK(never);
  EXPECT_EQ(header(*never, "x-proxy"), "");
}

TEST_F(ClientTest, WhatIsSaidToThisMachineIsNotTheProxys) {
  const test::HttpPeer peer("plain");
  const test::HttpPeer proxy("proxy");
  options.proxy = Secret("http://127.0.0.1:" + std::to_string(proxy.port()));
  for (const char* host : {"127.0.0.1", "localhost"}) {
    const Result<Response> direct = get(peer.url("/hello", "http", host));
    ASSERT_OK(direct);
    EXPECT_EQ(header(*direct, "x-proxy"), "") << host;
  }
}

TEST_F(ClientTest, TlsGoesThroughAProxyUnread) {
  const test::HttpPeer peer("tls", certificates());
  test::HttpPeer proxy("proxy");
  options.ca_file = certificates().authority_file();
  options.proxy = Secret("http://127.0.0.1:" + std::to_string(proxy.port()));
  const Result<Response> through = get(peer.url("/hello", "https", "some.test"));
  ASSERT_OK(through);
  EXPECT_EQ(through->body, "hello");
  test::run_on(loop, proxy.says("proxied CONNECT some.test:" + std::to_string(peer.port())));
}

TEST_F(ClientTest, AProxyThatRefusesIsSaidWithoutItsPassword) {
  const test::HttpPeer peer("tls", certificates());
  const test::HttpPeer proxy("proxy", "ann:right");
  options.proxy = Secret("http://ann:hunter2@127.0.0.1:" + std::to_string(proxy.port()));
  const Result<Response> through = get(peer.url("/hello", "https", "some.test"));
  ASSERT_FAILS(through, authentication);
  EXPECT_FALSE(describe(through.error()).contains("hunter2"));
}

TEST_F(ClientTest, AnAddressCanBeRefusedBeforeAnythingIsSent) {
  const test::HttpPeer peer("plain");
  std::vector<std::string> seen;
  const Error no{ErrorKind::permission, "not there", "ask elsewhere"};
  options.allow_address = [&](const asio::ip::address& address) -> Result<> {
    seen.push_back(address.to_string());
    return std::unexpected(no);
  };
  for (const char* host : {"127.0.0.1", "some.test", "0x7f.0.0.1"}) {
    const Result<Response> response = get(peer.url("/hello", "http", host));
    ASSERT_FALSE(response.has_value()) << host;
    EXPECT_EQ(response.error(), no);
  }
  EXPECT_THAT(seen, testing::Each("127.0.0.1"));
  EXPECT_EQ(seen.size(), 3U);
  options.allow_address = {};
  drop_client();
  EXPECT_EQ(header(*get(peer.url("/hello")), "x-connection"), "1");
}

TEST_F(ClientTest, AnAddressOfEitherFamilyIsSeenAsItIs) {
  std::vector<std::string> seen;
  options.allow_address = [&](const asio::ip::address& address) -> Result<> {
    seen.push_back(address.to_string());
    return fail(ErrorKind::permission, "not there");
  };
  for (const char* host : {"[::1]", "[2001:db8:1:2:3:4:5:6]", "[::ffff:10.1.2.3]", "198.51.100.7"}) {
    EXPECT_FAILS(get(std::string("http://") + host + "/"), permission);
  }
  EXPECT_THAT(seen, testing::ElementsAre("::1", "2001:db8:1:2:3:4:5:6", "::ffff:10.1.2.3", "198.51.100.7"));
}

TEST_F(ClientTest, AnAddressThatIsAllowedIsSeenOnceAConnection) {
  const test::HttpPeer peer("plain");
  int asked = 0;
  options.allow_address = [&](const asio::ip::address&) {
    ++asked;
    return Result<>{};
  };
  EXPECT_EQ(text_of(peer.url("/hello")), "hello");
  EXPECT_EQ(text_of(peer.url("/hello")), "hello");
  EXPECT_EQ(asked, 1);
}

TEST_F(ClientTest, AnAddressIsCheckedAlsoWhenAProxyWouldConnectToIt) {
  const test::HttpPeer proxy("proxy");
  options.proxy = Secret("http://127.0.0.1:" + std::to_string(proxy.port()));
  options.allow_address = [&](const asio::ip::address& address) -> Result<> {
    return fail(ErrorKind::permission, "not " + address.to_string());
  };
  const Result<Response> response = get("http://169.254.169.254/");
  ASSERT_FAILS(response, permission);
  EXPECT_EQ(response.error().message, "not 169.254.169.254");
}

TEST_F(ClientTest, ANameIsCheckedOnlyWhenAProxyWouldLookItUp) {
  const test::HttpPeer peer("plain");
  const test::HttpPeer proxy("proxy");
  const auto never = [](const Url& url) -> Result<> { return fail(ErrorKind::permission, "not " + url.host); };
  const Request by_name{.url = peer.url("/hello", "http", "some.test"), .allow_proxied_name = never};
  // An address of this machine that the proxy may be asked for.
  const Request by_address{.url = peer.url("/hello", "http", "0.0.0.0"), .allow_proxied_name = never};
  options.proxy = Secret("http://127.0.0.1:" + std::to_string(proxy.port()));
  const Result<Response> refused = send(by_name);
  ASSERT_FAILS(refused, permission);
  EXPECT_EQ(refused.error().message, "not some.test");
  const Result<Response> through = send(by_address);
  ASSERT_OK(through);
  EXPECT_EQ(header(*through, "x-proxy"), "yes");
}

TEST_F(ClientTest, ANameThatIsReachedDirectlyIsNotTheProxys) {
  const test::HttpPeer peer("plain");
  options.proxy = Secret("http://127.0.0.1:1");
  options.no_proxy = {"some.test"};
  EXPECT_OK(send({.url = peer.url("/hello", "http", "some.test"), .allow_proxied_name = [](const Url&) -> Result<> {
                    return fail(ErrorKind::permission, "not this one");
                  }}));
}

}  // namespace
}  // namespace deputy::net
