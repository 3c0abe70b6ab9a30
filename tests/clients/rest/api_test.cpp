#include "clients/rest/api.h"

#include <gmock/gmock.h>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/scripted_http.h"
#include "support/vendor_errors.h"

namespace deputy::clients::rest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Account acme() {
  return {.vendor = {"Acme", "tools.acme.url (ACME_URL)", "ACME_TOKEN"},
          .base_url = "https://api.acme.example/v2/",
          .auth = bearer(Secret(std::string(test::kVendorToken))),
          .headers = {{"X-Version", "7"}}};
}

class RestApi : public testing::Test, public test::OnLoop {
 public:
  Result<json::value> call(Call call) { return await(api_.call(std::move(call))); }
  RestApi& answers(int status, std::string body = "{}", std::vector<net::Header> headers = {}) {
    http_.answers({.status = status, .headers = std::move(headers), .pieces = {std::move(body)}});
    return *this;
  }

  test::ManualClock clock_;
  test::ScriptedHttp http_;
  Api api_{acme(), http_, clock_};
};

TEST_F(RestApi, SendsAddressQueryHeadersAndCredentials) {
  answers(200, R"({"a": 1})");
  EXPECT_EQ(call({.path = "/things", .query = {{"q", "a b&c"}, {"none", ""}}}), json::value({{"a", 1}}));
  const net::Request& sent = http_.asked().front();
  EXPECT_EQ(sent.method, "GET");
  EXPECT_EQ(sent.url, "https://api.acme.example/v2/things?q=a+b%26c");
  EXPECT_THAT(sent.headers, ElementsAre(net::Header{"X-Version", "7"}, net::Header{"Accept", "application/json"},
                                        net::Header{"Authorization", "Bearer " + std::string(test::kVendorToken)}));
}

TEST_F(RestApi, SendsAJsonBodyOnce) {
  answers(201, "");
  EXPECT_EQ(call({.method = "POST", .path = "things", .body = json::value{{"name", "x"}}}), json::value(nullptr));
  EXPECT_EQ(http_.asked().front().body, R"({"name":"x"})");
  EXPECT_EQ(net::find_header(http_.asked().front().headers, "content-type"), "application/json");
}

TEST(RestAuth, IsAHeaderOrNothing) {
  EXPECT_EQ(basic("ana", Secret("pw")).value.reveal(), "Basic YW5hOnB3");
  EXPECT_EQ(header("Authorization", "Token token=", Secret("k")).value.reveal(), "Token token=k");
  EXPECT_TRUE(bearer(Secret()).value.empty());
  EXPECT_TRUE(basic("ana", Secret()).value.empty());
}

TEST(RestPath, EncodesEachSegmentAndRefusesOnesThatClimb) {
  EXPECT_EQ(path_of({"repos", "a/b", "{id}"}), "repos/a%2Fb/%7Bid%7D");
  EXPECT_FAILS(path_of({"repos", ".."}), invalid_input);
  EXPECT_FAILS(path_of({"repos", ""}), invalid_input);
}

TEST(RestErrors, EachHasACategoryAndAHint) {
  test::expect_vendor_errors([](net::HttpClient& http) -> Task<Result<>> {
    const test::ManualClock clock;
    Api api(acme(), http, clock);
    CO_TRY(const json::value value, co_await api.call({.path = "x"}));
    co_return Result<>{};
  });
}

TEST_F(RestApi, ReadsAgainAfterALostConnectionAndABadGateway) {
  http_.fails({ErrorKind::network, "closed", "", true});
  answers(502).answers(200, "[1]");
  EXPECT_EQ(call({.path = "x"}), json::value(json::array{1}));
  EXPECT_THAT(http_.asked(), SizeIs(3));
}

TEST_F(RestApi, DoesNotReadAgainWhatCannotHelp) {
  answers(500);
  EXPECT_FAILS(call({.path = "x"}), upstream);
  answers(400, R"({"message": "bad query"})");
  EXPECT_FAILS(call({.path = "x"}), invalid_input);
  EXPECT_THAT(http_.asked(), SizeIs(2));
}

TEST_F(RestApi, NeverSendsAWriteTwice) {
  http_.fails({ErrorKind::network, "closed", "", true});
  EXPECT_FAILS(call({.method = "POST", .path = "x"}), network);
  answers(503);
  EXPECT_FAILS(call({.method = "PUT", .path = "x"}), upstream);
  answers(429, "", {{"retry-after-ms", "1"}});
  EXPECT_FAILS(call({.method = "DELETE", .path = "x"}), rate_limit);
  EXPECT_THAT(http_.asked(), SizeIs(3));
}

TEST_F(RestApi, SendsASearchAgainThatIsAPost) {
  answers(503).answers(200);
  EXPECT_OK(call({.method = "POST", .path = "search", .only_reads = true}));
}

