// All settings: what Deputy itself needs, and under each key the struct of the folder that owns it. To add settings to
// a folder, write its settings.h and one line here; docs/settings.md is then generated anew with `deputy config
// reference`.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/models_settings.h"
#include "app/tools_settings.h"
#include "base/fields.h"
#include "base/log.h"
#include "clients/aws/settings.h"
#include "policy/settings.h"
#include "run/settings.h"
#include "store/settings.h"

namespace deputy::app {

/// Deputy's own surroundings, not what it works on.
enum class DeploymentEnvironment { development, staging, production };

constexpr auto choices_of(DeploymentEnvironment) {
  using E = DeploymentEnvironment;
  return std::to_array<std::pair<E, std::string_view>>(
      {{E::development, "development"}, {E::staging, "staging"}, {E::production, "production"}});
}

struct LogSettings {
  log::Level level = log::Level::info;
  log::Format format = log::Format::text;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&LogSettings::level, "level", "The least that is logged");
    f.optional(&LogSettings::format, "format", "How a line of the log is written, to standard error");
  }
};

struct ServicesSettings {
  std::filesystem::path file;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ServicesSettings::file, "file", "A YAML or JSON file of the services there are");
  }
};

/// How the outside is reached.
struct NetworkSettings {
  Secret proxy;
  std::string no_proxy;
  std::filesystem::path ca_file;

  template <class Fields>
  static void fields(Fields& f) {
    using N = NetworkSettings;
    f.optional(&N::proxy, "proxy", "The URL of a proxy that requests go through, with credentials where it needs them")
        .from_variable("HTTPS_PROXY");
    f.optional(&N::no_proxy, "no_proxy", "Hosts that are reached without it, between commas").from_variable("NO_PROXY");
    f.optional(&N::ca_file, "ca_file", "Certificates to trust in place of the machine's own list")
        .from_variable("SSL_CERT_FILE");
  }
};

using EnvironmentNames = std::map<std::string, std::vector<std::string>>;

void check_timezone(const std::string& timezone, FieldReader& reader);
/// A word that meant two environments would let a call reach the wrong one.
void check_environments(const EnvironmentNames& environments, FieldReader& reader);

/// Whatever speaks of persons and of what they may do stands at the top too, so these are policy's settings and more.
struct Settings : policy::Settings {
  DeploymentEnvironment environment = DeploymentEnvironment::development;
  std::string timezone = "UTC";
  EnvironmentNames environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}, {"dev", {"development"}}};
  ToolsSettings tools;
  ServicesSettings services;
  NetworkSettings network;
  clients::aws::Settings aws;
  run::LimitSettings limits;
  ModelsSettings models;
  LogSettings log;
  store::RetentionSettings retention;

  /// What keys say of each other, and of the tools and channels there are.
  void check_parts(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::environment, "environment", "Where this Deputy itself runs; checked, and used by nothing yet");
    f.optional(&S::timezone, "timezone", "The IANA time zone that times are shown and read in, such as Europe/Berlin")
        .check_with(check_timezone);
    f.optional(&S::environments, "environments",
               "The environments people speak of, each with its other names; naming any replaces the default list")
        .check_with(check_environments);
    policy::Settings::fields(f);
    f.optional(&S::tools, "tools", "What holds for tools: by category, then by tool");
    f.optional(&S::services, "services", "The services people speak of");
    f.optional(&S::network, "network", "How the outside is reached");
    f.optional(&S::aws, "aws", "The AWS account; its keys come by the chain that every AWS tool knows");
    f.optional(&S::limits, "limits", "How much a run may take");
    f.optional(&S::models, "models", "Models and what they may cost");
    f.optional(&S::log, "log", "What is logged");
    f.optional(&S::retention, "retention", "How long things are kept");
  }
};

}  // namespace deputy::app
