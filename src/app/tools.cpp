#include "app/tools.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <stdexcept>

#include "app/connections.h"
#include "app/known_services.h"
#include "app/kube_files.h"
#include "base/result.h"
#include "base/text.h"
#include "channel/slack/message_text.h"
#include "config/yaml.h"
#include "interaction/questions.h"
#include "tools/alarms/cloudwatch/ecs.h"
#include "tools/analysis/analysis.h"
#include "tools/code/code_tools.h"
#include "tools/code/repository.h"
#include "tools/history/history.h"
#include "tools/investigate/investigate.h"
#include "tools/services/service_tools.h"
#include "tools/slack/slack_tools.h"
#include "tools/talk/talk.h"
#include "tools/tasks/tasks.h"
#include "tools/workspace/workspace.h"

namespace deputy::app {

namespace {

using ToolList = std::vector<std::shared_ptr<const toolkit::Tool>>;

// A scan of logs and a search through files must not wait for each other.
constexpr Workers::Limits kToolThreads{.threads = 4};

Task<Result<std::vector<tools::Service>>> fetch_services(clients::aws::Account& account, std::string address) {
  CO_TRY(const std::string text, co_await account.read_s3(address, config::kLargestFile));
  co_return parse_services(text, address);
}

std::shared_ptr<tools::ServicesRegistry> services_registry(const Settings& settings, Accounts& accounts,
                                                           const Clock& clock) {
  if (!settings.services.s3.empty()) {
    tools::ServicesRegistry::AsyncLoad load{
        [account = accounts.aws.get(), s3 = settings.services.s3] { return fetch_services(*account, s3); }};
    return std::make_shared<tools::ServicesRegistry>(std::move(load), clock);
  }
  tools::ServicesRegistry::Load load;
  if (!settings.services.file.empty()) load = [file = settings.services.file] { return read_services(file); };
  return std::make_shared<tools::ServicesRegistry>(std::move(load), clock);
}

tools::PrivateAddresses private_addresses(const tools::WorkspaceToolsSettings& settings) {
  return settings.fetch_private ? tools::PrivateAddresses::allowed : tools::PrivateAddresses::refused;
}

std::unique_ptr<net::HttpClient> fetch_client(const Settings& settings, const asio::any_io_executor& loop) {
  return tools::make_fetch_client(loop, client_options(settings.network),
                                  private_addresses(settings.tools.workspace_tools));
}

tools::WorkspaceSetup workspace_setup(const tools::WorkspaceToolsSettings& settings, const OwnFolders& own,
                                      Workers& workers, net::HttpClient& http) {
  std::vector<std::filesystem::path> ours = own.settings;
  ours.push_back(own.data);
  tools::WorkspaceSetup setup = tools::make_workspace_setup(settings.root, ours, workers);
  const auto megabytes = [](int count) { return static_cast<std::uint64_t>(count) << 20; };
  setup.limits = {.memory_bytes = megabytes(settings.sandbox.memory_mb),
                  .processes = static_cast<std::uint64_t>(settings.sandbox.processes),
                  .file_bytes = megabytes(settings.sandbox.file_mb),
                  .tmp_bytes = megabytes(settings.sandbox.tmp_mb),
                  .least_free_bytes = megabytes(settings.sandbox.least_free_mb)};
  setup.http = &http;
  setup.fetch_hosts = settings.fetch_hosts;
  setup.fetch_private = private_addresses(settings);
  setup.read_commands = std::make_shared<tools::ReadCommands>(settings.read_commands);
  setup.network = settings.sandbox.network ? tools::Network::shared : tools::Network::none;
  return setup;
}

tools::CodeSetup code_setup(const tools::CodeToolsSettings& settings, const OwnFolders& own, Workers& workers,
                            clients::aws::Account& account) {
  tools::CodeSetup setup{.workers = &workers, .programs = tools::find_sandbox_programs()};
  for (const auto& [name, folder] : settings.repositories) setup.repositories.push_back({name, folder});
  setup.usual = settings.backend;
  if (!settings.bedrock_kb.id.empty())
    setup.knowledge = std::make_shared<tools::KnowledgeBase>(settings.bedrock_kb.id, account);
  setup.index = std::make_shared<tools::CodeIndex>((own.data / "code.sqlite").string());
  return setup;
}

tools::clusters::ClusterSetup cluster_setup(const tools::ClusterToolsSettings& settings, Workers& workers) {
  const auto variable = [](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return std::string(value == nullptr ? "" : value);
  };
  return {settings.kubernetes, {read_kube_text, read_kubeconfig}, variable, &workers};
}

tools::aws::CliSetup cli_setup(const Settings& settings, clients::aws::Account& account) {
  return {.program = settings.tools.aws_tools.program.string(),
          .account = &account,
          .proxy = settings.network.proxy,
          .no_proxy = settings.network.no_proxy,
          .ca_file = settings.network.ca_file.string()};
}

tools::AnalysisSetup analysis_setup(const tools::slack::Workspace& slack) {
  tools::AnalysisSetup setup{.read = tools::slack::transcript_reader(slack), .missing = slack->missing()};
  if (!setup.missing.empty()) return setup;
  setup.target = {{"slack", slack->api().settings().api_url}};
  setup.leads_to = [slack](std::string channel) { return slack->id_of_channel(std::move(channel)); };
  return setup;
}

void add_all(toolkit::Registry& registry, const ToolList& list) {
  for (const auto& tool : list) {
    // An invalid spec is a bug of ours; any test that makes a registry finds it.
    if (const Result<> added = registry.add(tool); !added) throw std::logic_error(describe(added.error()));
  }
}

constexpr std::chrono::seconds kLimit{10};

Task<Result<std::string>> look_at_services(std::shared_ptr<tools::ServicesRegistry> registry) {
  CO_TRY(const std::shared_ptr<const tools::ServiceList> list, co_await registry->current());
  co_return count_of(list->services().size(), "service");
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

/// One check for each backend of a family that is set up, or one that says what to set.
template <class Backend>
void add_checks(const std::string& family, const tools::Backends<Backend>& backends, std::vector<Check>& checks) {
  if (backends.all().empty()) checks.push_back({family, backends.missing()});
  for (const auto& backend : backends.all()) {
    const std::string name = backends.all().size() == 1 ? family : fmt::format("{} ({})", family, backend->name());
    checks.push_back({name, "", [backend] { return backend->diagnose(kLimit); }});
  }
}

}  // namespace

Tools::Tools(const Settings& settings, const OwnFolders& own, Accounts& accounts, const Clock& clock,
             const asio::any_io_executor& loop)
    : workers_("tools", kToolThreads),
      services_(services_registry(settings, accounts, clock)),
      logs_(tools::make_log_backends(settings.tools.log_tools,
                                     {settings.environments, workers_, *accounts.http, clock, accounts.aws.get()})),
      alarms_(
          tools::make_alarm_backends(settings.tools.alarm_tools, *accounts.http, clock, workers_, accounts.aws.get())),
      aws_cli_(cli_setup(settings, *accounts.aws)),
      tickets_(tools::make_ticket_backends(settings.tools.ticket_tools, *accounts.http, clock, workers_)),
      docs_(
          tools::make_doc_backends(settings.tools.doc_tools, settings.tools.ticket_tools.jira, *accounts.http, clock)),
      clusters_(tools::clusters::make_clusters(cluster_setup(settings.tools.cluster_tools, workers_),
                                               settings.tools.cluster_tools.files, *accounts.http, clock)),
      pipelines_(
          tools::pipelines::make_pipeline_backends(settings.tools.pipeline_tools, *accounts.http, clock, workers_)),
      incidents_(tools::make_incident_backends(settings.tools.incident_tools, *accounts.http, clock, workers_)),
      code_(code_setup(settings.tools.code_tools, own, workers_, *accounts.aws)),
      fetch_client_(fetch_client(settings, loop)),
      workspace_(workspace_setup(settings.tools.workspace_tools, own, workers_, *fetch_client_)) {
  add_all(registry_, {tools::ask_user(json_schema<interaction::Form>()), tools::respond_directly(),
                      tools::read_result(), tools::read_attachment()});
  add_all(registry_, {tools::list_background_tasks(), tools::get_background_task(), tools::cancel_background_task(),
                      tools::start_sub_run(), tools::list_sub_runs(), tools::get_sub_run()});
  add_all(registry_, {tools::search_history(), tools::investigate_issue(services_)});
  add_all(registry_, tools::service_tools(services_));
  add_all(registry_,
          tools::log_tools({logs_, services_, &clock, settings.environments, settings.tools.log_tools.max_scan}));
  add_all(registry_, tools::alarm_tools(alarms_, clock));
  add_all(registry_, tools::aws::aws_tools(aws_cli_));
  add_all(registry_, tools::ticket_tools(tickets_));
  add_all(registry_, tools::doc_tools(docs_));
  add_all(registry_, tools::clusters::cluster_tools(clusters_));
  add_all(registry_, tools::incident_tools({incidents_, services_, &clock, settings.environments}));
  add_all(registry_, tools::pipelines::pipeline_tools({pipelines_, services_, &clock, settings.environments}));
  add_all(registry_, tools::code_tools(code_));
  const auto slack =
      std::make_shared<tools::slack::SlackWorkspace>(accounts.slack.get(), clock, &channel::slack::text_of_message);
  add_all(registry_, tools::slack::slack_tools(slack));
  add_all(registry_, tools::analysis_tools(analysis_setup(slack)));
  add_all(registry_, tools::workspace_tools(workspace_));
}

std::vector<Check> Tools::checks() const {
  std::vector<Check> checks{
      {"services", tools::missing_registry(*services_), [registry = services_] { return look_at_services(registry); }},
      {"code", code_.repositories.empty() ? tools::code_spec(code_, "search_code", 1, "").missing : "",
       [setup = code_] { return look_at_repositories(setup); }},
      {"workspace", workspace_.root || workspace_.refused ? "" : workspace_.missing,
       [setup = workspace_] { return look_at_sandbox(setup); }}};
  if (code_.knowledge) {
    checks.push_back({"code (bedrock_kb)", "", [base = code_.knowledge] { return base->diagnose(kLimit); }});
    if (code_.repositories.empty()) std::erase_if(checks, [](const Check& check) { return check.name == "code"; });
  }
  add_checks("logs", logs_, checks);
  add_checks("alarms", alarms_.alarms, checks);
  add_checks("metrics", alarms_.metrics, checks);
  if (alarms_.ecs) checks.push_back({"ecs", "", [ecs = alarms_.ecs] { return ecs->diagnose(kLimit); }});
  add_checks("tickets", tickets_.tickets, checks);
  add_checks("docs", docs_, checks);
  add_checks("clusters", clusters_, checks);
  add_checks("incidents", incidents_, checks);
  add_checks("pipelines", pipelines_.all, checks);
  checks.push_back({"aws cli", aws_cli_.program.empty() ? "tools.aws_tools.program (the path of the AWS CLI)" : "",
                    [setup = aws_cli_] { return tools::aws::look_at_cli(setup, kLimit); }});
  return checks;
}

}  // namespace deputy::app
