// OpenAI's Chat Completions API and compatible servers: Ollama, vLLM, llama.cpp and many more.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/secret.h"
#include "model/exchange.h"
#include "model/families.h"
#include "model/model.h"
#include "model/openai_chat/body.h"
#include "model/second_try.h"

namespace deputy::model::openai_chat {

struct Options {
  Manner manner;                                       // without a model: the only one the server lists
  Secret api_key = {};                                 // local servers often need none
  std::string base_url = "https://api.openai.com/v1";  // one without a path gets /v1
  net::Timeouts timeouts = kModelTimeouts;
};

class OpenAiChatProvider final : public Provider {
 public:
  /// The client and the clock must outlive the provider.
  OpenAiChatProvider(net::HttpClient& http, const Clock& clock, Options options);

  std::string_view name() const override { return name_; }

  Task<Result<std::vector<std::string>>> list_models() override;

  /// May ask again within the attempt, in another dialect or without what the server refused.
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  Task<Result<>> find_model();
  void add_key(net::Request& request) const;

  net::HttpClient& http_;
  const Clock& clock_;
  Options options_;
  std::string name_;
  std::string base_;
  Dialect dialect_;       // fields this server accepts
  SecondTry second_try_;  // and refuses
};

}  // namespace deputy::model::openai_chat
