#include "tools/code/code.h"

namespace deputy::tools {

toolkit::ToolSpec code_spec(const CodeSetup& setup, std::string name, std::string description) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .description = std::move(description),
                         .category = "code_tools",
                         .effect = toolkit::Effect::read,
                         .timeout = std::chrono::seconds(120)};
  json::object folders;
  for (const CodeRepository& repository : setup.repositories) folders[repository.name] = repository.folder.string();
  spec.target = {{"backend", "local"}, {"repositories", std::move(folders)}};
  if (setup.repositories.empty() || !setup.index) {
    spec.missing = "set tools.code_tools.repositories to names and folders of git repositories";
  } else {
    spec.missing = setup.programs.missing();
  }
  return spec;
}

std::vector<std::shared_ptr<const toolkit::Tool>> code_tools(const CodeSetup& setup) {
  return {search_code_tool(setup), get_file_tool(setup)};
}

}  // namespace deputy::tools
