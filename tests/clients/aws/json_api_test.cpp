// Calls in JSON: how they are written, what is tried again, and what AWS's error codes mean.
#include "clients/aws/json_api.h"

#include <gmock/gmock.h>

#include "support/aws_ops.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/vendor_errors.h"

namespace deputy::clients::aws {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

test::ScriptedResponse refused(int status, const std::string& code, const std::string& message = "why") {
  return {.status = status,
          .pieces = {R"({"__type": "com.amazon.coral#)" + code + R"(", "message": ")" + message + R"("})"}};
}

/// One call of StartQuery, the account's answers scripted.
struct JsonCalls {
  test::ManualClock clock;
  test::ScriptedHttp http;

  Result<json::value> call(const JsonService& service = kCloudWatchLogs, bool only_reads = true) {
    return test::run(ask(*this, service, only_reads));
  }
  static Task<Result<json::value>> ask(JsonCalls& calls, JsonService service, bool only_reads) {
    const auto loop = co_await asio::this_coro::executor;
    const auto account = test::account_over(calls.http, calls.clock, loop);
    const auto api = account->json_api(service);
    Operation operation{.name = "StartQuery", .body = {{"a", 1}}, .only_reads = only_reads};
    co_return co_await api->call(std::move(operation));
  }
};

TEST(JsonApiTest, ACallNamesItsOperationAndIsSigned) {
  JsonCalls calls;
  calls.http.answers({.pieces = {R"({"queryId": "q"})"}});
  ASSERT_OK(calls.call());
  ASSERT_THAT(calls.http.asked(), SizeIs(1));
  const net::Request& request = calls.http.asked().front();
  EXPECT_EQ(request.method + " " + request.url + " " + request.body, "POST http://127.0.0.1:1/ {\"a\":1}");
  EXPECT_EQ(net::find_header(request.headers, "x-amz-target"), "Logs_20140328.StartQuery");
  EXPECT_EQ(net::find_header(request.headers, "content-type"), "application/x-amz-json-1.1");
  EXPECT_THAT(
      std::string(net::find_header(request.headers, "authorization").value_or("")),
      AllOf(HasSubstr("/eu-central-1/logs/aws4_request"), HasSubstr("content-type;host;x-amz-date;x-amz-target")));
}

TEST(JsonApiTest, AThrottledReadIsTriedAgainAndAnotherCallIsNot) {
  JsonCalls calls;
  test::ScriptedResponse throttled = refused(400, "ThrottlingException");
  throttled.headers.push_back({"retry-after-ms", "1"});
  calls.http.answers(throttled).answers(throttled).answers({.pieces = {"{}"}}).answers(throttled);
  ASSERT_OK(calls.call());
  EXPECT_THAT(calls.http.asked(), SizeIs(3));
  const auto once = calls.call(kCloudWatchLogs, false);
  ASSERT_FAILS(once, rate_limit);
  EXPECT_TRUE(once.error().retry_after.has_value());
  EXPECT_THAT(calls.http.asked(), SizeIs(4));
}

TEST(JsonApiTest, WhatIsNotAllowedNamesTheAction) {
  JsonCalls calls;
  calls.http.answers(refused(400, "AccessDeniedException", "User: arn:aws:iam::1:user/x is not authorized"));
  const auto denied = calls.call();
  ASSERT_FAILS(denied, permission);
  EXPECT_EQ(denied.error().hint, "allow logs:StartQuery for the key or role that Deputy uses");
  EXPECT_THAT(denied.error().message, HasSubstr("user/x is not authorized"));
}

TEST(JsonApiTest, ACodeOfTheOlderProtocolIsReadFromItsHeader) {
  JsonCalls calls;
  test::ScriptedResponse throttled{.status = 400, .pieces = {"{}"}};
  throttled.headers = {{"x-amzn-query-error", "Throttling;Sender"}, {"retry-after", "60"}};
  calls.http.answers(throttled);
  const auto limited = calls.call(kCloudWatch);
  ASSERT_FAILS(limited, rate_limit);
  EXPECT_EQ(limited.error().retry_after, std::chrono::seconds(60));
  EXPECT_EQ(net::find_header(calls.http.asked().front().headers, "x-amzn-query-mode"), "true");
}

TEST(JsonApiTest, WithoutARegionEveryCallSaysWhatToSet) {
  test::ScriptedHttp http;
  const test::ManualClock clock;
  asio::io_context loop;
  Account account({.endpoint_url = "http://127.0.0.1:1"}, test::aws_environment(), http, clock, loop.get_executor());
  const auto called = test::run_on(loop, account.json_api(kEcs)->call({.name = "DescribeServices"}));
  ASSERT_FAILS(called, not_configured);
  EXPECT_THAT(called.error().hint, HasSubstr("aws.region"));
}

struct CodeRow {
  std::string code;
  int status;
  ErrorKind kind;
  std::string hint;
};

class AwsCodes : public testing::TestWithParam<CodeRow> {};

TEST_P(AwsCodes, HaveACategoryAndAHint) {
  JsonCalls calls;
  for (int i = 0; i < 3; ++i) {
    test::ScriptedResponse response = refused(GetParam().status, GetParam().code, "said so");
    if (GetParam().status != 403) response.headers.push_back({"retry-after-ms", "1"});
    calls.http.answers(response);
  }
  const auto called = calls.call();
  ASSERT_FALSE(called.has_value());
  EXPECT_EQ(name(called.error().kind), name(GetParam().kind)) << describe(called.error());
  EXPECT_THAT(called.error().hint, HasSubstr(GetParam().hint));
  const bool quotes = GetParam().kind != ErrorKind::authentication && GetParam().kind != ErrorKind::rate_limit;
  EXPECT_THAT(called.error().message, quotes ? testing::Matcher<std::string>(HasSubstr("said so"))
                                             : testing::Matcher<std::string>(Not(HasSubstr("said so"))));
}

INSTANTIATE_TEST_SUITE_P(
    Table, AwsCodes,
    testing::Values(CodeRow{"UnrecognizedClientException", 400, ErrorKind::authentication, "key id"},
                    CodeRow{"InvalidSignatureException", 403, ErrorKind::authentication, "secret"},
                    CodeRow{"AccessDenied", 403, ErrorKind::permission, "logs:StartQuery"},
                    CodeRow{"LimitExceededException", 400, ErrorKind::rate_limit, "wait"},
                    CodeRow{"ClusterNotFoundException", 400, ErrorKind::not_found, "clusters"},
                    CodeRow{"ResourceNotFoundException", 400, ErrorKind::not_found, "aws.region"},
                    CodeRow{"MalformedQueryException", 400, ErrorKind::invalid_input, "plain words"},
                    CodeRow{"UnknownOperationException", 400, ErrorKind::upstream, "endpoint_url"},
                    CodeRow{"ValidationException", 400, ErrorKind::invalid_input, "arguments"},
                    CodeRow{"ServiceUnavailableException", 503, ErrorKind::upstream, "later"}),
    [](const auto& row) { return row.param.code; });

TEST(JsonApiErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  test::expect_vendor_errors([&](net::HttpClient& http) -> Task<Result<>> {
    const auto loop = co_await asio::this_coro::executor;
    const auto account = test::account_over(http, clock, loop, test::kVendorToken);
    CO_TRY(const json::value answer, co_await account->json_api(kEcs)->call({.name = "DescribeServices"}));
    co_return Result<>{};
  });
}

}  // namespace
}  // namespace deputy::clients::aws
