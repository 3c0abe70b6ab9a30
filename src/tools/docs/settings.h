// Settings of the doc tools, `tools.doc_tools`. The account is that of `tools.ticket_tools.jira`.
#pragma once

#include <string>

#include "net/url.h"
#include "toolkit/settings.h"

namespace deputy::tools {

struct ConfluenceSettings {
  std::string url;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(
         &ConfluenceSettings::url, "url",
         "The address of Confluence, such as https://example.atlassian.net/wiki; by default that of Jira with /wiki")
        .from_variable("CONFLUENCE_URL")
        .check_with(net::check_base_url);
  }
};

struct DocToolsSettings : toolkit::CategorySettings {
  ConfluenceSettings confluence;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&DocToolsSettings::confluence, "confluence", "Confluence Cloud, with the account of ticket_tools.jira");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
