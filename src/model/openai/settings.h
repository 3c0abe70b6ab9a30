// What settings say of Chat Completions: for every model there that does not say it itself.
#pragma once

#include <string>

#include "base/fields.h"
#include "base/secret.h"
#include "net/base_url.h"

namespace deputy::model::openai {

struct Settings {
  Secret api_key;
  std::string base_url = "https://api.openai.com/v1";

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::api_key, "api_key", "The key; servers of one's own often need none").from_variable("OPENAI_API_KEY");
    f.optional(&S::base_url, "base_url", "The address of Chat Completions: OpenAI, Ollama, vLLM, llama.cpp")
        .from_variable("OPENAI_BASE_URL")
        .check_with(net::check_base_url);
  }
};

}  // namespace deputy::model::openai
