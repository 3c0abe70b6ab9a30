// Alarms and metrics of CloudWatch, in one AWS account and region.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clients/aws/account.h"
#include "tools/alarms/alarm_backend.h"

namespace deputy::tools::cloudwatch {

class CloudWatch final : public AlarmBackend, public MetricsBackend {
 public:
  /// The account outlives it.
  explicit CloudWatch(clients::aws::Account& account) : api_(account.json_api(clients::aws::kCloudWatch)) {}

  std::string_view name() const override { return "cloudwatch"; }
  json::object target() const override { return api_->target(); }
  Task<Result<FoundAlarms>> find(AlarmQuery query, std::chrono::milliseconds limit) override;
  std::string_view probe() const override { return "SELECT AVG(CPUUtilization) FROM \"AWS/EC2\""; }
  /// The text is an expression: Metrics Insights SQL, a search, or metric math over them.
  Task<Result<FoundMetrics>> query(MetricQuery query, std::chrono::milliseconds limit) override;
  Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) override;

 private:
  std::shared_ptr<clients::aws::JsonApi> api_;
};

/// Reads the values of these queries for a time range, all pages. `labels_of` says what a series is called by the id of
/// its query; without it, by its label.
Task<Result<FoundMetrics>> read_metrics(std::shared_ptr<clients::aws::JsonApi> api, json::array queries, TimeSpan span,
                                        std::chrono::milliseconds limit,
                                        std::map<std::string, std::map<std::string, std::string>> labels_of = {});

/// The distance of samples that CloudWatch still has for a time range: whole minutes, more for what is long ago. Pure.
std::chrono::seconds period_of(const TimeSpan& span, std::chrono::milliseconds step, Timestamp now);

/// A page of AWS's console: "cloudwatch/home", "#alarmsV2:".
std::string console_page(std::string_view region, std::string_view path, std::string_view fragment);

/// The alarms of one answer of DescribeAlarms. Pure.
std::vector<Alarm> alarms_in(const json::value& answer, std::string_view region);

}  // namespace deputy::tools::cloudwatch
