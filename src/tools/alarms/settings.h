// Settings of the alarm tools, `tools.alarm_tools`: those that every category has, and how each backend is reached.
#pragma once

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

struct AlarmToolsSettings : toolkit::CategorySettings {
  PrometheusSettings prometheus;
  AlertmanagerSettings alertmanager;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = AlarmToolsSettings;
    f.optional(&S::prometheus, "prometheus", "The backend `prometheus`: metrics, and alarms that are pending or fine");
    f.optional(&S::alertmanager, "alertmanager",
               "Alertmanager, of the backend `prometheus`: alarms that fire or are silenced");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
