// One line a vendor: which stand-in plays it, and how a provider for it is made.
#include "conformance/model/bedrock_keys.h"
#include "model/anthropic/anthropic.h"
#include "model/openai/openai.h"
#include "model/openai_chat/openai_chat.h"

namespace deputy::model {

namespace {

auto anthropic_with(const std::string& model) {
  return [model](net::HttpClient& http, const Clock& clock, const std::string& url) {
    return std::make_unique<anthropic::AnthropicProvider>(
        http, clock,
        anthropic::Options{.manner = {.model = model}, .api_key = Secret(std::string(kAnthropicKey)), .base_url = url});
  };
}

std::unique_ptr<Provider> make_openai(net::HttpClient& http, const Clock& clock, const std::string& url) {
  return std::make_unique<openai::OpenAiProvider>(
      http, clock,
      openai::Options{
          .manner = {.model = "gpt-6.1-sol"}, .api_key = Secret(std::string(kOpenAiKey)), .base_url = url + "/v1"});
}

std::unique_ptr<Provider> make_openai_chat(net::HttpClient& http, const Clock& clock, const std::string& url) {
  return std::make_unique<openai_chat::OpenAiChatProvider>(
      http, clock,
      openai_chat::Options{
          .manner = {.model = "qwen3:14b"}, .api_key = Secret(std::string(kOpenAiKey)), .base_url = url + "/v1"});
}

constexpr const char* kClaude = "us.anthropic.claude-sonnet-5-5";
constexpr const char* kNova = "amazon.nova-pro-v1:0";

auto bedrock_with(const std::string& model, bedrock::Delivery delivery = bedrock::Delivery::streamed,
                  std::optional<bedrock::ApiForm> form = {}) {
  return [model, delivery, form](net::HttpClient& http, const Clock& clock, const std::string& url) {
    return std::make_unique<KeyedBedrock>(
        http, clock,
        bedrock::Options{
            .manner = {.model = model}, .region = "us-east-1", .endpoint = url, .form = form, .delivery = delivery});
  };
}

}  // namespace

const std::vector<Vendor>& vendors() {
  using bedrock::ApiForm;
  using bedrock::Delivery;
  static const std::vector<Vendor> all{
      {.name = "anthropic",
       .stand_in = "anthropic.js",
       .make = anthropic_with("claude-sonnet-5-5"),
       .key = std::string(kAnthropicKey)},
      {.name = "openai",
       .stand_in = "openai.js",
       .make = make_openai,
       .key = std::string(kOpenAiKey),
       .stops_for_overflow = false,
       .counts_cache_writes = false},
      {.name = "openai_chat",
       .stand_in = "openai_chat.js",
       .make = make_openai_chat,
       .key = std::string(kOpenAiKey),
       .stops_for_overflow = false,
       .counts_cache_writes = false,
       .takes_thinking_back = false},
      {.name = "bedrock_invoke", .stand_in = "bedrock.js", .make = bedrock_with(kClaude)},
      {.name = "bedrock_converse",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kClaude, Delivery::streamed, ApiForm::converse)},
      {.name = "bedrock_invoke_whole",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kClaude, Delivery::whole),
       .streams = false},
      {.name = "bedrock_converse_whole",
       .stand_in = "bedrock.js",
       .make = bedrock_with(kClaude, Delivery::whole, ApiForm::converse),
       .streams = false},
      {.name = "bedrock_nova", .stand_in = "bedrock.js", .make = bedrock_with(kNova), .tells_summaries = false},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(Vendors, ProviderTest, testing::ValuesIn(vendors()),
                         [](const auto& vendor) { return vendor.param.name; });

}  // namespace deputy::model
