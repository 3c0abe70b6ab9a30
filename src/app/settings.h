// All settings: Deputy's own, and under each other key the struct of the folder that owns it. To add settings to a
// folder, write its settings.h and one line here, then regenerate docs/settings.md with `deputy config reference`.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/system_prompt.h"
#include "base/fields.h"
#include "base/log.h"
#include "channel/slack/settings.h"
#include "clients/aws/s3.h"
#include "clients/aws/settings.h"
#include "model/anthropic/settings.h"
#include "model/bedrock/settings.h"
#include "model/openai_settings.h"
#include "model/prices.h"
#include "model/settings.h"
#include "policy/settings.h"
#include "run/settings.h"
#include "store/settings.h"
#include "toolkit/settings.h"
#include "tools/alarms/settings.h"
#include "tools/aws/settings.h"
#include "tools/clusters/settings.h"
#include "tools/code/settings.h"
#include "tools/docs/settings.h"
#include "tools/incidents/settings.h"
#include "tools/logs/settings.h"
#include "tools/pipelines/settings.h"
#include "tools/tickets/settings.h"
#include "tools/workspace/settings.h"

namespace deputy::toolkit {
class Registry;
}

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

  /// The main model: the one that is set, else that of the provider whose key or address is set, else the offline
  /// planner.
  model::ModelSettings chosen() const;
  bool is_offline() const;
  /// The quick model: the one that is set, else that of the provider whose key is set; not set if rules do its work.
  model::ModelSettings chosen_fast() const;
  /// Fills in the name, the key and the address where they are missing.
  model::ModelSettings completed(model::ModelSettings settings) const;
  /// Checks that each model has a key if its provider needs one.
  void check_parts(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using M = ModelsSettings;
    f.optional(
        &M::main, "default",
        "The model that answers; not set: Anthropic where ANTHROPIC_API_KEY is, else the server that OPENAI_BASE_URL "
        "names, else OpenAI where OPENAI_API_KEY is, else the offline planner");
    f.optional(&M::fast, "fast",
               "A quick model that finds the intent of requests and summarises texts. If neither this nor "
               "models.default is set: that of the provider whose key is in the environment; otherwise, or with "
               "`provider: offline`, rules do this work");
    f.optional(&M::fallback, "fallback", "The model that answers when the first one fails");
    f.optional(&M::anthropic, "anthropic", "How Anthropic's Messages API is reached");
    f.optional(&M::openai, "openai", "How OpenAI, or a server that speaks like it, is reached");
    f.optional(&M::bedrock, "bedrock", "How Amazon Bedrock is reached; region and credentials are those of `aws`");
    f.optional(&M::retries, "retries", "What happens when a model does not answer");
    f.optional(&M::prices, "prices",
               "What models cost, by name; a version after it does not matter. They come before the list prices that "
               "Deputy knows");
    f.optional(&M::system_prompt, "system_prompt", "The system prompt, in place of the built-in one");
    f.optional(&M::budgets, "budgets", "What models may cost");
  }
};

struct ToolsSettings {
  tools::AlarmToolsSettings alarm_tools;
  tools::AwsToolsSettings aws_tools;
  tools::ClusterToolsSettings cluster_tools;
  tools::CodeToolsSettings code_tools;
  tools::DocToolsSettings doc_tools;
  tools::IncidentToolsSettings incident_tools;
  tools::LogToolsSettings log_tools;
  tools::PipelineToolsSettings pipeline_tools;
  tools::TicketToolsSettings ticket_tools;
  tools::WorkspaceToolsSettings workspace_tools;
  std::map<std::string, toolkit::CategorySettings> others;

  /// The settings that all categories have, by category.
  toolkit::ToolsSettings by_category() const {
    toolkit::ToolsSettings all(others.begin(), others.end());
    all.emplace("alarm_tools", alarm_tools);
    all.emplace("aws_tools", aws_tools);
    all.emplace("cluster_tools", cluster_tools);
    all.emplace("code_tools", code_tools);
    all.emplace("doc_tools", doc_tools);
    all.emplace("incident_tools", incident_tools);
    all.emplace("log_tools", log_tools);
    all.emplace("pipeline_tools", pipeline_tools);
    all.emplace("ticket_tools", ticket_tools);
    all.emplace("workspace_tools", workspace_tools);
    return all;
  }

  template <class Fields>
  static void fields(Fields& f) {
    using T = ToolsSettings;
    f.optional(&T::alarm_tools, "alarm_tools", "Alarms and metrics");
    f.optional(&T::aws_tools, "aws_tools", "The AWS CLI");
    f.optional(&T::cluster_tools, "cluster_tools", "Kubernetes clusters");
    f.optional(&T::code_tools, "code_tools", "Code search");
    f.optional(&T::doc_tools, "doc_tools", "Pages of Confluence");
    f.optional(&T::incident_tools, "incident_tools", "Incidents and who is on call");
    f.optional(&T::log_tools, "log_tools", "Logs");
    f.optional(&T::pipeline_tools, "pipeline_tools", "Repositories, their pipelines and pull requests");
    f.optional(&T::ticket_tools, "ticket_tools", "Tickets");
    f.optional(&T::workspace_tools, "workspace_tools", "Files and commands of one folder");
    f.rest(&T::others, "<category>", "Settings for the tools of one category");
  }
};

