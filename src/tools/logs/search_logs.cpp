// search_logs = [ search ]
#include "tools/logs/place.h"

namespace deputy::tools {

namespace {

struct SearchLogsParams : PlaceParams {
  std::string query;
  int limit = 50;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchLogsParams;
    f.required(&P::query, "query",
               "Words that must all occur, \"words in a row\", or a regular expression between slashes")
        .characters(1, 1000)
        .kind(toolkit::Kind::query);
    f.optional(&P::service, "service", "The service whose logs to search; without it all of them")
        .characters(0, 200)
        .kind(toolkit::Kind::service);
    f.optional(&P::environment, "environment", "The environment, such as prod")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    f.optional(&P::limit, "limit", "How many entries to show whole").in_range(1, 500).kind(toolkit::Kind::count);
    time_fields(f);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> search_logs(const std::shared_ptr<const LogToolParts>& parts) {
  toolkit::ToolSpec spec = log_tool_spec(
      *parts, "search_logs",
      "Searches logs for words or a regular expression; counts the entries by what they say and shows the newest");
  spec.topics = {.words = {"logs", "line", "entry", "errors", "grep"},
                 .examples = {"search the {environment} logs for \"{query}\"",
                              "errors with \"{query}\" in {service} {environment}"},
                 .working = "Searching logs of {service}"};
  spec.primary_param = "query";
  return toolkit::make_tool<SearchLogsParams>(
      std::move(spec), [parts](const SearchLogsParams& params) -> Result<toolkit::Pipeline> {
        LogQuery wanted{.newest = static_cast<std::size_t>(params.limit)};
        TRY(wanted.text, parse_query(params.query));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "search",
                       .repeatable = true,
                       .call = [parts, wanted, place = PlaceParams(params)](toolkit::CallContext& context) {
                         return read_logs(parts, wanted, place, Telling::groups_first, context);
                       }});
        return pipeline;
      });
}

}  // namespace deputy::tools
