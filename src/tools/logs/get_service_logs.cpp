// get_service_logs = [ search ]
#include "tools/logs/place.h"

namespace deputy::tools {

namespace {

struct GetServiceLogsParams : PlaceParams {
  int limit = 50;

  template <class Fields>
  static void fields(Fields& f) {
    using P = GetServiceLogsParams;
    f.required(&P::service, "service", "The service whose logs to show")
        .characters(1, 200)
        .kind(toolkit::Kind::service);
    f.required(&P::environment, "environment", "The environment, such as prod")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    f.optional(&P::limit, "limit", "How many entries to show").in_range(1, 500).kind(toolkit::Kind::count);
    time_fields(f);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> get_service_logs(const std::shared_ptr<const LogToolParts>& parts) {
  toolkit::ToolSpec spec = log_tool_spec(*parts, "get_service_logs",
                                         "Shows the newest log entries of one service in one environment, as they are");
  spec.topics = {.words = {"logs", "line", "entry", "tail"},
                 .examples = {"logs of {service} in {environment}", "last 20 log lines of {service} in {environment}"},
                 .working = "Reading logs of {service}"};
  spec.primary_param = "service";
  auto tool = toolkit::make_tool<GetServiceLogsParams>(std::move(spec), [parts](const GetServiceLogsParams& params) {
    const LogQuery wanted{.newest = static_cast<std::size_t>(params.limit)};
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search",
                   .repeatable = true,
                   .call = [parts, wanted, place = PlaceParams(params)](toolkit::CallContext& context) {
                     return read_logs(parts, wanted, place, Telling::lines_only, context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
  return asking_for_environment(std::move(tool), parts);
}

}  // namespace deputy::tools
