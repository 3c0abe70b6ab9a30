// Makes all tools, with what they need. To add one: write it in tools/<family>/ and add its line in tools.cpp;
// settings, policy, prompts and the command line then include it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/connections.h"
#include "app/context.h"
#include "app/settings.h"
#include "base/clock.h"
#include "base/workers.h"
#include "net/http.h"
#include "toolkit/registry.h"
#include "tools/alarms/alarm_tools.h"
#include "tools/aws/aws_cli.h"
#include "tools/clusters/cluster_tools.h"
#include "tools/code/code_tools.h"
#include "tools/docs/doc_tools.h"
#include "tools/incidents/incident_tools.h"
#include "tools/logs/log_tools.h"
#include "tools/pipelines/pipeline_tools.h"
#include "tools/services_registry.h"
#include "tools/tickets/ticket_tools.h"
#include "tools/workspace/workspace.h"

namespace deputy::app {

class Tools {
 public:
  /// Opens the folder of the workspace; other files are opened and threads started by the first call that needs them.
  /// Accounts, clock and loop outlive it.
  Tools(const Settings& settings, const OwnFolders& own, Accounts& accounts, const Clock& clock,
        const asio::any_io_executor& loop);

  const toolkit::Registry& registry() const { return registry_; }
  const std::shared_ptr<tools::ServicesRegistry>& services() const { return services_; }
  const tools::LogBackends& logs() const { return logs_; }
  /// For `deputy doctor`. Do not use them after this object is destroyed.
  std::vector<Check> checks() const;

 private:
  Workers workers_;
  std::shared_ptr<tools::ServicesRegistry> services_;
  tools::LogBackends logs_;
  tools::AlarmBackends alarms_;
  tools::aws::CliSetup aws_cli_;
  tools::TicketBackends tickets_;
  tools::DocBackends docs_;
  tools::clusters::Clusters clusters_;
  tools::IncidentBackends incidents_;
  tools::pipelines::PipelineBackends pipelines_;
  tools::CodeSetup code_;
  std::unique_ptr<net::HttpClient> fetch_client_;
  tools::WorkspaceSetup workspace_;
  toolkit::Registry registry_;
};

}  // namespace deputy::app
