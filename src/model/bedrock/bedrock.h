// Amazon Bedrock: Anthropic's models in their own words (InvokeModelWithResponseStream), all others in Bedrock's
// (ConverseStream); where settings say so, whole replies (InvokeModel, Converse). Signed, or with a Bedrock API key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "clients/aws/signed_client.h"
#include "model/bedrock/form.h"
#include "model/provider.h"

namespace deputy::model::bedrock {

struct Options {
  std::string model;                    // "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", or an ARN
  std::string region;                   // that is signed for
  std::string endpoint;                 // "https://bedrock-runtime.eu-central-1.amazonaws.com"; clients/aws/endpoints.h
  Secret bearer_token = {};             // a Bedrock API key; empty: requests are signed
  std::optional<Form> form = {};        // none: by the model
  std::vector<std::string> betas = {};  // of Anthropic's, in its own words only
  std::optional<double> temperature = {};
  Delivery delivery = Delivery::streamed;
};

class BedrockProvider final : public Provider {
 public:
  /// All of them outlive it. The credentials are not asked for where there is a bearer token.
  BedrockProvider(net::HttpClient& http, clients::aws::CredentialSource& credentials, const Clock& clock,
                  Options options);

  std::string_view name() const override { return name_; }
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  Task<Result<Reply>> attempt_as_is(Request request, OnText on_text);
  Task<Result<clients::aws::Opened>> open(net::Request request);

  net::HttpClient& http_;
  clients::aws::SignedClient signed_;
  const Clock& clock_;
  Options options_;
  Form form_;
  std::string name_;
};

/// The request as it goes out, but for its signature. Pure.
net::Request http_request(const Options& options, Form form, const Request& request);

}  // namespace deputy::model::bedrock
