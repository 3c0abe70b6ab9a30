// What settings say of models: which are asked for what, and what they may cost. What a provider needs is in
// its own settings.h.
#pragma once

#include "app/system_prompt.h"
#include "base/fields.h"
#include "model/anthropic/settings.h"
#include "model/bedrock/settings.h"
#include "model/openai_settings.h"
#include "model/prices.h"
#include "model/settings.h"
#include "run/settings.h"

namespace deputy::app {

struct ModelsSettings {
  model::ModelSettings main;
  model::ModelSettings fast;
  model::ModelSettings fallback;
  model::anthropic::Settings anthropic;
  model::openai::Settings openai;
  model::bedrock::Settings bedrock;
  model::RetrySettings retries;
  model::Prices prices;
  SystemPromptSettings system_prompt;
  run::BudgetSettings budgets;

  /// The one that answers: what is set, else the provider whose key or address is there, else the offline planner.
  model::ModelSettings chosen() const;
  /// The quick one: what is set, else that of the provider whose key is there; not set where rules do its work.
  model::ModelSettings chosen_fast() const;
  /// With what it leaves out: the name, the key and the address.
  model::ModelSettings completed(model::ModelSettings settings) const;
  /// That a model can be reached: a key where its provider wants one.
  void check_parts(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using M = ModelsSettings;
    f.optional(
        &M::main, "default",
        "The model that answers; not set: Anthropic where ANTHROPIC_API_KEY is, else the server that OPENAI_BASE_URL "
        "names, else OpenAI where OPENAI_API_KEY is, else the offline planner");
    f.optional(&M::fast, "fast",
               "A quick one that reads what a request wants and sums up texts; neither set nor models.default: that "
               "of the provider whose key is in the environment; else, or with `provider: offline`, rules do");
    f.optional(&M::fallback, "fallback", "The one that answers when the first does not");
    f.optional(&M::anthropic, "anthropic", "How Anthropic's Messages API is reached");
    f.optional(&M::openai, "openai", "How OpenAI, or a server that speaks like it, is reached");
    f.optional(&M::bedrock, "bedrock", "How Amazon Bedrock is reached; region and credentials are those of `aws`");
    f.optional(&M::retries, "retries", "What happens when a model does not answer");
    f.optional(&M::prices, "prices",
               "What models cost, by name; a version after it does not matter. They come before the list prices that "
               "Deputy knows");
    f.optional(&M::system_prompt, "system_prompt", "What models are told they are, in place of what is built in");
    f.optional(&M::budgets, "budgets", "What models may cost");
  }
};

}  // namespace deputy::app
