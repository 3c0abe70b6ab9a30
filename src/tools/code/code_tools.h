// The tools that search the code of git repositories on this machine. Each search first brings the index to the HEAD of
// every repository. git runs only in the sandbox, on a read-only folder, so whatever a repository makes git run stays
// there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "toolkit/tool.h"
#include "tools/code/repository.h"

namespace deputy::tools {

std::vector<std::shared_ptr<const toolkit::Tool>> code_tools(const CodeSetup& setup);

std::shared_ptr<const toolkit::Tool> search_code_tool(const CodeSetup& setup);
std::shared_ptr<const toolkit::Tool> get_file_tool(const CodeSetup& setup);

/// The part of a spec that both tools share.
toolkit::ToolSpec code_spec(const CodeSetup& setup, std::string name, int version, std::string description);

}  // namespace deputy::tools
