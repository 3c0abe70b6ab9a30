#include "tools/code/code_tools.h"

#include <fmt/format.h>

#include "base/text.h"
#include "toolkit/cut.h"
#include "tools/code/repository.h"
#include "tools/common_steps.h"

namespace deputy::tools {

toolkit::ToolSpec code_spec(const CodeSetup& setup, std::string name, int version, std::string description) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .version = version,
                         .description = std::move(description),
                         .category = "code_tools",
                         .effect = toolkit::Effect::read,
                         .timeout = std::chrono::seconds(120)};
  json::object folders;
  for (const CodeRepository& repository : setup.repositories) folders[repository.name] = repository.folder.string();
  spec.target = {{"backend", "local"}, {"repositories", std::move(folders)}};
  if (setup.repositories.empty() || !setup.index) {
    spec.missing = "set tools.code_tools.repositories to names and folders of git repositories";
  } else {
    spec.missing = setup.programs.missing();
  }
  return spec;
}

std::vector<std::shared_ptr<const toolkit::Tool>> code_tools(const CodeSetup& setup) {
  return {search_code_tool(setup), get_file_tool(setup)};
}

// search_code = [ refresh, search ]

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
    f.required(&P::query, "query", "Identifiers or words, such as findUserById or retry payment")
        .characters(1, 500)
        .kind(toolkit::Kind::query);
    f.optional(&P::num_results, "num_results", "Maximum number of hits").in_range(1, 20).kind(toolkit::Kind::count);
  }
};

// If a repository cannot be read, its last indexed state is searched, and the answer says so.
Task<Step> refresh(CodeSetup setup, const CallContext& context) {
  std::string problems;
  for (const CodeRepository& repository : setup.repositories) {
    context.emit(fmt::format("reading {}\n", repository.name));
    const Result<> done = co_await refresh_repository(setup, repository, context.redact, context.deadline);
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
  if (found.more) text += "… there may be more: too many places match to look at all of them; give rarer words\n";
  if (found.not_searched > 0) {
    text += fmt::format("… not searched, because not text or larger than {} bytes: {}\n", kMaxCodeFile,
                        count_of(found.not_searched, "file"));
  }
  if (found.left_out > 0)
    text += fmt::format("… left out by the rules of read_file: {}\n", count_of(found.left_out, "file"));
  return text;
}

Task<Step> search(CodeSetup setup, SearchCodeParams params, const CallContext& context) {
  std::vector<std::string> names;
  names.reserve(setup.repositories.size());
  for (const CodeRepository& repository : setup.repositories) names.push_back(repository.name);
  CodeIndex::MayRead may_read;
  if (context.may_read) {
    may_read = [may_read = context.may_read](std::string_view path) { return may_read(path, false); };
  }
  auto job = [index = setup.index, params, names, may_read = std::move(may_read)](const std::stop_token&) {
    return index->search(params.query, params.num_results, names, may_read);
  };
  auto found = co_await on_worker<CodeFound>(*setup.workers, context.time_left(), std::move(job));
  if (!found) co_return std::move(found).error();
  const Output* problems = context.output_of("refresh");
  co_return Output{show(*found) + (problems == nullptr ? "" : problems->text), {}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> search_code_tool(const CodeSetup& setup) {
  toolkit::ToolSpec spec = code_spec(
      setup, "search_code", 2,
      "Searches the code of the configured repositories for identifiers and words. Returns repository, file, line "
      "numbers and the text around each hit, best first. Not a regular expression: `findUserById`, `retry payment`.");
  spec.primary_param = "query";
  spec.path_rules_of = "read_file";
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

// get_file = [ read ]

namespace {

struct GetFileParams {
  std::string repo;
  std::string path;
  std::optional<int> start;
  std::optional<int> end;

  template <class Fields>
  static void fields(Fields& f) {
    using P = GetFileParams;
    f.required(&P::repo, "repo", "Name of the repository, as in settings").characters(1, 200).kind(toolkit::Kind::id);
    f.required(&P::path, "path", "Path of the file from the root of the repository")
        .characters(1, 4000)
        .kind(toolkit::Kind::path);
    f.optional(&P::start, "start", "First line, counted from 1").in_range(1, 100'000'000);
    f.optional(&P::end, "end", "Last line, inclusive").in_range(1, 100'000'000);
  }
  void check(FieldReader& reader) const {
    if (start && end && *start > *end) reader.problem("`start` is after `end`");
    if (path.contains('\0')) reader.problem("`path` cannot contain a NUL byte");
  }
};

Result<CodeRepository> find_repository(const CodeSetup& setup, const std::string& name) {
  std::vector<std::string> names;
  for (const CodeRepository& repository : setup.repositories) {
    if (repository.name == name) return repository;
    names.push_back(repository.name);
  }
  return fail(ErrorKind::not_found, fmt::format("there is no repository `{}`", cut_with_mark(name, 100)),
              "known repositories: " + list_names(names));
}

// Reads from the commit, not from the folder, so a link leads nowhere.
Task<Step> read(CodeSetup setup, CodeRepository repository, GetFileParams params, const CallContext& context) {
  auto text = co_await run_git(setup.programs, repository, {"cat-file", "blob", "HEAD:" + params.path}, {},
                               kMaxCodeFile, context.time_left());
  const std::string shown = fmt::format("`{}`", cut_with_mark(params.path, 200));
  if (!text && text.error().kind == ErrorKind::upstream) {
    co_return Error{ErrorKind::not_found, fmt::format("there is no file {} in `{}`", shown, repository.name),
                    "find it with search_code"};
  }
  if (!text) co_return std::move(text).error();
  auto job = [text = *std::move(text), shown, params, redact = context.redact](const std::stop_token&) {
    const std::string whole = text.contains('\0') ? text : toolkit::redact_or_withhold(text, redact);
    return lines_of_file(whole, shown, params.start, params.end);
  };
  co_return co_await text_on_worker(*setup.workers, context.time_left(), std::move(job));
}

}  // namespace

std::shared_ptr<const toolkit::Tool> get_file_tool(const CodeSetup& setup) {
  toolkit::ToolSpec spec = code_spec(setup, "get_file", 2,
                                     "Returns a file of a configured repository, or a range of its lines. Use it after "
                                     "search_code to read around a hit. Files up to 1 MB.");
  spec.topics = {.words = {"repository file", "file", "read", "repository", "repo"},
                 .examples = {"read {path} of repository {id}"},
                 .working = "Reading {path}"};
  spec.primary_param = "path";
  spec.path_rules_of = "read_file";
  return toolkit::make_tool<GetFileParams>(
      std::move(spec), [setup](const GetFileParams& params) -> Result<toolkit::Pipeline> {
        TRY(const CodeRepository repository, find_repository(setup, params.repo));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "read", .repeatable = true, .call = [=](CallContext& context) {
                         return read(setup, repository, params, context);
                       }});
        return pipeline;
      });
}

}  // namespace deputy::tools
