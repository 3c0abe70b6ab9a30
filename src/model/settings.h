// Settings shared by all models: which model, key and address. Settings of one provider only are in its folder.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "base/secret.h"
#include "model/families.h"
#include "net/url.h"

namespace deputy::model {

enum class ProviderKind { anthropic, bedrock, openai, openai_chat, offline };

constexpr auto choices_of(ProviderKind) {
  using P = ProviderKind;
  return std::to_array<std::pair<P, std::string_view>>({{P::anthropic, "anthropic"},
                                                        {P::bedrock, "bedrock"},
                                                        {P::openai, "openai"},
                                                        {P::openai_chat, "openai_chat"},
                                                        {P::offline, "offline"}});
}

/// One model. Values left out come from its provider's settings.
struct ModelSettings {
  std::optional<ProviderKind> provider;
  std::string model;
  Secret api_key;
  std::string base_url;
  std::optional<double> temperature;
  std::optional<Effort> effort;
  std::optional<ThinkingAmount> thinking;
  std::int64_t context_tokens = 0;

  bool is_set() const { return provider.has_value(); }
  void check_parts(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using M = ModelSettings;
    f.optional(&M::provider, "provider", "The provider whose API to use");
    f.optional(&M::model, "model", "The model's name there; anthropic and openai have a default");
    f.optional(&M::api_key, "api_key", "The API key, if it differs from that of models.<provider>");
    f.optional(&M::base_url, "base_url", "The API's address, if it differs from that of models.<provider>")
        .check_with(net::check_base_url);
    f.optional(&M::temperature, "temperature", "Sent only if set, and never to models known to refuse it")
        .in_range(0, 2);
    f.optional(&M::effort, "effort",
               "How thoroughly the model works, if it has a choice; low by default for models.fast");
    f.optional(
        &M::thinking, "thinking",
        "How much the model thinks before it answers: auto (its own choice) or least (the default of models.fast)");
    f.optional(
         &M::context_tokens, "context_tokens",
         "The size of its context, for servers that do not report an overflow (often local ones); 0 means unknown")
        .in_range(0, 100'000'000);
  }
};

struct RetrySettings {
  int tries = 4;
  std::chrono::milliseconds total = std::chrono::minutes(10);

  template <class Fields>
  static void fields(Fields& f) {
    using R = RetrySettings;
    f.optional(&R::tries, "tries", "How many times to ask a model that is overloaded or whose reply breaks off")
        .in_range(1, 20);
    f.optional(&R::total, "total", "How long all tries may take, including the waits").check_with(at_least_a_second);
  }
};

}  // namespace deputy::model
