// What settings say of tools: families with settings of their own by name, every other category as it comes. To add a
// family's settings: its settings.h, a member and two lines here.
#pragma once

#include <map>
#include <string>

#include "toolkit/settings.h"
#include "tools/code/settings.h"
#include "tools/logs/settings.h"
#include "tools/workspace/settings.h"

namespace deputy::app {

struct ToolsSettings {
  tools::CodeToolsSettings code_tools;
  tools::LogToolsSettings log_tools;
  tools::WorkspaceToolsSettings workspace_tools;
  std::map<std::string, toolkit::CategorySettings> others;

  /// What all categories have in common, by their names.
  toolkit::ToolsSettings by_category() const {
    toolkit::ToolsSettings all(others.begin(), others.end());
    all.emplace("code_tools", code_tools);
    all.emplace("log_tools", log_tools);
    all.emplace("workspace_tools", workspace_tools);
    return all;
  }

  template <class Fields>
  static void fields(Fields& f) {
    using T = ToolsSettings;
    f.optional(&T::code_tools, "code_tools", "Code search");
    f.optional(&T::log_tools, "log_tools", "Logs");
    f.optional(&T::workspace_tools, "workspace_tools", "Files and commands of one folder");
    f.rest(&T::others, "<category>", "What holds for the tools of one category");
  }
};

}  // namespace deputy::app
