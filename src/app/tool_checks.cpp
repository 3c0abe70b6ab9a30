#include <fmt/format.h>

#include "app/tools.h"
#include "base/text.h"
#include "tools/code/repository.h"
#include "tools/services/service_tools.h"

namespace deputy::app {

namespace {

constexpr std::chrono::seconds kLimit{10};

Task<Result<std::string>> look_at_services(std::shared_ptr<tools::ServicesRegistry> registry) {
  CO_TRY(const std::shared_ptr<const tools::ServiceList> list, co_await registry->current());
  co_return fmt::format("{} services", list->services().size());
}

Task<Result<std::string>> look_at_repositories(tools::CodeSetup setup) {
  std::vector<std::string> found;
  for (const tools::CodeRepository& repository : setup.repositories) {
    CO_TRY(const std::string head,
           co_await tools::run_git(setup.programs, repository, {"rev-parse", "--short", "HEAD"}, {}, 1000, kLimit));
    found.push_back(fmt::format("{} at {}", repository.name, trim(head)));
  }
  co_return join(found, ", ");
}

Task<Result<std::string>> look_at_sandbox(tools::WorkspaceSetup setup) {
  if (setup.refused) co_return std::unexpected(*setup.refused);
  tools::SandboxedProgram program;
  program.arguments = {"/bin/true"};
  program.folder = setup.root->folder();
  program.limits = setup.limits;
  program.timeout = kLimit;
  CO_TRY(const ProcessEnd end, co_await tools::run_sandboxed(setup.programs, std::move(program)));
  if (end.exit_code != 0) co_return fail(ErrorKind::upstream, "a command that does nothing failed in the sandbox");
  CO_TRY(const tools::SandboxAccount owner, tools::owner_of(setup.root->folder()));
  const std::string read_only = tools::why_not_writable(tools::our_account(), owner);
  co_return fmt::format("`{}`, commands run{}", setup.root->folder().string(),
                        read_only.empty() ? "" : "; " + read_only);
}

}  // namespace

std::vector<Check> Tools::checks() const {
  return {
      {"services", tools::missing_registry(*services_), [registry = services_] { return look_at_services(registry); }},
      {"logs", logs_ ? "" : "tools.log_tools.files.root: the folder of the logs",
       [backend = logs_] { return backend->diagnose(kLimit); }},
      {"code", code_.repositories.empty() ? tools::code_spec(code_, "search_code", "").missing : "",
       [setup = code_] { return look_at_repositories(setup); }},
      {"workspace", workspace_.root || workspace_.refused ? "" : workspace_.missing,
       [setup = workspace_] { return look_at_sandbox(setup); }}};
}

}  // namespace deputy::app
