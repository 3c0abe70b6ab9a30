#include "tools/workspace/workspace.h"

namespace deputy::tools {

WorkspaceSetup make_workspace_setup(const std::filesystem::path& root,
                                    const std::vector<std::filesystem::path>& own_folders, Workers& workers) {
  WorkspaceSetup setup;
  setup.workers = &workers;
  setup.programs = find_sandbox_programs();
  if (root.empty()) {
    setup.missing = "set tools.workspace_tools.root to the folder to work in";
    return setup;
  }
  Result<Root> opened = Root::open(root);
  if (const Result<> apart = check_apart(root, own_folders); opened && !apart) {
    opened = std::unexpected(apart.error());
  }
  if (opened) {
    setup.root = std::make_shared<const Root>(*std::move(opened));
  } else {
    setup.missing = describe(opened.error());
    setup.refused = opened.error();
  }
  return setup;
}

namespace {

constexpr std::chrono::seconds kToFollowLinks{5};

Task<Result<toolkit::Led>> leads_to(std::shared_ptr<const Root> root, Workers& workers, std::string path) {
  auto job = [root, path](const std::stop_token&) { return root->leads_to(path); };
  return on_worker<toolkit::Led>(workers, kToFollowLinks, std::move(job));
}

}  // namespace

toolkit::ToolSpec workspace_spec(const WorkspaceSetup& setup, std::string name, int version, std::string description,
                                 toolkit::Effect effect) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .version = version,
                         .description = std::move(description),
                         .category = std::string(kWorkspaceTools),
                         .effect = effect,
                         .primary_param = "path"};
  if (setup.root) {
    spec.target = {{"root", setup.root->folder().string()}};
    spec.leads_to = [root = setup.root, workers = setup.workers](std::string path) {
      return leads_to(root, *workers, std::move(path));
    };
  } else {
    spec.missing = setup.missing;
  }
  return spec;
}

std::vector<std::shared_ptr<const toolkit::Tool>> workspace_tools(const WorkspaceSetup& setup) {
  return {read_file_tool(setup), list_files_tool(setup), search_files_tool(setup), write_file_tool(setup),
          edit_file_tool(setup), shell_tool(setup),      fetch_url_tool(setup)};
}

}  // namespace deputy::tools
