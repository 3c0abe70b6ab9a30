#include "net/redirects.h"

#include "net/client_fixture.h"

namespace deputy::net {
namespace {

class RedirectsTest : public ClientTest {
 protected:
  Result<Followed> follow(std::string url, RedirectRules rules) {
    return test::run_on(
        loop, send_following(client(), {.url = std::move(url), .headers = {{"X-Key", "secret"}, {"Range", "bytes=-9"}}},
                             std::move(rules)));
  }
  static bool always(const Url&, const Url&) { return true; }

  const test::HttpPeer peer{"plain"};
};

TEST_F(RedirectsTest, AreFollowedWithinOneOriginWithTheHeaders) {
  const Result<Followed> followed = follow(peer.url("/redirect?to=/echo?a"), {.may_follow = always});
  ASSERT_OK(followed);
  EXPECT_EQ(followed->url.text, peer.url("/echo?a"));
  EXPECT_EQ(json::parse(followed->response.body).at("headers").at("x-key"), "secret");
}

TEST_F(RedirectsTest, LeaveTheHeadersBehindWhenTheyLeaveTheOrigin) {
  const test::HttpPeer other("plain");
  const Result<Followed> followed = follow(peer.url("/redirect?to=" + other.url("/echo")), {.may_follow = always});
  ASSERT_OK(followed);
  const json::value echo = json::parse(followed->response.body);
  EXPECT_FALSE(echo.at("headers").as_object().contains("x-key"));
  EXPECT_EQ(echo.at("headers").at("range"), "bytes=-9") << "how much is wanted";
}

TEST_F(RedirectsTest, AreCheckedHopByHop) {
  std::vector<std::string> hops;
  const auto note = [&](const Url& from, const Url& to) {
    hops.push_back(from.place() + " > " + to.place());
    return to.host == "127.0.0.1";
  };
  const Result<Followed> followed =
      follow(peer.url("/redirect?to=" + peer.url("/redirect?to=http://localhost:9/x%3Fy")), {.may_follow = note});
  ASSERT_OK(followed);
  EXPECT_EQ(followed->response.status, 302);
  EXPECT_EQ(followed->points_to.value_or(Url{}).text, "http://localhost:9/x?y");
  const std::string place = "127.0.0.1:" + std::to_string(peer.port());
  EXPECT_THAT(hops, testing::ElementsAre(place + " > " + place, place + " > localhost:9"));
}

TEST_F(RedirectsTest, EachHopsAddressIsSeenBeforeItIsConnectedTo) {
  const test::HttpPeer other("plain");
  int asked = 0;
  options.allow_address = [&](const asio::ip::address&) -> Result<> {
    if (++asked > 1) return fail(ErrorKind::permission, "not there");
    return {};
  };
  EXPECT_FAILS(follow(peer.url("/redirect?to=" + other.url("/hello")), {.may_follow = always}), permission);
}

TEST_F(RedirectsTest, InARingEnd) {
  const Result<Followed> followed = follow(peer.url("/round"), {.most = 5, .may_follow = always});
  ASSERT_FAILS(followed, upstream);
  EXPECT_TRUE(followed.error().message.ends_with("redirects more than 5 times"));
}

TEST_F(RedirectsTest, NeverLeadFromTlsToPlainWordsNorToOtherProtocols) {
  const test::HttpPeer tls("tls", certificates());
  options.ca_file = certificates().authority_file();
  const Result<Followed> followed =
      follow(tls.url("/redirect?to=" + peer.url("/hello"), "https"), {.may_follow = always});
  ASSERT_OK(followed);
  EXPECT_EQ(followed->points_to.value_or(Url{}).text, peer.url("/hello"));
  EXPECT_FAILS(follow(peer.url("/redirect?to=file:///etc/passwd"), {.may_follow = always}), upstream);
}

}  // namespace
}  // namespace deputy::net
