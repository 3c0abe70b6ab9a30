// Settings for Anthropic's API: defaults for every model there that does not set its own.
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/secret.h"
#include "net/url.h"

namespace deputy::model::anthropic {

struct Settings {
  Secret api_key;
  std::string base_url = "https://api.anthropic.com";
  std::string version = "2023-06-01";
  std::vector<std::string> betas;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::api_key, "api_key", "The key to the Messages API").from_variable("ANTHROPIC_API_KEY");
    f.optional(&S::base_url, "base_url", "The API's address")
        .from_variable("ANTHROPIC_BASE_URL")
        .check_with(net::check_base_url);
    f.optional(&S::version, "version", "The value of the anthropic-version header").characters(1, 40);
    f.optional(&S::betas, "betas", "The values of the anthropic-beta header").items(0, 20);
  }
};

}  // namespace deputy::model::anthropic
