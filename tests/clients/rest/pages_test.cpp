#include "clients/rest/pages.h"

#include <gmock/gmock.h>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/scripted_http.h"

namespace deputy::clients::rest {
namespace {

using testing::ElementsAre;

class RestPages : public testing::Test, public test::OnLoop {
 public:
  RestPages& page(std::string body, std::string link = {}) {
    http_.answers({.headers = {{"link", std::move(link)}}, .pieces = {std::move(body)}});
    return *this;
  }
  Result<Pages> read(std::string items, NextPage next, std::size_t most = 100) {
    return await(read_pages(api_, {.path = "list", .query = {{"q", "x"}}}, std::move(items), std::move(next), most));
  }
  std::vector<std::string> urls() const {
    std::vector<std::string> urls;
    for (const net::Request& request : http_.asked()) urls.push_back(request.url.substr(std::string(kBase).size()));
    return urls;
  }

  static constexpr const char* kBase = "http://127.0.0.1:1/api/";
  test::ManualClock clock_;
  test::ScriptedHttp http_;
  Api api_{{.vendor = {"Acme", "ACME_URL", ""}, .base_url = kBase}, http_, clock_};
};

TEST_F(RestPages, FollowTheLinkHeader) {
  page("[1]", "<http://127.0.0.1:1/api/list?page=1>; rel=\"prev\", <http://127.0.0.1:1/api/list?page=3>; rel=\"next\"");
  page("[2]", "<http://127.0.0.1:1/api/list?page=1>; rel=\"first\"");
  const Pages pages = *read("", next_by_link());
  EXPECT_EQ(pages.items, (json::array{1, 2}));
  EXPECT_FALSE(pages.has_more);
  EXPECT_THAT(urls(), ElementsAre("list?q=x", "list?page=3"));
}

TEST_F(RestPages, FollowAnAddressInTheBody) {
  page(R"({"values": [1], "next": "/list?cursor=a"})").page(R"({"values": [2]})");
  EXPECT_EQ(read("/values", next_by_url("/next"))->items, (json::array{1, 2}));
  EXPECT_THAT(urls(), ElementsAre("list?q=x", "list?cursor=a"));
}

TEST_F(RestPages, SendACursorBack) {
  page(R"({"items": [], "metadata": {"continue": "a"}})").page(R"({"items": [1], "metadata": {"continue": "b"}})");
  page(R"({"items": [2], "metadata": {"continue": ""}})");
  EXPECT_EQ(read("/items", next_by_cursor("/metadata/continue", "continue"))->items, (json::array{1, 2}));
  EXPECT_THAT(urls(), ElementsAre("list?q=x", "list?q=x&continue=a", "list?q=x&continue=b"));
}

TEST_F(RestPages, StopAtTheNumberAskedForAndSayThatThereIsMore) {
  page(R"({"items": [1, 2, 3]})");
  const Pages cut = *read("/items", next_by_url("/next"), 2);
  EXPECT_EQ(cut.items, (json::array{1, 2}));
  EXPECT_TRUE(cut.has_more);
  page(R"({"items": [1, 2], "next": "/more"})");
  EXPECT_TRUE(read("/items", next_by_url("/next"), 2)->has_more);
  EXPECT_THAT(urls(), ElementsAre("list?q=x", "list?q=x"));
}

TEST_F(RestPages, StopAtAPageThatLeadsToItself) {
  page(R"({"items": [1], "next": "/list"})").page(R"({"items": [2], "next": "/list"})");
  EXPECT_EQ(read("/items", next_by_url("/next"))->items, (json::array{1, 2}));
}

TEST_F(RestPages, StopAfterManyEmptyPages) {
  for (int i = 0; i < kMaxPages; ++i) page(R"({"items": [], "next": "/page)" + std::to_string(i) + "\"}");
  const auto pages = read("/items", next_by_url("/next"));
  ASSERT_OK(pages);
  EXPECT_TRUE(pages->has_more);
}

TEST_F(RestPages, StopAfterManyBytesAndSayThatThereIsMore) {
  const std::string large(7UL << 20, 'x');
  for (int i = 0; i < 6; ++i)
    page(json::serialize(json::object{{"items", {large}}, {"next", "/page" + std::to_string(i)}}));
  const auto pages = read("/items", next_by_url("/next"));
  ASSERT_OK(pages);
  EXPECT_EQ(pages->items.size(), 5U);
  EXPECT_TRUE(pages->has_more);
}

TEST_F(RestPages, RefuseAPageWithoutAListAndOneOfAnotherHost) {
  page(R"({"items": 3})");
  EXPECT_FAILS(read("/items", next_by_url("/next")), upstream);
  page(R"({"items": [], "next": "http://127.0.0.1:2/api/list"})");
  EXPECT_FAILS(read("/items", next_by_url("/next")), upstream);
}

}  // namespace
}  // namespace deputy::clients::rest
