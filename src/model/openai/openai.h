// OpenAI's Chat Completions API, and the servers that speak it: Ollama, vLLM, llama.cpp and many more.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/secret.h"
#include "model/exchange.h"
#include "model/openai/body.h"
#include "model/provider.h"

namespace deputy::model::openai {

struct Options {
  std::string model;
  Secret api_key = {};                                 // servers of one's own often want none
  std::string base_url = "https://api.openai.com/v1";  // one without a path gets /v1
  std::optional<double> temperature = std::nullopt;    // newer models refuse any
  net::Timeouts timeouts = kModelTimeouts;
};

class OpenAiProvider final : public Provider {
 public:
  /// Client and clock outlive it.
  OpenAiProvider(net::HttpClient& http, const Clock& clock, Options options);

  std::string_view name() const override { return name_; }

  /// A server that refuses a field of the body for which there is another is asked once more, within this attempt.
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  net::Request post(const Request& request, const Dialect& dialect) const;

  net::HttpClient& http_;
  const Clock& clock_;
  Options options_;
  std::string name_;
  std::string url_;
  Dialect dialect_;  // what this server was found to take
};

}  // namespace deputy::model::openai
