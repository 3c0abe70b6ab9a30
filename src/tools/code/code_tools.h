// Code search over git repositories of this machine: an index that follows each repository's HEAD by itself, when it is
// asked. git runs only in the sandbox, on a folder it cannot write: whatever a repository tells it to run stays there.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/workers.h"
#include "toolkit/tool.h"
#include "tools/code/code_index.h"
#include "tools/sandbox.h"

namespace deputy::tools {

struct CodeRepository {
  std::string name;
  std::filesystem::path folder;
};

/// What the tools work with. `workers` outlives them.
struct CodeSetup {
  std::vector<CodeRepository> repositories;
  std::shared_ptr<CodeIndex> index;
  Workers* workers = nullptr;
  SandboxPrograms programs;  // find_sandbox_programs()
};

std::vector<std::shared_ptr<const toolkit::Tool>> code_tools(const CodeSetup& setup);

std::shared_ptr<const toolkit::Tool> search_code_tool(const CodeSetup& setup);
std::shared_ptr<const toolkit::Tool> get_file_tool(const CodeSetup& setup);

/// What both say of themselves.
toolkit::ToolSpec code_spec(const CodeSetup& setup, std::string name, std::string description);

}  // namespace deputy::tools
