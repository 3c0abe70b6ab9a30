// Settings of the ticket tools, `tools.ticket_tools`: those that every category has, and how each backend is reached.
#pragma once

#include <filesystem>
#include <string>

#include "clients/atlassian/account.h"
#include "toolkit/settings.h"

namespace deputy::tools {

struct FileTicketsSettings {
  std::filesystem::path file;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(
        &FileTicketsSettings::file, "file",
        "A JSON file with a list of tickets: key, type, status, priority, summary, description, assignee, updated");
  }
};

struct TicketToolsSettings : toolkit::CategorySettings {
  clients::atlassian::Settings jira;
  FileTicketsSettings files;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = TicketToolsSettings;
    f.optional(&S::jira, "jira", "The backend `jira`: Jira Cloud. Its account is that of the doc tools too");
    f.optional(&S::files, "files", "The backend `files`: tickets in a file of this machine, to read only");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
