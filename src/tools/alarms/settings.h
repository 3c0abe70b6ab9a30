// Settings of the alarm tools, `tools.alarm_tools`: those that every category has, and how each backend is reached.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/secret.h"
#include "net/url.h"
#include "toolkit/settings.h"

namespace deputy::tools {

struct PrometheusSettings {
  std::string url;
  Secret token;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&PrometheusSettings::url, "url", "The address of Prometheus, or of what speaks its query API")
        .from_variable("PROMETHEUS_URL")
        .check_with(net::check_base_url);
    f.optional(&PrometheusSettings::token, "token", "A bearer token, where a proxy in front of it wants one");
  }
};

struct AlertmanagerSettings {
  std::string url;
  Secret token;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&AlertmanagerSettings::url, "url", "The address of Alertmanager")
        .from_variable("ALERTMANAGER_URL")
        .check_with(net::check_base_url);
    f.optional(&AlertmanagerSettings::token, "token", "A bearer token, where a proxy in front of it wants one");
  }
};

struct CloudWatchSettings {
  bool enabled = false;
  std::map<std::string, std::string> clusters;
  std::string ecs_service = "{service}";

  template <class Fields>
  static void fields(Fields& f) {
    using S = CloudWatchSettings;
    f.optional(&S::enabled, "enabled", "Reads alarms and metrics of the AWS account in aws.region");
    f.optional(&S::clusters, "clusters", "The ECS cluster of each environment, by its name: {prod: acme-prod}");
    f.optional(&S::ecs_service, "ecs_service",
               "The name of a service in ECS; {service} and {environment} stand for these")
        .check_with(check_ecs_service);
  }

 private:
  static void check_ecs_service(const std::string& pattern, FieldReader& reader);
};

struct FileAlarmsSettings {
  std::filesystem::path alarms;
  std::filesystem::path metrics;

  template <class Fields>
  static void fields(Fields& f) {
    using S = FileAlarmsSettings;
    f.optional(&S::alarms, "alarms", "A JSON file with what Prometheus' GET /api/v1/rules?type=alert answers");
    f.optional(&S::metrics, "metrics", "A JSON file with what Prometheus' GET /api/v1/query_range answers");
  }
};

struct AlarmToolsSettings : toolkit::CategorySettings {
  PrometheusSettings prometheus;
  AlertmanagerSettings alertmanager;
  CloudWatchSettings cloudwatch;
  FileAlarmsSettings files;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = AlarmToolsSettings;
    f.optional(&S::prometheus, "prometheus", "The backend `prometheus`: metrics, and alarms that are pending or fine");
    f.optional(&S::alertmanager, "alertmanager",
               "Alertmanager, of the backend `prometheus`: alarms that fire or are silenced");
    f.optional(&S::cloudwatch, "cloudwatch",
               "The backend `cloudwatch`: alarms and metrics of AWS, and services of ECS");
    f.optional(&S::files, "files", "The backend `files`: alarms and metrics in files of this machine");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
