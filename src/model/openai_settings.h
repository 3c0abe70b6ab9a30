// Settings for OpenAI and compatible servers: defaults for every model of `openai` and `openai_chat` that does not set
// its own.
#pragma once

#include <string>

#include "base/fields.h"
#include "base/secret.h"
#include "net/url.h"

namespace deputy::model::openai {

inline constexpr std::string_view kOwnAddress = "https://api.openai.com/v1";

struct Settings {
  Secret api_key;
  std::string base_url = std::string(kOwnAddress);

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::api_key, "api_key", "The API key; local servers often need none").from_variable("OPENAI_API_KEY");
    f.optional(&S::base_url, "base_url", "The API's address: OpenAI's, or that of Ollama, vLLM, llama.cpp or similar")
        .from_variable("OPENAI_BASE_URL")
        .check_with(net::check_base_url);
  }
};

}  // namespace deputy::model::openai
