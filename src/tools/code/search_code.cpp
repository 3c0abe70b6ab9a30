// search_code = [ refresh, search ]
#include <fmt/format.h>

#include "base/text.h"
#include "tools/code/code.h"
#include "tools/code/repository.h"

namespace deputy::tools {

namespace {

using toolkit::CallContext;
using toolkit::Output;
using toolkit::Step;

struct SearchCodeParams {
  std::string query;
  int num_results = 5;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchCodeParams;
    f.required(&P::query, "query", "Names or words of the code, such as retry payment or findUserById")
        .characters(1, 500)
        .kind(toolkit::Kind::query);
    f.optional(&P::num_results, "num_results", "How many places at most").in_range(1, 20).kind(toolkit::Kind::count);
  }
};

// A repository that cannot be read is searched as it was, and the answer says so.
Task<Step> refresh(CodeSetup setup, const CallContext& context) {
  std::string problems;
  for (const CodeRepository& repository : setup.repositories) {
    context.emit(fmt::format("reading {}\n", repository.name));
    const Result<> done = co_await refresh_repository(setup, repository, context.deadline);
    if (!done) problems += fmt::format("… {} may be out of date: {}\n", repository.name, describe(done.error()));
  }
  if (problems.empty()) co_return toolkit::Continue{};
  co_return Output{problems, {}};
}

std::string show(const CodeFound& found) {
  std::string text = "nothing in the code matches\n";
  if (!found.hits.empty()) text = fmt::format("{} place{}\n", found.hits.size(), found.hits.size() == 1 ? "" : "s");
  for (const CodeHit& hit : found.hits) {
    text += fmt::format("{}/{}:{}-{}\n{}\n", hit.repository, to_valid_utf8(hit.path), hit.first_line, hit.last_line,
                        hit.snippet);
  }
  if (found.more) text += "… there is more: too many places match to look at all of them; give rarer words\n";
  if (found.not_searched > 0) {
    text += fmt::format("… {} files were not searched: they are no text, or have more than {} bytes\n",
                        found.not_searched, kMostOfAFile);
  }
  return text;
}

Task<Step> search(CodeSetup setup, SearchCodeParams params, const CallContext& context) {
  std::vector<std::string> names;
  names.reserve(setup.repositories.size());
  for (const CodeRepository& repository : setup.repositories) names.push_back(repository.name);
  auto job = [index = setup.index, params, names](const std::stop_token&) {
    return index->search(params.query, params.num_results, names);
  };
  auto found = co_await on_worker<CodeFound>(*setup.workers, context.time_left(), std::move(job));
  if (!found) co_return std::move(found).error();
  const Output* problems = context.output_of("refresh");
  co_return Output{show(*found) + (problems == nullptr ? "" : problems->text), {}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> search_code_tool(const CodeSetup& setup) {
  toolkit::ToolSpec spec =
      code_spec(setup, "search_code",
                "Finds places in the code of known repositories by names and words, with file, lines and text");
  spec.primary_param = "query";
  spec.topics = {.words = {"code", "codebase", "source", "function", "class", "implementation", "implemented"},
                 .examples = {"where is \"{query}\" in the code?", "search the code for {query}"},
                 .working = "Searching code"};
  return toolkit::make_tool<SearchCodeParams>(std::move(spec), [setup](const SearchCodeParams& params) {
    toolkit::Pipeline pipeline;
    pipeline
        .then({.name = "refresh",
               .repeatable = true,
               .call = [setup](CallContext& context) { return refresh(setup, context); }})
        .then({.name = "search", .repeatable = true, .call = [setup, params](CallContext& context) {
                 return search(setup, params, context);
               }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