TEST_F(RestApi, WaitsForAShortRateLimitAndAnswersALongOne) {
  answers(429, "", {{"retry-after-ms", "20"}}).answers(200);
  EXPECT_OK(call({.path = "x"}));
  clock_.advance(std::chrono::seconds(1));
  answers(403, "", {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1700000061"}});
  const auto refused = call({.path = "x"});
  ASSERT_FAILS(refused, rate_limit);
  EXPECT_EQ(refused.error().retry_after, std::chrono::seconds(60));
  // No other call of this account is sent meanwhile.
  clock_.advance(std::chrono::seconds(10));
  const auto next = call({.method = "POST", .path = "y"});
  ASSERT_FAILS(next, rate_limit);
  EXPECT_EQ(next.error().retry_after, std::chrono::seconds(50));
  EXPECT_THAT(http_.asked(), SizeIs(3));
}

TEST_F(RestApi, DoesNotWaitLongerThanItsLimit) {
  answers(429, "", {{"retry-after", "3"}});
  EXPECT_FAILS(call({.path = "x", .limit = std::chrono::milliseconds(100)}), rate_limit);
  EXPECT_FAILS(call({.path = "y", .limit = std::chrono::milliseconds(100)}), rate_limit);
  Api other(acme(), http_, clock_);
  EXPECT_FAILS(await(other.call({.path = "z", .limit = std::chrono::milliseconds(0)})), timeout);
  EXPECT_THAT(http_.asked(), SizeIs(1));
}

TEST_F(RestApi, KeepsItsCredentialsFromOtherHosts) {
  answers(302, "", {{"location", "https://logs.example/1"}}).answers(200, "the log");
  const auto log = await(api_.send({.path = "log", .redirects = Redirects::anywhere}));
  ASSERT_OK(log);
  EXPECT_EQ(log->body, "the log");
  EXPECT_EQ(http_.asked().back().url, "https://logs.example/1");
  EXPECT_THAT(http_.asked().back().headers, SizeIs(0));
  EXPECT_FAILS(call({.path = "https://evil.example/next"}), upstream);
}

struct ErrorBodyRow {
  std::string name;
  std::string body;
  VendorError read;
};
class RestErrorBodies : public testing::TestWithParam<ErrorBodyRow> {};

TEST_P(RestErrorBodies, AreReadWhereverTheMessageIs) { EXPECT_EQ(read_vendor_error(GetParam().body), GetParam().read); }
INSTANTIATE_TEST_SUITE_P(
    Shapes, RestErrorBodies,
    testing::Values(
        ErrorBodyRow{"Github", R"({"message": "Not Found", "documentation_url": "u"})", {"", "Not Found"}},
        ErrorBodyRow{"Kubernetes",
                     R"({"kind": "Status", "message": "no pods", "reason": "NotFound", "code": 404})",
                     {"NotFound", "no pods"}},
        ErrorBodyRow{"Elastic",
                     R"({"error": {"type": "parsing_exception", "reason": "bad"}, "status": 400})",
                     {"parsing_exception", "bad"}},
        ErrorBodyRow{"Pagerduty", R"({"error": {"message": "Nope", "code": 2001, "errors": []}})", {"2001", "Nope"}},
        ErrorBodyRow{"Bitbucket", R"({"type": "error", "error": {"message": "No repo"}})", {"", "No repo"}},
        ErrorBodyRow{
            "Jira", R"({"errorMessages": [], "errors": {"summary": "is required"}})", {"", "summary: is required"}},
        ErrorBodyRow{"JiraList", R"({"errorMessages": ["bad JQL"], "errors": {}})", {"", "bad JQL"}},
        ErrorBodyRow{"Prometheus",
                     R"({"status": "error", "errorType": "bad_data", "error": "parse error"})",
                     {"bad_data", "parse error"}},
        ErrorBodyRow{"Alertmanager", R"("bad matcher")", {"", "bad matcher"}},
        ErrorBodyRow{"Loki", "parse error at line 1\n", {"", "parse error at line 1"}},
        ErrorBodyRow{"APageForBrowsers", "<html><body>Bad gateway</body></html>", {"", ""}},
        ErrorBodyRow{"BrokenJson", R"({"message": )", {"", ""}}, ErrorBodyRow{"Nothing", "", {"", ""}}),
    [](const auto& row) { return row.param.name; });

TEST_F(RestApi, TakesTheFirstRowOfAVendorsTableThatFits) {
  static constexpr auto kMeanings = std::to_array<Meaning>({
      {.status = 404,
       .code = "gone",
       .kind = ErrorKind::conflict,
       .message = "it was deleted",
       .hint = "make it again"},
      {.status = 404, .kind = ErrorKind::invalid_input, .hint = "write it as owner/name"},
  });
  const VendorName vendor{"Acme", "ACME_URL", "", kMeanings};
  EXPECT_EQ(refusal(vendor, {404, {}, R"({"code": "gone", "message": "bye"})"}, clock_.now()),
            (Error{ErrorKind::conflict, "Acme answered 404: it was deleted (bye)", "make it again"}));
  EXPECT_EQ(refusal(vendor, {404, {}, R"({"message": "what?"})"}, clock_.now()),
            (Error{ErrorKind::invalid_input, "Acme answered 404: what?", "write it as owner/name"}));
}

}  // namespace
}  // namespace deputy::clients::rest
