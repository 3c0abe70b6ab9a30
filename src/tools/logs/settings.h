// Settings of the log tools, `tools.log_tools`: those that every category has, and where each backend finds its data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

struct LogToolsSettings : toolkit::CategorySettings {
  FileLogsSettings files;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&LogToolsSettings::files, "files", "The backend `files`: logs in files of this machine");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
