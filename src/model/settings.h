// What settings say of a model: which, with which key, at which address. What a provider needs besides is in its
// folder.
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

/// One model. What is left out comes from its provider's own settings.
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
    f.optional(&M::provider, "provider", "Whose API it is reached by");
    f.optional(&M::model, "model", "Its name there; anthropic and openai have a default");
    f.optional(&M::api_key, "api_key", "The key to it, when it is not that of models.<provider>");
    f.optional(&M::base_url, "base_url", "Its address, when it is not that of models.<provider>")
        .check_with(net::check_base_url);
    f.optional(&M::temperature, "temperature", "Sent only when it is set, and never to models known to refuse it")
        .in_range(0, 2);
    f.optional(&M::effort, "effort", "How thoroughly it works, where it has a choice; for models.fast low by default");
    f.optional(&M::thinking, "thinking",
               "How much it thinks before it answers: as it likes (auto), or least, the default of models.fast");
    f.optional(&M::context_tokens, "context_tokens",
               "How much it takes in at most, where it does not say so itself, as local servers do; 0 is not known")
        .in_range(0, 100'000'000);
  }
};

struct RetrySettings {
  int tries = 4;
  std::chrono::milliseconds total = std::chrono::minutes(10);

  template <class Fields>
  static void fields(Fields& f) {
    using R = RetrySettings;
    f.optional(&R::tries, "tries", "How often a model is asked when it is overloaded or breaks off").in_range(1, 20);
    f.optional(&R::total, "total", "How long all of that may take, waiting included").check_with(at_least_a_second);
  }
};

}  // namespace deputy::model
