// Turns the arguments of a log tool, which say where and when to look, into a query for a backend.
#pragma once

#include <string>

#include "tools/logs/log_tools.h"
#include "tools/time_range.h"

namespace deputy::tools {

/// The arguments that all log tools share. Each tool derives from it and describes `service` and `environment` itself.
struct PlaceParams : TimeRangeParams {
  std::string service;
  std::string environment;
};

/// An error if `environment` is not one of the known environments by its own name. An alias is refused, not translated:
/// policy judges a call by its arguments as they are.
Result<> check_environment(const std::string& environment,
                           const std::map<std::string, std::vector<std::string>>& known);

/// Where and when to look, and who is asked.
struct LogPlace {
  LogQuery query;
  std::shared_ptr<LogBackend> backend;
};

/// Looks up in the registry the other names of the service and the backend that its entry names.
Task<Result<LogPlace>> place_for(std::shared_ptr<const LogToolParts> parts, PlaceParams params);

/// What a report shows.
enum class Telling { groups_first, lines_only };

/// The handler of every log tool: asks the backend and reports what it found.
Task<toolkit::Step> read_logs(std::shared_ptr<const LogToolParts> parts, LogQuery wanted, PlaceParams params,
                              Telling telling, const toolkit::CallContext& context);

/// The same tool, but the error for a missing environment lists the known ones; the parser would only say that a
/// required parameter is missing.
std::shared_ptr<const toolkit::Tool> asking_for_environment(std::shared_ptr<const toolkit::Tool> tool,
                                                            std::shared_ptr<const LogToolParts> parts);

/// A spec with what all log tools share.
toolkit::ToolSpec log_tool_spec(const LogToolParts& parts, std::string name, int version, std::string description);

}  // namespace deputy::tools
