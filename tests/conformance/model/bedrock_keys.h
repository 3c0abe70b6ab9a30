// A provider for Bedrock with the AWS keys that its stand-in takes (tests/peers/bedrock.js).
#pragma once

#include "conformance/model/provider_suite.h"
#include "model/bedrock/bedrock.h"

namespace deputy::model {

class FixedKeys final : public clients::aws::CredentialSource {
 public:
  explicit FixedKeys(std::string session_token = {})
      : keys_{.key = {.access_key_id = "AKIDEXAMPLE",
                      .secret = Secret(std::string(kAwsSecret)),
                      .session_token = Secret(std::move(session_token))},
              .expires = std::nullopt,
              .origin = "the test"} {}

  Task<Result<clients::aws::Credentials>> get() override { co_return keys_; }
  void refused(const clients::aws::Credentials&) override {}

 private:
  clients::aws::Credentials keys_;
};

/// The provider and its keys in one.
class KeyedBedrock final : public Provider {
 public:
  KeyedBedrock(net::HttpClient& http, const Clock& clock, bedrock::Options options, std::string session_token = {})
      : keys_(std::move(session_token)), provider_(http, keys_, clock, std::move(options)) {}

  std::string_view name() const override { return provider_.name(); }
  std::string_view origin() const override { return provider_.origin(); }
  Task<Result<Reply>> attempt(Request request, OnText on_text) override {
    return provider_.attempt(std::move(request), std::move(on_text));
  }

 private:
  FixedKeys keys_;
  bedrock::BedrockProvider provider_;
};

}  // namespace deputy::model
