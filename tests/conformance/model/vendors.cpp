// One line a vendor: which stand-in plays it, and how a provider for it is made.
#include "conformance/model/bedrock_keys.h"
#include "model/anthropic/anthropic.h"
#include "model/openai/openai.h"

namespace deputy::model {

namespace {

std::unique_ptr<Provider> make_anthropic(net::HttpClient& http, const Clock& clock, const std::string& url) {
  return std::make_unique<anthropic::AnthropicProvider>(
      http, clock,
      anthropic::Options{.model = "claude-sonnet-4-5", .api_key = Secret(std::string(kAnthropicKey)), .base_url = url});
}

std::unique_ptr<Provider> make_openai(net::HttpClient& http, const Clock& clock, const std::string& url) {
  return std::make_unique<openai::OpenAiProvider>(
      http, clock,
      openai::Options{.model = "gpt-5", .api_key = Secret(std::string(kOpenAiKey)), .base_url = url + "/v1"});
}

constexpr const char* kInvoked = "us.anthropic.claude-sonnet-4-20250514-v1:0";
constexpr const char* kConversed = "amazon.nova-pro-v1:0";

auto bedrock_with(const std::string& model, bedrock::Delivery delivery = bedrock::Delivery::streamed) {
  return [model, delivery](net::HttpClient& http, const Clock& clock, const std::string& url) {
    return std::make_unique<KeyedBedrock>(
        http, clock, bedrock::Options{.model = model, .region = "us-east-1", .endpoint = url, .delivery = delivery});
  };
}

}  // namespace

const std::vector<Vendor>& vendors() {
  static const std::vector<Vendor> all{
      {.name = "anthropic",
       .stand_in = "anthropic.js",
       .make = make_anthropic,
       .key = std::string(kAnthropicKey),
       .required_call = R"("any")"},
      {.name = "openai",
       .stand_in = "openai.js",
       .make = make_openai,
       .key = std::string(kOpenAiKey),
       .required_call = R"("required")",
       .stops_for_overflow = false,
       .counts_cache_writes = false},
      {.name = "bedrock_invoke",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kInvoked),
       .key = {},
       .required_call = R"("any")"},
      {.name = "bedrock_converse",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kConversed),
       .key = {},
       .required_call = R"("any")"},
      {.name = "bedrock_invoke_whole",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kInvoked, bedrock::Delivery::whole),
       .key = {},
       .required_call = R"("any")",
       .streams = false},
      {.name = "bedrock_converse_whole",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kConversed, bedrock::Delivery::whole),
       .key = {},
       .required_call = R"("any")",
       .streams = false},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(Vendors, ProviderTest, testing::ValuesIn(vendors()),
                         [](const auto& vendor) { return vendor.param.name; });

}  // namespace deputy::model
