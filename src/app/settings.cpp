#include "app/settings.h"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <charconv>

#include "app/channels.h"
#include "app/time_zone.h"
#include "base/text.h"
#include "net/url.h"
#include "policy/check.h"
#include "toolkit/registry.h"

template const deputy::FieldList<deputy::app::Settings>& deputy::fields_of<deputy::app::Settings>();

namespace deputy::app {

namespace {

std::vector<std::string> names_of(const EnvironmentNames& environments) {
  std::vector<std::string> names;
  for (const auto& [name, words] : environments) names.push_back(name);
  return names;
}

policy::Known known_beside(const EnvironmentNames& environments, const toolkit::Registry& registry,
                           const std::vector<std::string>& kinds) {
  policy::Known known;
  for (std::string& name : names_of(environments)) known.environments.insert(std::move(name));
  known.categories.insert(toolkit::known_categories().begin(), toolkit::known_categories().end());
  known.channel_kinds.insert(kChannelKinds.begin(), kChannelKinds.end());
  known.channel_kinds.insert(kinds.begin(), kinds.end());
  known.later_kinds.insert(kLaterKinds.begin(), kLaterKinds.end());
  for (const auto& tool : registry.tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    known.tools.emplace(spec.name,
                        spec.primary_is_command_line ? policy::ValueKind::command_line : policy::ValueKind::plain);
    if (const json::object* parameters = find_object(spec.params, "properties")) {
      for (const auto& parameter : *parameters) known.parameters[spec.name].emplace(parameter.key());
    }
  }
  return known;
}

/// Rejects `backend` where there is no choice; it would be ignored silently. Alarm, log and ticket tools check their
/// own.
// Their own settings check the name.
constexpr auto kWithBackends = std::to_array<std::string_view>(
    {"alarm_tools", "cluster_tools", "code_tools", "incident_tools", "log_tools", "pipeline_tools", "ticket_tools"});

void check_backends(const ToolsSettings& tools, FieldReader& reader) {
  const FieldReader::Deeper in_tools(reader, "tools");
  for (const auto& [category, settings] : tools.by_category()) {
    if (settings.backend.empty() || std::ranges::find(kWithBackends, category) != kWithBackends.end()) continue;
    const FieldReader::Deeper in_category(reader, category);
    const FieldReader::Deeper in_backend(reader, "backend");
    reader.problem(fmt::format("`{}` has no backends to choose from", category), "leave `backend` out");
  }
}

using model::ModelSettings;
using model::ProviderKind;

struct Defaults {
  std::string_view main;
  std::string_view fast;
};

Defaults defaults_of(ProviderKind provider) {
  if (provider == ProviderKind::anthropic) return {"claude-sonnet-5-5", "claude-haiku-5-5"};
  if (provider == ProviderKind::openai) return {"gpt-6.1-sol", "gpt-6-luna"};
  return {};
}

bool is_on_this_machine(const std::string& address) {
  const Result<net::Url> url = net::parse_url(address);
  return url && net::is_this_machine(*url);
}

bool same_origin(const std::string& a, const std::string& b) {
  const Result<net::Url> one = net::parse_url(a);
  const Result<net::Url> other = net::parse_url(b);
  return one && other && one->same_origin(*other);
}

}  // namespace

void check(const Settings& settings, const toolkit::Registry& tools, const std::vector<std::string>& kinds,
           FieldReader& reader) {
  // Other keys refer to environments; they can be checked only if the environments are valid.
  const bool environments_are_read = reader.clean_in({"environments"});
  policy::check(settings.for_policy(),
                known_beside(environments_are_read ? settings.environments : EnvironmentNames(), tools, kinds), reader);
  if (environments_are_read && reader.clean_in({"tools"})) {
    for (Problem& problem :
         toolkit::check_settings(settings.tools.by_category(), tools, names_of(settings.environments)))
      reader.add(std::move(problem));
    check_backends(settings.tools, reader);
  }
}

Result<ListenAddress> parse_listen_address(std::string_view text) {
  constexpr const char* kHint = "write an address and a port, such as 127.0.0.1:7071";
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return fail(ErrorKind::invalid_input, "it is not an address with a port", kHint);
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  const auto address = asio::ip::make_address(std::string(host), error);
  if (host != "localhost" && (error || address.is_v6() != bracketed))
    return fail(ErrorKind::invalid_input, "the part before the port is not an address", kHint);
  const std::string_view digits = text.substr(colon + 1);
  int port = -1;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || port < 0 || port > 65535)
    return fail(ErrorKind::invalid_input, "the port is not a number from 0 to 65535", kHint);
  return ListenAddress{std::string(host), port};
}

