// Amazon Bedrock: Anthropic's models in the Messages format (InvokeModelWithResponseStream), all others in Converse
// (ConverseStream); not streamed if settings say so (InvokeModel, Converse). Signed, or with a Bedrock API key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "clients/aws/signed_client.h"
#include "model/bedrock/settings.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model::bedrock {

struct Options {
  Manner manner;                        // the model: "eu.anthropic.claude-sonnet-5-5", or an ARN
  std::string region;                   // used in the signature
  std::string endpoint;                 // "https://bedrock-runtime.eu-central-1.amazonaws.com"; clients/aws/settings.h
  Secret bearer_token = {};             // a Bedrock API key; empty: sign requests
  std::optional<ApiForm> form = {};     // empty: chosen by the model
  std::vector<std::string> betas = {};  // Anthropic's, in the Messages format only
  Delivery delivery = Delivery::streamed;
};

class BedrockProvider final : public Provider {
 public:
  /// All of them must outlive the provider. With a bearer token the credentials are not used.
  BedrockProvider(net::HttpClient& http, clients::aws::CredentialSource& credentials, const Clock& clock,
                  Options options);

  std::string_view name() const override { return name_; }
  std::string_view origin() const override { return origin_; }
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  Task<Result<Reply>> attempt_as_is(Request request, OnText on_text);
  Task<Result<clients::aws::Opened>> open(net::Request request);
  Task<Result<Reply>> read_reply(net::ResponseStream& stream, const Request& request, OnText on_text);

  net::HttpClient& http_;
  clients::aws::SignedClient signed_;
  const Clock& clock_;
  Options options_;
  ApiForm form_;
  std::string name_;
  std::string origin_;
  SecondTry second_try_;  // what this model refuses
};

struct HttpRequest {
  net::Request http;
  unsigned sent = 0;  // optional fields in the body, as flags (second_try.h)
};

/// Builds the request except for its signature. Pure.
HttpRequest http_request(const Options& options, ApiForm form, const Request& request, const SecondTry& second_try,
                         bool shows_thinking);

}  // namespace deputy::model::bedrock