/// A network channel's own settings, and beside them the rules that every key of `channels` may set.
struct SlackSettings : policy::ChannelRules, channel::slack::Settings {
  template <class Fields>
  static void fields(Fields& f) {
    channel::slack::Settings::fields(f);
    policy::ChannelRules::fields(f);
  }
};

struct ChannelsSettings {
  SlackSettings slack;
  std::map<std::string, policy::ChannelRules> others;

  /// The rules of all keys.
  std::map<std::string, policy::ChannelRules> rules() const {
    std::map<std::string, policy::ChannelRules> all = others;
    all.emplace(channel::slack::kSlack, slack);
    return all;
  }

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ChannelsSettings::slack, "slack", "Slack");
    f.rest(&ChannelsSettings::others, "<name>", "Rules for one channel, by its kind or id");
  }
};

/// Where Deputy itself runs, not the environments it works on.
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
    f.optional(&LogSettings::level, "level", "The lowest level that is logged");
    f.optional(&LogSettings::format, "format", "How a line of the log is written, to standard error");
  }
};

struct ServicesSettings {
  std::filesystem::path file;
  std::string s3;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ServicesSettings::file, "file", "A YAML or JSON file that lists the services");
    f.optional(&ServicesSettings::s3, "s3", "An S3 object that lists them, in place of the file: s3://bucket/key")
        .check_with(clients::aws::check_s3_url);
  }
};

struct NetworkSettings {
  Secret proxy;
  std::string no_proxy;
  std::filesystem::path ca_file;

  template <class Fields>
  static void fields(Fields& f) {
    using N = NetworkSettings;
    f.optional(&N::proxy, "proxy", "The URL of a proxy that requests go through, with credentials where it needs them")
        .from_variable("HTTPS_PROXY");
    f.optional(&N::no_proxy, "no_proxy", "Hosts that are reached without the proxy, separated by commas")
        .from_variable("NO_PROXY");
    f.optional(&N::ca_file, "ca_file", "Certificates to trust in place of the machine's own list")
        .from_variable("SSL_CERT_FILE");
  }
};

/// An address to listen on: "127.0.0.1:7071", "[::1]:7071", "localhost:0".
struct ListenAddress {
  std::string host;
  int port = 0;  // 0: any that is free
};
Result<ListenAddress> parse_listen_address(std::string_view text);

struct ServeSettings {
  std::string listen = "127.0.0.1:7070";
  std::string health = "127.0.0.1:7071";

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ServeSettings::listen, "listen",
               "Where `deputy serve` listens for what the outside must reach: Slack's events over HTTP")
        .check_with(check_listen_address);
    f.optional(&ServeSettings::health, "health",
               "Where `deputy serve` answers /healthz, /readyz and /metrics, to everyone who reaches it")
        .check_with(check_listen_address);
  }

 private:
  static void check_listen_address(const std::string& address, FieldReader& reader);
};

using EnvironmentNames = std::map<std::string, std::vector<std::string>>;

void check_timezone(const std::string& timezone, FieldReader& reader);
/// A name must belong to one environment only: otherwise a call could reach the wrong one.
void check_environments(const EnvironmentNames& environments, FieldReader& reader);

/// Inherits policy's settings because their keys are at the top level too.
struct Settings : policy::CommonSettings {
  ChannelsSettings channels;
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
  ServeSettings serve;

  /// The part that policy reads.
  policy::Settings for_policy() const { return {*this, channels.rules()}; }

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::environment, "environment", "Where this Deputy itself runs; checked, and used by nothing yet");
    f.optional(&S::timezone, "timezone", "The IANA time zone that times are shown and read in, such as Europe/Berlin")
        .check_with(check_timezone);
    f.optional(&S::environments, "environments",
               "The environments people speak of, each with its other names; naming any replaces the default list")
        .check_with(check_environments);
    policy::CommonSettings::fields(f);
    f.optional(&S::channels, "channels", "Channels: how each is reached, and rules for it");
    f.optional(&S::tools, "tools", "Settings for tools: by category, then by tool");
    f.optional(&S::services, "services", "The services people speak of");
    f.optional(&S::network, "network", "How the outside is reached");
    f.optional(&S::aws, "aws", "The AWS account; credentials come from the usual AWS chain");
    f.optional(&S::limits, "limits", "How much a run may take");
    f.optional(&S::models, "models", "Models and what they may cost");
    f.optional(&S::log, "log", "What is logged");
    f.optional(&S::retention, "retention", "How long things are kept");
    f.optional(&S::serve, "serve", "The service, `deputy serve`");
  }
};

/// Checks keys that refer to each other, or to tools and channels. `kinds`: channel kinds beside those of channels.h.
void check(const Settings& settings, const toolkit::Registry& tools, const std::vector<std::string>& kinds,
           FieldReader& reader);

}  // namespace deputy::app

namespace deputy {

/// Compiled once, in settings.cpp: the list of all settings takes half a minute.
extern template const FieldList<app::Settings>& fields_of<app::Settings>();

}  // namespace deputy
