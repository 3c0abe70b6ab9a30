// Where and when a log tool looks: from the arguments of a call to a query that a backend takes.
#pragma once

#include <optional>
#include <string>

#include "tools/logs/log_tools.h"

namespace deputy::tools {

inline constexpr int kLongestHours = 24 * 366;
inline constexpr int kUsualHours = 4;

/// The arguments that all log tools share; each derives from it and says itself what its service and environment are.
struct PlaceParams {
  std::string service;
  std::string environment;
  int hours_back = kUsualHours;
  std::optional<Timestamp> from;
  std::optional<Timestamp> to;

  /// When, which all of them ask for alike.
  template <class Fields>
  static void time_fields(Fields& f) {
    using P = PlaceParams;
    f.optional(&P::hours_back, "hours_back", "How many hours back to look")
        .in_range(1, kLongestHours)
        .kind(toolkit::Kind::hours);
    f.optional(&P::from, "from", "The beginning of the time to look at, in place of hours_back")
        .kind(toolkit::Kind::from);
    f.optional(&P::to, "to", "The end of the time to look at; without it now").kind(toolkit::Kind::to);
  }
};

/// `from` and `to` where they are given, else the hours before `to`, else before now.
Result<TimeSpan> span_of(const PlaceParams& params, Timestamp now);

/// One of the known environments, by its own name. Another name of one is refused and not translated: what a call may
/// reach is judged by the argument as it stands.
Result<> check_environment(const std::string& environment,
                           const std::map<std::string, std::vector<std::string>>& known);

/// All of it, the names of the service too.
Task<Result<LogQuery>> query_for(std::shared_ptr<const LogToolParts> parts, PlaceParams params);

/// The handler of every log tool: asks the backend and tells what it found.
enum class Telling { groups_first, lines_only };
Task<toolkit::Step> read_logs(std::shared_ptr<const LogToolParts> parts, LogQuery wanted, PlaceParams params,
                              Telling telling, const toolkit::CallContext& context);

/// The same tool, but arguments without an environment are refused in the words that ask for one: where it is a
/// required parameter the parser would only say that it is missing.
std::shared_ptr<const toolkit::Tool> asking_for_environment(std::shared_ptr<const toolkit::Tool> tool,
                                                            std::shared_ptr<const LogToolParts> parts);

/// A spec with what all of them share.
toolkit::ToolSpec log_tool_spec(const LogToolParts& parts, std::string name, std::string description);

}  // namespace deputy::tools