void ServeSettings::check_listen_address(const std::string& address, FieldReader& reader) {
  if (const auto parsed = parse_listen_address(address); !parsed)
    reader.problem(parsed.error().message, parsed.error().hint);
}

void check_timezone(const std::string& timezone, FieldReader& reader) {
  const auto zone = zone_named(timezone);
  if (!zone) reader.problem(zone.error().message, zone.error().hint);
}

void check_environments(const EnvironmentNames& environments, FieldReader& reader) {
  std::map<std::string, std::string> taken;  // word to the environment it means
  const auto take = [&](const std::string& word, const std::string& environment) {
    if (trim(word).empty()) return reader.problem("a name is empty");
    const auto [at, is_new] = taken.emplace(to_lower(word), environment);
    if (is_new) return;
    reader.problem(at->second == environment ? fmt::format("`{}` is listed twice", word)
                                             : fmt::format("`{}` already means the environment `{}`", word, at->second),
                   "give each name to one environment only");
  };
  if (environments.empty()) reader.problem("at least one environment is needed");
  for (const auto& [environment, words] : environments) {
    const FieldReader::Deeper inside(reader, environment);
    take(environment, environment);
  }
  for (const auto& [environment, words] : environments) {
    const FieldReader::Deeper inside(reader, environment);
    for (const std::string& word : words) take(word, environment);
  }
}

// A key is sent only to the address it was configured for.
ModelSettings ModelsSettings::completed(ModelSettings settings) const {
  const ProviderKind provider = settings.provider.value_or(ProviderKind::offline);
  if (settings.model.empty()) settings.model = defaults_of(provider).main;
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
  if (provider == ProviderKind::openai || provider == ProviderKind::openai_chat) take(openai.api_key, openai.base_url);
  return settings;
}

ModelSettings ModelsSettings::chosen() const {
  ModelSettings settings = main;
  if (!settings.is_set() && !anthropic.api_key.empty()) settings.provider = ProviderKind::anthropic;
  // Other servers use the Chat Completions API; one on this machine often needs no key.
  const bool is_own = same_origin(openai.base_url, std::string(model::openai::kOwnAddress));
  if (!settings.is_set() && !is_own && (!openai.api_key.empty() || is_on_this_machine(openai.base_url)))
    settings.provider = ProviderKind::openai_chat;
  if (!settings.is_set() && !openai.api_key.empty()) settings.provider = ProviderKind::openai;
  if (!settings.is_set()) settings.provider = ProviderKind::offline;
  return completed(std::move(settings));
}

bool ModelsSettings::is_offline() const {
  return chosen().provider.value_or(ProviderKind::offline) == ProviderKind::offline;
}

// It answers small questions while people wait, so known models use low effort.
ModelSettings ModelsSettings::chosen_fast() const {
  ModelSettings settings = fast;
  const ProviderKind provider =
      main.is_set() ? ProviderKind::offline : chosen().provider.value_or(ProviderKind::offline);
  const std::string_view usual = defaults_of(provider).fast;
  if (!settings.is_set() && !usual.empty()) {
    settings.provider = provider;
    settings.model = usual;
  }
  if (!settings.is_set() || settings.provider == ProviderKind::offline) return {};
  settings = completed(std::move(settings));
  if (model::find_family(settings.model) == nullptr) return settings;
  if (!settings.effort) settings.effort = model::Effort::low;
  if (!settings.thinking) settings.thinking = model::ThinkingAmount::least;
  return settings;
}

void ModelsSettings::check_parts(FieldReader& reader) const {
  const auto check = [&](std::string_view name, const ModelSettings& settings) {
    if (!settings.is_set()) return;
    const FieldReader::Deeper inside(reader, name);
    const ModelSettings whole = completed(settings);
    if (!whole.api_key.empty()) return;
    if (whole.provider == ProviderKind::anthropic) {
      reader.problem("Anthropic needs a key",
                     settings.base_url.empty()
                         ? "set ANTHROPIC_API_KEY, or `api_key: env:NAME` here"
                         : "add `api_key: env:NAME`: a key is sent only to the address it is configured for");
    }
    const bool is_openai = whole.provider == ProviderKind::openai || whole.provider == ProviderKind::openai_chat;
    if (is_openai && same_origin(whole.base_url, std::string(model::openai::kOwnAddress))) {
      reader.problem("OpenAI needs a key", "set OPENAI_API_KEY, or `api_key: env:NAME` here");
    }
  };
  if (!reader.clean_in({"default", "fast", "fallback", "anthropic", "openai"})) return;
  check("default", main);
  check("fast", fast);
  check("fallback", fallback);
}

}  // namespace deputy::app
