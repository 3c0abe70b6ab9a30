// get_file = [ read ]
#include <fmt/format.h>

#include "base/text.h"
#include "tools/code/code.h"
#include "tools/code/repository.h"
#include "tools/lines.h"

namespace deputy::tools {

namespace {

using toolkit::CallContext;
using toolkit::Output;
using toolkit::Step;

struct GetFileParams {
  std::string repo;
  std::string path;
  std::optional<int> start;
  std::optional<int> end;

  template <class Fields>
  static void fields(Fields& f) {
    using P = GetFileParams;
    f.required(&P::repo, "repo", "The repository's name").characters(1, 200).kind(toolkit::Kind::id);
    f.required(&P::path, "path", "The file, from the top of the repository")
        .characters(1, 4000)
        .kind(toolkit::Kind::path);
    f.optional(&P::start, "start", "The first line, counted from 1").in_range(1, 100'000'000);
    f.optional(&P::end, "end", "The last line").in_range(1, 100'000'000);
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
              "there are " + list_names(names));
}

// From the commit, not from the folder: a link in it leads nowhere.
Task<Step> read(CodeSetup setup, CodeRepository repository, GetFileParams params, const CallContext& context) {
  auto text = co_await run_git(setup.programs, repository, {"cat-file", "blob", "HEAD:" + params.path}, {},
                               kMostOfAFile, context.time_left());
  const std::string shown = fmt::format("`{}`", cut_with_mark(params.path, 200));
  if (!text && text.error().kind == ErrorKind::upstream) {
    co_return Error{ErrorKind::not_found, fmt::format("there is no file {} in `{}`", shown, repository.name),
                    "find it with search_code"};
  }
  if (!text) co_return std::move(text).error();
  auto lines = lines_of_file(*text, shown, params.start, params.end);
  if (!lines) co_return std::move(lines).error();
  co_return Output{*std::move(lines), {}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> get_file_tool(const CodeSetup& setup) {
  toolkit::ToolSpec spec = code_spec(setup, "get_file", "Reads a file of a known repository, or some of its lines");
  spec.topics = {.words = {"repository file", "file", "read", "repository", "repo"},
                 .examples = {"read {path} of repository {id}"},
                 .working = "Reading {path}"};
  spec.primary_param = "path";
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
