// Services of ECS: their tasks, and what CloudWatch measures of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clients/aws/account.h"
#include "toolkit/tool.h"
#include "tools/alarms/alarm_backend.h"
#include "tools/alarms/settings.h"

namespace deputy::tools::cloudwatch {

/// One service as ECS knows it now.
struct EcsState {
  std::int64_t running = 0;
  std::int64_t desired = 0;
  std::int64_t pending = 0;
  std::vector<std::string> deployments;  // those that are not completed, a sentence each
  std::vector<std::string> events;       // the newest ones, newest first
};

class Ecs {
 public:
  /// The account outlives it.
  Ecs(CloudWatchSettings settings, clients::aws::Account& account)
      : settings_(std::move(settings)),
        metrics_(account.json_api(clients::aws::kCloudWatch)),
        ecs_(account.json_api(clients::aws::kEcs)) {}

  struct Name {
    std::string cluster;
    std::string service;
  };

  /// An error that begins ENVIRONMENT_REQUIRED if the environment has no cluster.
  Result<Name> name_of(const std::string& service, const std::string& environment) const;
  json::object target() const;

  /// CPU and memory, average and maximum, in percent.
  Task<Result<FoundMetrics>> utilization(Name name, TimeSpan span, std::chrono::seconds period,
                                         std::chrono::milliseconds limit);
  /// not_found if the cluster has no such service.
  Task<Result<EcsState>> state(Name name, std::chrono::milliseconds limit);
  Task<Result<std::string>> diagnose(std::chrono::milliseconds limit);

 private:
  CloudWatchSettings settings_;
  std::shared_ptr<clients::aws::JsonApi> metrics_;
  std::shared_ptr<clients::aws::JsonApi> ecs_;
};

/// `ecs` is null where it is not set up. The clock outlives every call.
std::shared_ptr<const toolkit::Tool> get_ecs_metrics(const std::shared_ptr<Ecs>& ecs, const Clock& clock);

}  // namespace deputy::tools::cloudwatch
