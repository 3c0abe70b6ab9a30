// Settings of the code tools: `tools.code_tools`.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "toolkit/settings.h"

namespace deputy::tools {

struct CodeToolsSettings : toolkit::CategorySettings {
  std::map<std::string, std::filesystem::path> repositories;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&CodeToolsSettings::repositories, "repositories",
               "Git repositories of this machine: a name and its folder");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
