#include "model/openai_errors.h"

#include <gtest/gtest.h>

#include "model/refusals.h"

namespace deputy::model::openai_errors {
namespace {

using test::Refusal;

class OpenAiErrors : public testing::TestWithParam<Refusal> {};

TEST_P(OpenAiErrors, Are) {
  const Refusal& row = GetParam();
  test::expect_error(error_of(row.status, {}, row.body, from_millis(0)), row);
  EXPECT_FALSE(is_overflow(row.status, row.body));
}

INSTANTIATE_TEST_SUITE_P(
    By, OpenAiErrors,
    testing::Values(
        Refusal{"ABadRequest", 400,
                R"({"error":{"message":"bad","type":"invalid_request_error","param":"tools","code":null}})",
                ErrorKind::invalid_input, false},
        Refusal{"AWrongKey", 401,
                R"({"error":{"message":"Incorrect API key provided: sk-ab","code":"invalid_api_key"}})",
                ErrorKind::authentication, false},
        Refusal{"NoRight", 403, R"({"error":{"message":"Country not supported"}})", ErrorKind::permission, false},
        Refusal{"AnUnknownModel", 404, R"({"error":{"message":"no such model","code":"model_not_found"}})",
                ErrorKind::not_found, false},
        Refusal{"AnUnknownModelAtOllama", 404, R"({"error":"model 'x' not found, try pulling it first"})",
                ErrorKind::not_found, false},
        Refusal{"ARateLimit", 429, R"({"error":{"message":"slow","code":"rate_limit_exceeded"}})",
                ErrorKind::rate_limit, true},
        Refusal{
            "NoQuota", 429,
            R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})",
            ErrorKind::rate_limit, false},
        Refusal{"NoCredit", 402, R"({"error":{"message":"Insufficient Balance"}})", ErrorKind::permission, false},
        Refusal{"AFailure", 500, R"({"error":{"message":"x","type":"server_error"}})", ErrorKind::upstream, true},
        Refusal{"NotReady", 503, "", ErrorKind::upstream, true},
        Refusal{"NotReadyYetAtLlama", 503,
                R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})", ErrorKind::upstream,
                true},
        Refusal{"AListOfComplaints", 422, R"({"detail":[{"loc":["body","messages"],"msg":"field required"}]})",
                ErrorKind::invalid_input, false},
        Refusal{"AnErrorOfAnOlderVllm", 400,
                R"({"object":"error","message":"bad","type":"BadRequestError","code":400})", ErrorKind::invalid_input,
                false},
        Refusal{"InsideAStreamByItsNumber", 200, R"({"error":{"message":"x","code":502}})", ErrorKind::upstream, true},
        Refusal{"InsideAStreamByItsCode", 200, R"({"error":{"message":"x","code":"rate_limit_exceeded"}})",
                ErrorKind::rate_limit, true},
        Refusal{"InsideAStreamByItsType", 200, R"({"error":{"message":"x","type":"invalid_request_error"}})",
                ErrorKind::invalid_input, false},
        Refusal{"InsideAStreamOfUnknownKind", 200, R"({"error":{"message":"x"}})", ErrorKind::upstream, true},
        Refusal{"InsideAStreamAsText", 200, R"({"error":"x"})", ErrorKind::upstream, true}),
    [](const auto& row) { return row.param.name; });

TEST(OpenAiError, NeverHoldsTheKey) {
  const Error error =
      error_of(401, {}, R"({"error":{"message":"Incorrect API key provided: sk-ab***yz"}})", from_millis(0));
  EXPECT_FALSE(describe(error).contains("sk-"));
}

class OpenAiOverflow : public testing::TestWithParam<std::pair<int, std::string>> {};

TEST_P(OpenAiOverflow, IsARequestThatDoesNotFit) { EXPECT_TRUE(is_overflow(GetParam().first, GetParam().second)); }

INSTANTIATE_TEST_SUITE_P(
    SaidBy, OpenAiOverflow,
    testing::Values(
        std::pair(400, R"({"error":{"message":"x","code":"context_length_exceeded"}})"),
        std::pair(
            400,
            R"({"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":null}})"),
        std::pair(
            400,
            R"({"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"})"),
        std::pair(
            400,
            R"({"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}})"),
        std::pair(
            500,
            R"({"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size"}})"),
        std::pair(400, R"({"error":"input length exceeds maximum context length"})"), std::pair(413, "<html>"),
        std::pair(
            429,
            R"({"error":{"message":"Request too large for gpt-x on tokens per min (TPM): Limit 30000","code":"rate_limit_exceeded"}})"),
        std::pair(200, R"({"error":{"message":"x","code":"context_length_exceeded"}})")));

}  // namespace
}  // namespace deputy::model::openai_errors
