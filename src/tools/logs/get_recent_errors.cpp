// get_recent_errors = [ search ]
#include "tools/logs/place.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kErrorsShown = 10;

struct GetRecentErrorsParams : PlaceParams {
  template <class Fields>
  static void fields(Fields& f) {
    using P = GetRecentErrorsParams;
    f.optional(&P::service, "service", "The service whose errors to show; without it all of them")
        .characters(0, 200)
        .kind(toolkit::Kind::service);
    f.optional(&P::environment, "environment", "The environment, such as prod")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    time_fields(f);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> get_recent_errors(const std::shared_ptr<const LogToolParts>& parts) {
  toolkit::ToolSpec spec =
      log_tool_spec(*parts, "get_recent_errors",
                    "Shows the errors in the logs of a service or of all, counted by what they say, the most first");
  spec.topics = {.words = {"errors", "exception", "failure", "fail", "crash", "broken", "stacktrace", "timeout",
                           "wrong", "down", "healthy", "health", "ok", "status"},
                 .examples = {"errors in {service} {environment}", "what is failing in {environment}?",
                              "any exceptions in {service} {environment} since yesterday?"},
                 .working = "Counting errors of {service}"};
  spec.primary_param = "service";
  return toolkit::make_tool<GetRecentErrorsParams>(std::move(spec), [parts](const GetRecentErrorsParams& params) {
    const LogQuery wanted{.least = LogLevel::error, .newest = kErrorsShown};
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search",
                   .repeatable = true,
                   .call = [parts, wanted, place = PlaceParams(params)](toolkit::CallContext& context) {
                     return read_logs(parts, wanted, place, Telling::groups_first, context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
