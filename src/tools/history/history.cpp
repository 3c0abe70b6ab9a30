#include "tools/history/history.h"

#include "tools/common_steps.h"

namespace deputy::tools {

namespace {

struct SearchHistoryParams {
  std::string query;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&SearchHistoryParams::query, "query",
               "Words of an earlier request or its answer, such as payment timeout")
        .characters(1, 1000)
        .kind(toolkit::Kind::query);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> search_history() {
  toolkit::ToolSpec spec{
      .name = "search_history",
      .version = 1,
      .description =
          "Searches past requests to Deputy and their answers for words. Use it for \"did this happen before?\". "
          "Returns time, run id and a snippet of each hit, from this conversation and others that its readers may see.",
      .category = "analysis_tools",
      .effect = toolkit::Effect::read,
      .primary_param = "query"};
  spec.topics = {.words = {"history", "asked", "before", "earlier", "previously", "seen", "discussed"},
                 .examples = {"what was asked about {query} before?", "search history for {query}"},
                 .working = "Searching earlier requests"};
  return toolkit::make_tool<SearchHistoryParams>(std::move(spec), [](const SearchHistoryParams& params) {
    return Result<toolkit::Pipeline>(delegating(toolkit::DelegateKind::history, {{"query", params.query}}));
  });
}

}  // namespace deputy::tools
