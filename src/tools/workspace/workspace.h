// The workspace tools: read, list, search, write and edit files below one folder, run commands there in a sandbox, and
// read pages of the web. None of them sees anything of this machine outside the root (root.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/workers.h"
#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/sandbox.h"
#include "tools/workspace/fetch_url.h"
#include "tools/workspace/read_commands.h"
#include "tools/workspace/root.h"

namespace deputy::tools {

/// The parts that all of them use. `workers` and `http` outlive them.
struct WorkspaceSetup {
  std::shared_ptr<const Root> root;  // null: the tools are listed and say what is missing
  std::string missing;               // what to set if there is no root
  std::optional<Error> refused;      // why the configured root cannot be used
  Workers* workers = nullptr;
  SandboxLimits limits;
  Network network = Network::none;
  std::shared_ptr<const ReadCommands> read_commands = std::make_shared<ReadCommands>();
  SandboxPrograms programs;         // find_sandbox_programs()
  net::HttpClient* http = nullptr;  // make_fetch_client(); null: fetch_url says what is missing
  std::vector<std::string> fetch_hosts;
  PrivateAddresses fetch_private = PrivateAddresses::refused;
  int max_walked = 200'000;  // files and folders that one list or search looks at
};

/// Opens `root` and checks it against Deputy's own folders. If it cannot be used, the tools say why.
WorkspaceSetup make_workspace_setup(const std::filesystem::path& root,
                                    const std::vector<std::filesystem::path>& own_folders, Workers& workers);

std::vector<std::shared_ptr<const toolkit::Tool>> workspace_tools(const WorkspaceSetup& setup);

std::shared_ptr<const toolkit::Tool> read_file_tool(const WorkspaceSetup& setup);
std::shared_ptr<const toolkit::Tool> list_files_tool(const WorkspaceSetup& setup);
std::shared_ptr<const toolkit::Tool> search_files_tool(const WorkspaceSetup& setup);
std::shared_ptr<const toolkit::Tool> write_file_tool(const WorkspaceSetup& setup);
std::shared_ptr<const toolkit::Tool> edit_file_tool(const WorkspaceSetup& setup);
std::shared_ptr<const toolkit::Tool> shell_tool(const WorkspaceSetup& setup);
std::shared_ptr<const toolkit::Tool> fetch_url_tool(const WorkspaceSetup& setup);

constexpr std::string_view kWorkspaceTools = "workspace_tools";
constexpr std::size_t kMaxFile = 8UL * 1024 * 1024;  // bytes of a file that is read or edited

/// The part of a spec that all of them share: the category, and the root as the target.
toolkit::ToolSpec workspace_spec(const WorkspaceSetup& setup, std::string name, int version, std::string description,
                                 toolkit::Effect effect);

}  // namespace deputy::tools
