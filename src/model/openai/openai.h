// OpenAI's Responses API, used without state on its side: each request carries the whole conversation.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/secret.h"
#include "model/exchange.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model::openai {

struct Options {
  Manner manner;
  Secret api_key = {};
  std::string base_url = "https://api.openai.com/v1";  // one without a path gets /v1
  net::Timeouts timeouts = kModelTimeouts;
};

class OpenAiProvider final : public Provider {
 public:
  /// The client and the clock must outlive the provider.
  OpenAiProvider(net::HttpClient& http, const Clock& clock, Options options);

  std::string_view name() const override { return name_; }
  std::string_view origin() const override { return origin_; }
  Task<Result<std::vector<std::string>>> list_models() override;

  /// May ask again within the attempt, without what the API refused (second_try.h).
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  void add_key(net::Request& request) const;

  net::HttpClient& http_;
  const Clock& clock_;
  Options options_;
  std::string name_;
  std::string origin_;
  std::string base_;
  SecondTry second_try_;  // what this API refuses
};

}  // namespace deputy::model::openai
