#include "app/models_settings.h"

#include "net/url.h"

namespace deputy::app {

namespace {

using model::ModelSettings;
using model::ProviderKind;

constexpr std::string_view kAnthropicDefault = "claude-sonnet-4-5";
constexpr std::string_view kOpenAiDefault = "gpt-4.1";

std::string default_model(ProviderKind provider) {
  if (provider == ProviderKind::anthropic) return std::string(kAnthropicDefault);
  return provider == ProviderKind::openai ? std::string(kOpenAiDefault) : std::string();
}

bool same_origin(const std::string& a, const std::string& b) {
  const Result<net::Url> one = net::parse_url(a);
  const Result<net::Url> other = net::parse_url(b);
  return one && other && one->same_origin(*other);
}

}  // namespace

// A key goes only to the address it was given with: one address, one key.
ModelSettings ModelsSettings::completed(ModelSettings settings) const {
  const ProviderKind provider = settings.provider.value_or(ProviderKind::offline);
  if (settings.model.empty()) settings.model = default_model(provider);
  const bool says_how = !settings.api_key.empty() || !settings.base_url.empty();
  if (!says_how && main.provider == provider) {
    settings.api_key = main.api_key;
    settings.base_url = main.base_url;
  }
  const auto take = [&](const Secret& key, const std::string& base_url) {
    if (settings.base_url.empty()) settings.base_url = base_url;
    if (settings.api_key.empty() && same_origin(settings.base_url, base_url)) settings.api_key = key;
  };
  if (provider == ProviderKind::anthropic) take(anthropic.api_key, anthropic.base_url);
  if (provider == ProviderKind::openai) take(openai.api_key, openai.base_url);
  return settings;
}

ModelSettings ModelsSettings::chosen() const {
  ModelSettings settings = main;
  if (!settings.is_set() && !anthropic.api_key.empty()) settings.provider = ProviderKind::anthropic;
  if (!settings.is_set() && !openai.api_key.empty()) settings.provider = ProviderKind::openai;
  if (!settings.is_set()) settings.provider = ProviderKind::offline;
  return completed(std::move(settings));
}

void ModelsSettings::check_parts(FieldReader& reader) const {
  const auto check = [&](std::string_view name, const ModelSettings& settings) {
    if (!settings.is_set()) return;
    const FieldReader::Deeper inside(reader, name);
    const ModelSettings whole = completed(settings);
    if (!whole.api_key.empty()) return;
    if (whole.provider == ProviderKind::anthropic) {
      reader.problem("Anthropic is not reached without a key",
                     settings.base_url.empty()
                         ? "set ANTHROPIC_API_KEY, or `api_key: env:NAME` here"
                         : "add `api_key: env:NAME`: a key goes only to the address it is given with");
    }
    if (whole.provider == ProviderKind::openai && same_origin(whole.base_url, model::openai::Settings{}.base_url)) {
      reader.problem("OpenAI is not reached without a key", "set OPENAI_API_KEY, or `api_key: env:NAME` here");
    }
  };
  if (!reader.clean_in({"default", "fast", "fallback", "anthropic", "openai"})) return;
  check("default", main);
  check("fast", fast);
  check("fallback", fallback);
}

}  // namespace deputy::app
