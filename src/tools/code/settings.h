// What settings say of code search: `tools.code_tools`.
#pragma once

#include <map>
#include <string>

#include "toolkit/settings.h"

namespace deputy::tools {

struct CodeToolsSettings : toolkit::CategorySettings {
  std::map<std::string, std::string> repositories;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&CodeToolsSettings::repositories, "repositories",
               "Git repositories of this machine: a name and its folder");
    toolkit::CategorySettings::fields(f);
  }
};

}  // namespace deputy::tools
