// fetch_url over a real client and a real peer.
#include "support/http_peer.h"
#include "tools/workspace/workspace_fixture.h"

namespace deputy::tools {
namespace {

class FetchUrlTest : public WorkspaceTest {
 protected:
  /// The tool with a client that may go where `addresses` says.
  Tool tool(PrivateAddresses addresses = PrivateAddresses::allowed, net::ClientOptions options = {}) {
    client = make_fetch_client(loop.get_executor(), std::move(options), addresses);
    setup.http = client.get();
    setup.fetch_private = addresses;
    return fetch_url_tool(setup);
  }
  static std::string typed(const std::string& type, const std::string& body) {
    return "/typed?type=" + type + "&body=" + body;
  }

  /// What stands on the card as that which it changes.
  static Task<Result<std::string>> what_is_shown(Tool tool, json::object arguments) {
    CO_TRY(toolkit::Pipeline pipeline, tool->compose(arguments));
    CO_TRY(toolkit::Link link, std::move(pipeline).take("show"));
    toolkit::CallContext context;
    const toolkit::Step step = co_await link.handler.call(context);
    co_return std::get<toolkit::Output>(step).text;
  }

  const test::HttpPeer peer{"plain"};
  std::unique_ptr<net::HttpClient> client;
};

TEST_F(FetchUrlTest, ReadsAPageAsText) {
  const Result<toolkit::Output> page =
      call(tool(), {{"url", peer.url(typed("text/html", "<h1>Up</h1><p>all%20well"))}});
  ASSERT_OK(page);
  EXPECT_EQ(page->text, "Up\n\nall well");
  EXPECT_EQ(page->data.at("status"), 200);
  EXPECT_EQ(text_of(tool(), {{"url", peer.url(typed("application/json", "{}"))}}), "{}");
  EXPECT_EQ(text_of(tool(), {{"url", peer.url(typed("text/plain", ""))}}), "(the page is empty)");
}

TEST_F(FetchUrlTest, ShowsAStatusThatIsNoSuccess) {
  EXPECT_EQ(text_of(tool(), {{"url", peer.url("/nowhere")}}), "[status 404]\nno such page");
}

TEST_F(FetchUrlTest, CutsWithAWord) {
  const std::string text = text_of(tool(), {{"url", peer.url("/chunked?bytes=5000")}, {"max_length", 100}});
  EXPECT_TRUE(text.starts_with(std::string(100, 'x')));
  EXPECT_TRUE(text.contains("4900")) << text;
  EXPECT_LT(text.size(), 200U);
}

TEST_F(FetchUrlTest, RefusesWhatIsNoTextAndWhatIsTooLarge) {
  EXPECT_EQ(text_of(tool(), {{"url", peer.url(typed("image/png", "x"))}}),
            "invalid_input: the response is `image/png`, which is not text (fetch a page, JSON or other text)");
  EXPECT_FAILS(call(tool(), {{"url", peer.url("/chunked?bytes=50000000")}}), upstream);
}

TEST_F(FetchUrlTest, ReadsFromNoPrivateAddressHoweverItIsWritten) {
  const Tool strict = tool(PrivateAddresses::refused);
  for (const char* host : {"127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"}) {
    EXPECT_FAILS(call(strict, {{"url", peer.url("/hello", "http", host)}}), permission) << host;
  }
  EXPECT_FAILS(call(strict, {{"url", "http://169.254.169.254/latest/meta-data/"}}), permission);
  EXPECT_FAILS(call(tool(PrivateAddresses::allowed), {{"url", "http://169.254.169.254/"}}), permission);
}

TEST_F(FetchUrlTest, BehindAProxyOnlyListedNamesAreRead) {
  const test::HttpPeer proxy("proxy");
  net::ClientOptions options{.proxy = Secret("http://127.0.0.1:" + std::to_string(proxy.port()))};
  const json::object by_name{{"url", peer.url("/hello", "http", "some.test")}};
  EXPECT_TRUE(text_of(tool(PrivateAddresses::refused, options), by_name)
                  .ends_with(" cannot be checked (list the host in tools.workspace_tools.fetch_hosts)"));
  EXPECT_FAILS(call(tool(PrivateAddresses::refused, options), {{"url", peer.url("/hello", "http", "127.0.0.1")}}),
               permission);
  EXPECT_EQ(text_of(tool(PrivateAddresses::allowed, options), by_name), "hello");
  setup.fetch_hosts = {"some.test:" + std::to_string(peer.port())};
  EXPECT_EQ(text_of(tool(PrivateAddresses::refused, options), by_name), "hello");

  // Some name of this machine that the proxy would be asked for; no name server is.
  const std::string own_name = "some.localhost";
  setup.fetch_hosts = {own_name + ":" + std::to_string(peer.port())};
  options.no_proxy = {own_name};
  const std::string direct =
      text_of(tool(PrivateAddresses::refused, options), {{"url", peer.url("/hello", "http", own_name)}});
  EXPECT_TRUE(direct.contains("the host has ")) << direct;
}

TEST_F(FetchUrlTest, EveryHopIsJudgedAlsoOnTheSameHost) {
  std::vector<std::string> judged;
  allows = [&](std::string_view parameter, std::string_view value) {
    EXPECT_EQ(parameter, "url");
    judged.emplace_back(value);
    return false;
  };
  const std::string text = text_of(tool(), {{"url", peer.url("/redirect?to=/%68ello")}});
  EXPECT_TRUE(text.contains("The redirect was not followed")) << text;
  EXPECT_EQ(judged, std::vector<std::string>{peer.url("/hello")});
}

TEST_F(FetchUrlTest, TakesNoUrlThatIsNotForTheWeb) {
  for (const char* url : {"file:///etc/passwd", "ftp://x/", "http://user:hunter2@x/", "x.com", "http://a b/"}) {
    EXPECT_FAILS(call(tool(), {{"url", url}}), invalid_input) << url;
  }
}

TEST_F(FetchUrlTest, OnlyListedHostsAreReadWithoutAsking) {
  setup.fetch_hosts = {"status.example.com"};
  const toolkit::ToolSpec spec = tool()->spec();
  const auto effect = [&](const char* url) { return toolkit::effect_of(spec, {{"url", url}}); };
  EXPECT_EQ(effect("https://status.example.com/x"), toolkit::Effect::read);
  EXPECT_EQ(effect("https://example.com/x"), toolkit::Effect::write);
  EXPECT_EQ(effect("https://status.example.com@evil.org/"), toolkit::Effect::write);
  EXPECT_EQ(effect("https://evil.org/#status.example.com"), toolkit::Effect::write);
  EXPECT_EQ(toolkit::effect_of(spec, {}), toolkit::Effect::write);
}

TEST_F(FetchUrlTest, ACardNamesTheHostAndWhyItAsks) {
  setup.fetch_hosts = {"status.example.com"};
  const toolkit::ToolSpec spec = tool()->spec();
  const auto words = [&](const char* url) { return toolkit::words_of(spec, {{"url", url}}); };
  EXPECT_EQ(words("https://Example.com/x?y=1").target, "GET example.com");
  EXPECT_EQ(words("https://example.com/x").why_write, "example.com is not in tools.workspace_tools.fetch_hosts");
  EXPECT_EQ(words("http://example.com:8080/").target, "GET example.com:8080");
  EXPECT_EQ(words("https://status.example.com/").target, "GET status.example.com");
  EXPECT_EQ(words("https://status.example.com/").why_write, "");
  EXPECT_EQ(toolkit::words_of(spec, {}).target, "");
}

TEST_F(FetchUrlTest, SaysBeforeItsGateThatItOnlyReads) {
  const json::object arguments{{"url", "https://example.com/x"}, {"max_length", 100}};
  const Tool fetch = tool();
  const Result<toolkit::Pipeline> chain = fetch->compose(arguments);
  ASSERT_OK(chain);
  ASSERT_EQ(chain->links().size(), 2U);
  EXPECT_EQ(chain->links().front().stage, toolkit::Stage::before_gate);
  const Result<std::string> text = test::run(what_is_shown(fetch, arguments));
  ASSERT_OK(text);
  EXPECT_EQ(*text, "Nothing is changed: it sends GET to example.com and reads the response.");
}

TEST_F(FetchUrlTest, WhatWouldBeRefusedAnywayIsNotAskedFor) {
  const auto composed = [&](PrivateAddresses addresses, const std::string& url) {
    return tool(addresses)->compose({{"url", url}, {"max_length", 100}}).has_value();
  };
  for (const char* host :
       {"127.0.0.1", "0x7f.1", "[::1]", "10.1.2.3", "192.168.0.1:8080", "localhost", "a.localhost"}) {
    const std::string url = fmt::format("http://{}/", host);
    EXPECT_FALSE(composed(PrivateAddresses::refused, url)) << host;
    EXPECT_TRUE(composed(PrivateAddresses::allowed, url)) << host;
  }
  EXPECT_FALSE(composed(PrivateAddresses::allowed, "http://169.254.169.254/"));
  EXPECT_TRUE(composed(PrivateAddresses::refused, "http://93.184.216.34/"));
  EXPECT_TRUE(composed(PrivateAddresses::refused, "http://notlocalhost/"));
}

TEST_F(FetchUrlTest, FollowsARedirectOnItsHostOnly) {
  EXPECT_EQ(text_of(tool(), {{"url", peer.url("/redirect?to=/hello")}}), "hello");
  const test::HttpPeer other("plain");
  const std::string away = peer.url("/redirect?to=" + other.url("/hello"));
  const std::string text = text_of(tool(), {{"url", away}});
  EXPECT_TRUE(text.contains(" redirects to " + other.url("/hello") + ", which needs a ruling of its own.")) << text;
  setup.fetch_hosts = {"127.0.0.1:" + std::to_string(other.port())};
  EXPECT_EQ(text_of(tool(), {{"url", away}}), "hello");
  EXPECT_FAILS(call(tool(), {{"url", peer.url("/round")}}), upstream);
}

TEST_F(FetchUrlTest, ARedirectsAddressIsCheckedLikeTheFirst) {
  setup.fetch_hosts = {"169.254.169.254"};
  EXPECT_FAILS(call(tool(), {{"url", peer.url("/redirect?to=http://169.254.169.254/")}}), permission);
}

TEST_F(FetchUrlTest, WithoutAClientSaysWhatIsMissing) {
  EXPECT_TRUE(fetch_url_tool(setup)->spec().missing.contains("HTTP client"));
  EXPECT_EQ(tool()->spec().missing, "");
}

}  // namespace
}  // namespace deputy::tools
