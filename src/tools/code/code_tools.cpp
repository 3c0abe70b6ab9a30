#include "tools/code/code_tools.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "toolkit/cut.h"
#include "tools/backend_choice.h"
#include "tools/code/repository.h"
#include "tools/code/settings.h"
#include "tools/common_steps.h"

namespace deputy::tools {

namespace {

constexpr std::string_view kLocal = "local";

}  // namespace

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
  if (setup.knowledge) spec.target["knowledge_base"] = setup.knowledge->target();
  if (setup.knowledge && !setup.usual.empty()) spec.target["backend"] = setup.usual;
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

void BedrockKbSettings::check_id(const std::string& id, FieldReader& reader) {
  const bool is_id = id.size() == 10 && std::ranges::all_of(id, is_letter_or_digit);
  if (!id.empty() && !is_id) reader.problem("this is not the id of a knowledge base", "write it like KB12345678");
}

void CodeToolsSettings::check(FieldReader& reader) const {
  check_backend(backend, {std::string(kBedrockKb), std::string(kLocal)}, reader);
}

// search_code = [ refresh, search ]; over a knowledge base [ retrieve ]

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
        .kind(toolkit::Kind::text);
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
  if (found.more) text += "… more files match: ask for more with `num_results`, or give rarer words\n";
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

constexpr std::size_t kMaxHitShown = 1500;

/// The path in an address, for the rules of read_file.
std::string_view path_of_place(std::string_view place) {
  const std::size_t scheme = place.find("://");
  if (scheme == std::string_view::npos) return place;
  const std::size_t slash = place.find('/', scheme + 3);
  return slash == std::string_view::npos ? std::string_view() : place.substr(slash + 1);
}

Task<Step> retrieve(CodeSetup setup, SearchCodeParams params, const CallContext& context) {
  const auto hits = co_await setup.knowledge->retrieve(params.query, params.num_results, context.time_left());
  if (!hits) co_return hits.error();
  std::string text;
  int shown = 0, left_out = 0;
  for (const KnowledgeHit& hit : *hits) {
    if (context.may_read && !context.may_read(path_of_place(hit.place), false)) {
      ++left_out;
      continue;
    }
    ++shown;
    const std::string content = toolkit::redact_or_withhold(to_valid_utf8(hit.text), context.redact_picked);
    text += fmt::format("{} (score {:.2f})\n{}\n", cut_with_mark(to_valid_utf8(hit.place), 300), hit.score,
                        cut_with_mark(trim(content), kMaxHitShown));
  }
  std::string verdict = shown == 0 ? "nothing in the knowledge base matches\n" : count_of(shown, "place") + "\n";
  if (left_out > 0) text += fmt::format("… left out by the rules of read_file: {}\n", count_of(left_out, "file"));
  co_return Output{verdict + text, {}};
}

/// False: the local repositories are searched. An error if both are set up and nothing says which.
Result<bool> uses_knowledge(const CodeSetup& setup) {
  std::vector<std::string> names;
  if (setup.knowledge) names.emplace_back(kBedrockKb);
  if (!setup.repositories.empty()) names.emplace_back(kLocal);
  if (names.empty()) return false;
  TRY(const std::string name, choose_backend({"code", "code_tools", setup.usual, ""}, names, nullptr));
  return name == kBedrockKb;
}

}  // namespace

std::shared_ptr<const toolkit::Tool> search_code_tool(const CodeSetup& setup) {
  toolkit::ToolSpec spec = code_spec(
      setup, "search_code", 2,
      "Searches the code of the configured repositories for identifiers and words. Returns repository, file, line "
      "numbers and the text around each hit, best first. Not a regular expression: `findUserById`, `retry payment`.");
  spec.primary_param = "query";
  spec.probe = {{"query", "error"}};
  spec.path_rules_of = "read_file";
  spec.topics = {.words = {"code", "codebase", "source", "function", "class", "implementation", "implemented",
                           "where do we", "where do they", "where does it"},
                 .examples = {"where is \"{text}\" in the code?", "search the code for {text}", "where do we {text}?"},
                 .working = "Searching code"};
  if (setup.knowledge) {
    if (setup.repositories.empty() || setup.usual == kBedrockKb) spec.missing.clear();
  } else if (!spec.missing.empty() && setup.repositories.empty()) {
    spec.missing += ", or tools.code_tools.bedrock_kb.id to a knowledge base of Amazon Bedrock";
  }
  return toolkit::make_tool<SearchCodeParams>(
      std::move(spec), [setup](const SearchCodeParams& params) -> Result<toolkit::Pipeline> {
        toolkit::Pipeline pipeline;
    TRY(const bool by_knowledge, uses_knowledge(setup));
        if (by_knowledge) {
          pipeline.then({.name = "retrieve", .repeatable = true, .call = [setup, params](CallContext& context) {
                           return retrieve(setup, params, context);
                         }});
          return pipeline;
        }
        pipeline
            .then({.name = "refresh",
                   .repeatable = true,
                   .call = [setup](CallContext& context) { return refresh(setup, context); }})
            .then({.name = "search", .repeatable = true, .call = [setup, params](CallContext& context) {
                     return search(setup, params, context);
                   }});
        return pipeline;
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
  if (setup.repositories.empty() && setup.knowledge)
    spec.missing = "get_file reads local repositories only; " + spec.missing;
  spec.topics = {.words = {"repository file", "file", "read", "repository", "repo"},
                 .examples = {"read {path} of repository {id}"},
                 .working = "Reading {path}"};
  if (!setup.repositories.empty()) spec.probe = {{"repo", setup.repositories.front().name}, {"path", "deputy-doctor"}};
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
