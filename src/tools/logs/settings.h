// Settings of the log tools, `tools.log_tools`: those that every category has, and where each backend finds its data.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/secret.h"
#include "net/url.h"
#include "toolkit/settings.h"

namespace deputy::tools {

/// A pattern for paths under the root, and the environment and service that the files belong to.
struct LogPathSettings {
  std::string path = "{environment}/{service}.log";
  std::string environment;
  std::string service;

  bool operator==(const LogPathSettings&) const = default;
  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using P = LogPathSettings;
    f.required(&P::path, "path",
               "A path under the root; {environment} and {service} stand for these, * for anything but a slash");
    f.optional(&P::environment, "environment", "The environment of these files, where the path does not name it");
    f.optional(&P::service, "service", "The service of these files, where the path does not name it");
  }
};

struct FileLogsSettings {
  std::filesystem::path root;
  std::vector<LogPathSettings> paths = {LogPathSettings{}};
  int utc_offset_minutes = 0;

  template <class Fields>
  static void fields(Fields& f) {
    using S = FileLogsSettings;
    f.optional(&S::root, "root", "The folder of the log files");
    f.optional(&S::paths, "paths",
               "Which of its files are logs, and whose; rotated and packed ones are found by them too")
        .items(1, 50);
    f.optional(&S::utc_offset_minutes, "utc_offset_minutes",
               "How far times that name no zone are ahead of UTC, in minutes")
        .in_range(-900, 900);
  }
};

struct LokiSettings {
  std::string url;
  std::string user;
  Secret token;
  std::string tenant;
  std::string service_label = "service";
  std::string environment_label = "env";
  std::string level_label;

  template <class Fields>
  static void fields(Fields& f) {
    using S = LokiSettings;
    f.optional(&S::url, "url", "The address of Loki").from_variable("LOKI_URL").check_with(net::check_base_url);
    f.optional(&S::user, "user", "The user, where what stands in front of Loki wants one beside the token");
    f.optional(&S::token, "token", "A bearer token, or the password of `user`").from_variable("LOKI_TOKEN");
    f.optional(&S::tenant, "tenant", "The tenant, where Loki has several");
    f.optional(&S::service_label, "service_label", "The label that names the service of a stream")
        .check_with(check_label);
    f.optional(&S::environment_label, "environment_label", "The label that names its environment")
        .check_with(check_label);
    f.optional(
         &S::level_label, "level_label",
         "The label that says the level of an entry, such as `detected_level`; not set: it is read out of the text")
        .check_with(check_level_label);
  }

 private:
  static void check_label(const std::string& label, FieldReader& reader);
  static void check_level_label(const std::string& label, FieldReader& reader);
};

struct ElasticsearchSettings {
  std::string url;
  Secret api_key;
  std::string user;
  Secret password;
  std::string index = "logs-*";
  std::string time_field = "@timestamp";
  std::string message_field = "message";
  std::string service_field = "service.name";
  std::string environment_field = "service.environment";
  std::string level_field = "log.level";

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = ElasticsearchSettings;
    f.optional(&S::url, "url", "The address of Elasticsearch or OpenSearch")
        .from_variable("ELASTICSEARCH_URL")
        .check_with(net::check_base_url);
    f.optional(&S::api_key, "api_key", "An API key, encoded").from_variable("ELASTICSEARCH_API_KEY");
    f.optional(&S::user, "user", "The user, in place of an API key");
    f.optional(&S::password, "password", "The password of `user`");
    f.optional(&S::index, "index", "Which indexes and data streams are logs: names or patterns between commas");
    f.optional(&S::time_field, "time_field", "The field of an entry that has its time");
    f.optional(&S::message_field, "message_field", "The field that has its text");
    f.optional(&S::service_field, "service_field", "The keyword field that names its service");
    f.optional(&S::environment_field, "environment_field", "The keyword field that names its environment");
    f.optional(&S::level_field, "level_field", "The keyword field that says its level");
  }
};

struct CoralogixSettings {
  std::string region;
  std::string url;
  Secret api_key;
  std::string service_key = "$l.subsystemname";
  std::string environment_key = "$l.applicationname";

  template <class Fields>
  static void fields(Fields& f) {
    using S = CoralogixSettings;
    f.optional(&S::region, "region", "The region of the account: us1, us2, us3, eu1, eu2, ap1, ap2, ap3 or gov1")
        .check_with(check_region);
    f.optional(&S::url, "url", "The address of the API, in place of the region's")
        .from_variable("CORALOGIX_API_URL")
        .check_with(net::check_base_url);
    f.optional(&S::api_key, "api_key", "An API key with the right to query logs").from_variable("CORALOGIX_API_KEY");
    f.optional(&S::service_key, "service_key", "The key of an entry that names its service, such as $l.subsystemname")
        .check_with(check_key);
    f.optional(&S::environment_key, "environment_key", "The key that names its environment").check_with(check_key);
  }

 private:
  static void check_region(const std::string& region, FieldReader& reader);
  static void check_key(const std::string& key, FieldReader& reader);
};

/// A pattern for names of log groups, and the environment and service that they belong to.
struct LogGroupSettings {
  std::string group;
  std::string environment;
  std::string service;

  bool operator==(const LogGroupSettings&) const = default;
  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = LogGroupSettings;
    f.required(&S::group, "group",
               "The name of a log group; {environment} and {service} stand for these: /ecs/{environment}/{service}")
        .characters(1, 512);
    f.optional(&S::environment, "environment", "The environment of these groups, where the name does not tell it");
    f.optional(&S::service, "service", "The service of this group, where the name does not tell it");
  }
};

struct CloudWatchLogsSettings {
  std::vector<LogGroupSettings> groups;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&CloudWatchLogsSettings::groups, "groups", "Which log groups are searched, and whose they are")
        .items(0, 50);
  }
};

struct LogToolsSettings : toolkit::CategorySettings {
  FileLogsSettings files;
  LokiSettings loki;
  ElasticsearchSettings elasticsearch;
  CoralogixSettings coralogix;
  CloudWatchLogsSettings cloudwatch;
  std::chrono::milliseconds max_scan = std::chrono::hours(24);

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&LogToolsSettings::files, "files", "The backend `files`: logs in files of this machine");
    f.optional(&LogToolsSettings::loki, "loki", "The backend `loki`: logs in Grafana Loki");
    f.optional(&LogToolsSettings::elasticsearch, "elasticsearch",
               "The backend `elasticsearch`: logs in Elasticsearch or OpenSearch");
    f.optional(&LogToolsSettings::coralogix, "coralogix", "The backend `coralogix`: logs in Coralogix");
    f.optional(&LogToolsSettings::cloudwatch, "cloudwatch",
               "The backend `cloudwatch`: Logs Insights of CloudWatch Logs in aws.region");
    f.optional(&LogToolsSettings::max_scan, "max_scan",
               "A longer time range asks a person first, where the backend charges for what it scans")
        .check_with(at_least_a_second);
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
