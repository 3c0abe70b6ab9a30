// Logs in CloudWatch, by Logs Insights: a query is started, asked for until it has ended, and stopped when nobody waits
// for it any more. AWS charges for the bytes that a query scans.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/aws/account.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/settings.h"

namespace deputy::tools::cloudwatch {

using EnvironmentNames = std::map<std::string, std::vector<std::string>>;  // name to its other names

/// Null where settings name no log groups, or there is no account. The account outlives it.
std::shared_ptr<LogBackend> make_logs(const CloudWatchLogsSettings& settings, const EnvironmentNames& environments,
                                      clients::aws::Account* account);

// Names and queries, pure.

/// A log group and the service whose logs it has.
struct LogGroup {
  std::string name;
  std::string service;

  bool operator==(const LogGroup&) const = default;
  auto operator<=>(const LogGroup&) const = default;
};

/// The beginning that the names of an environment's log groups have in common.
std::string group_prefix(const LogGroupSettings& pattern, std::string_view environment_name);

/// Nothing: the name does not fit the pattern.
std::optional<LogGroup> group_of(const LogGroupSettings& pattern, std::string_view environment_name,
                                 std::string_view name);

/// The newest entries that match: `fields @timestamp, @message, @log | filter … | sort @timestamp desc | limit …`
std::string insights_query(const LogQuery& query, std::size_t most);

}  // namespace deputy::tools::cloudwatch
