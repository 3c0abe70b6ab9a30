// Amazon Bedrock: Anthropic's models in their own words (InvokeModelWithResponseStream), all others in Bedrock's
// (ConverseStream); where settings say so, whole replies (InvokeModel, Converse). Signed, or with a Bedrock API key.
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
  std::string region;                   // that is signed for
  std::string endpoint;                 // "https://bedrock-runtime.eu-central-1.amazonaws.com"; clients/aws/endpoints.h
  Secret bearer_token = {};             // a Bedrock API key; empty: requests are signed
  std::optional<Form> form = {};        // none: by the model
  std::vector<std::string> betas = {};  // of Anthropic's, in its own words only
  Delivery delivery = Delivery::streamed;
};

class BedrockProvider final : public Provider {
 public:
  /// All of them outlive it. The credentials are not asked for where there is a bearer token.
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
  Form form_;
  std::string name_;
  std::string origin_;
  SecondTry second_try_;  // what this model was found to refuse
};

struct HttpRequest {
  net::Request http;
  unsigned sent = 0;  // which optional fields are in it (second_try.h)
};

/// The request as it goes out, but for its signature. Pure.
HttpRequest http_request(const Options& options, Form form, const Request& request, const SecondTry& second_try,
                         bool shows_thinking);

}  // namespace deputy::model::bedrock
