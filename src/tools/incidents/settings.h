// Settings of the incident tools, `tools.incident_tools`: those that every category has, and how each backend is
// reached.
#pragma once

#include <filesystem>
#include <string>

#include "base/secret.h"
#include "net/url.h"
#include "toolkit/settings.h"

namespace deputy::tools {

struct PagerDutySettings {
  std::string url = "https://api.pagerduty.com";
  Secret token;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&PagerDutySettings::url, "url",
               "The address of PagerDuty's REST API; https://api.eu.pagerduty.com for accounts in the EU")
        .from_variable("PAGERDUTY_API_URL")
        .check_with(net::check_base_url);
    f.optional(&PagerDutySettings::token, "token", "An API access key of the account").from_variable("PAGERDUTY_TOKEN");
  }
};

struct FileIncidentsSettings {
  std::filesystem::path incidents;
  std::filesystem::path oncalls;

  template <class Fields>
  static void fields(Fields& f) {
    using S = FileIncidentsSettings;
    f.optional(&S::incidents, "incidents", "A JSON file with what PagerDuty's GET /incidents answers");
    f.optional(&S::oncalls, "oncalls", "A JSON file with what PagerDuty's GET /oncalls answers");
  }
};

struct IncidentToolsSettings : toolkit::CategorySettings {
  PagerDutySettings pagerduty;
  FileIncidentsSettings files;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = IncidentToolsSettings;
    f.optional(&S::pagerduty, "pagerduty", "The backend `pagerduty`: incidents and on-call duties in PagerDuty");
    f.optional(&S::files, "files", "The backend `files`: the same in files of this machine, to read only");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
