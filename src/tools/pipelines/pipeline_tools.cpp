#include "tools/pipelines/pipeline_tools.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/pipelines/bitbucket/bitbucket.h"
#include "tools/pipelines/files/files.h"
#include "tools/pipelines/github/github.h"
#include "tools/pipelines/report.h"

namespace deputy::tools {

void PipelineToolsSettings::check(FieldReader& reader) const {
  check_backend(backend, {"bitbucket", "files", "github"}, reader);
}

}  // namespace deputy::tools

namespace deputy::tools::pipelines {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kCounted = 30;          // runs that a status counts
constexpr milliseconds kLongestPoll{15'000};  // between looks at a run that is waited for
constexpr milliseconds kToAnswer{10'000};     // kept for the last look at it
constexpr milliseconds kRead{30'000};         // for one read

class WithRepository final : public toolkit::Tool {
 public:
  WithRepository(pipelines::Tool tool, Settle settle) : tool_(std::move(tool)), settle_(std::move(settle)) {}

  const toolkit::ToolSpec& spec() const override { return tool_->spec(); }
  Result<json::object> complete_arguments(const json::object& arguments) const override {
    json::object given = arguments;
    if (json::value* repo = given.if_contains("repo"); repo != nullptr && repo->is_string())
      *repo = repository_name(as_view(repo->get_string()));
    if (settle_) TRY(settle_(given));
    return tool_->complete_arguments(given);
  }
  std::vector<Problem> problems_of(const json::object& some_arguments) const override {
    return tool_->problems_of(some_arguments);
  }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object& arguments) const override {
    return tool_->compose(arguments);
  }

  pipelines::Tool tool_;
  Settle settle_;
};

/// The service of this name, else the only one whose repository this is; null if there is none.
const Service* service_of(const ServiceList& list, const std::string& named) {
  if (const Service* service = list.find(named)) return service;
  const Service* found = nullptr;
  for (const Service& service : list.services()) {
    if (service.repo.empty() || repository_name(service.repo) != named) continue;
    if (found != nullptr) return nullptr;
    found = &service;
  }
  return found;
}

template <class Backend>
Task<Result<Place<Backend>>> find_place(Parts parts, Backends<Backend> backends, std::string named) {
  // Without a backend nothing else of the call matters.
  if (backends.all().empty()) CO_TRY(backends.choose());
  std::shared_ptr<const ServiceList> list;
  if (parts->registry && parts->registry->configured()) list = (co_await parts->registry->current()).value_or(nullptr);
  const Service* service = list ? service_of(*list, named) : nullptr;
  if (service != nullptr && service->repo.empty())
    co_return fail(ErrorKind::not_found, fmt::format("the registry names no repository of `{}`", service->key),
                   "add its `repo` to the services file, or name the repository itself, such as acme/shop");
  CO_TRY(std::shared_ptr<Backend> backend, backends.choose(service));
  co_return Place<Backend>{service != nullptr ? repository_name(service->repo) : named, std::move(backend)};
}

milliseconds time_to_read(const toolkit::CallContext& context) { return std::min(kRead, context.time_left()); }

/// A chain of one handler that reads.
template <class Params, class Read>
toolkit::Pipeline reading(const Parts& parts, const Params& params, Read read) {
  toolkit::Pipeline pipeline;
  pipeline.then({.name = "read", .repeatable = true, .call = [parts, params, read](toolkit::CallContext& context) {
                   return as_step(read(parts, params, context));
                 }});
  return pipeline;
}

/// A tool of one handler that reads; `repo` in one spelling.
template <class Params, class Read>
Tool reader(const Parts& parts, toolkit::ToolSpec spec, Read read) {
  spec.target = parts->backends.all.target();
  spec.missing = parts->backends.all.missing();
  return with_repository(toolkit::make_tool<Params>(
      std::move(spec),
      [parts, read](const Params& params) -> Result<toolkit::Pipeline> { return reading(parts, params, read); }));
}

// get_pipeline_status = [ read ]

struct StatusParams {
  std::string repo;
  int limit = 5;

  template <class Fields>
  static void fields(Fields& f) {
    using P = StatusParams;
    repo_field<P>(f);
    f.optional(&P::limit, "limit", "How many runs to list").in_range(1, 50).kind(toolkit::Kind::count);
  }
};

Task<Result<toolkit::Step>> read_status(Parts parts, StatusParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineBackend> place, co_await place_of(parts, params.repo));
  const auto told = static_cast<std::size_t>(params.limit);
  StatusReport status{.repo = place.repo, .told = told};
  const std::size_t most = std::max(kCounted, told);
  CO_TRY(status.found, co_await place.backend->runs(place.repo, most, time_to_read(context)));
  co_return report(status, parts->clock->now(), context.redact_picked);
}

Tool get_pipeline_status(const Parts& parts) {
  toolkit::ToolSpec spec = pipeline_spec("get_pipeline_status",
                                         "Lists the newest pipeline runs (CI builds, deploys) of a repository or "
                                         "service: outcome, branch, commit, who and when, with links, and counts by "
                                         "outcome. Older failed ones are listed too.",
                                         toolkit::Effect::read);
  spec.topics = {
      .words = {"pipelines", "failed pipelines", "pipeline status", "builds", "deploys", "deployments", "ci"},
      .examples = {"pipelines of {service}", "failed pipelines of {service}", "last builds of {service}"},
      .working = "Looking at pipelines of {service}"};
  return reader<StatusParams>(parts, std::move(spec), read_status);
}

// get_pipeline_details = [ read ]

struct DetailsParams {
  std::string repo;
  std::string pipeline_id;
  bool wait = false;

  template <class Fields>
  static void fields(Fields& f) {
    using P = DetailsParams;
    repo_field<P>(f);
    pipeline_id_field<P>(f);
    f.optional(&P::wait, "wait", "Wait until the run has ended, or the time of the call is over");
  }
};

Task<Result<toolkit::Step>> read_details(Parts parts, DetailsParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineBackend> place, co_await place_of(parts, params.repo));
  milliseconds pause = parts->poll;
  std::string last_said;
  while (params.wait) {
    const Result<PipelineRun> run = co_await place.backend->run(place.repo, params.pipeline_id, time_to_read(context));
    // A read that fails for a moment does not end the wait of an hour.
    if (!run && !run.error().retryable) co_return run.error();
    const bool is_over = (run && has_ended(run->state)) || context.time_left() < pause + kToAnswer;
    if (is_over) break;
    std::string said = run ? fmt::format("{} {} is {}\n", place.repo, run->id, name(run->state))
                           : fmt::format("{}: {}\n", place.repo, run.error().message);
    if (said != last_said) context.emit(said);
    last_said = std::move(said);
    co_await sleep_for(pause);
    pause = std::min(pause * 2, kLongestPoll);
  }
  CO_TRY(const RunDetails details,
         co_await place.backend->details(place.repo, params.pipeline_id, time_to_read(context)));
  co_return report(place.repo, details, context.redact_picked);
}

Tool get_pipeline_details(const Parts& parts) {
  toolkit::ToolSpec spec = pipeline_spec("get_pipeline_details",
                                         "Shows one pipeline run: its jobs and steps, which of them failed, and the "
                                         "end of the log of the first that failed. With `wait` it answers when the "
                                         "run has ended.",
                                         toolkit::Effect::read);
  spec.timeout = toolkit::kMaxTimeout;
  spec.probe = {{"pipeline_id", "1"}};
  spec.topics = {.words = {"pipeline", "details of pipeline", "pipeline run", "build log"},
                 .examples = {"details of pipeline {id} of {service}"},
                 .working = "Reading a pipeline of {service}"};
  return reader<DetailsParams>(parts, std::move(spec), read_details);
}

// list_open_prs = [ read ]

struct OpenPrsParams {
  std::string repo;
  int limit = 5;

  template <class Fields>
  static void fields(Fields& f) {
    using P = OpenPrsParams;
    repo_field<P>(f);
    f.optional(&P::limit, "limit", "How many to list").in_range(1, 50).kind(toolkit::Kind::count);
  }
};

Task<Result<toolkit::Step>> read_open_prs(Parts parts, OpenPrsParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineBackend> place, co_await place_of(parts, params.repo));
  const auto most = static_cast<std::size_t>(params.limit);
  CO_TRY(const FoundPullRequests found,
         co_await place.backend->open_pull_requests(place.repo, most, time_to_read(context)));
  co_return report(place.repo, found, context.redact_picked);
}

Tool list_open_prs(const Parts& parts) {
  toolkit::ToolSpec spec = pipeline_spec("list_open_prs",
                                         "Lists the open pull requests of a repository or service, the last updated "
                                         "first: title, author, branches and link.",
                                         toolkit::Effect::read);
  spec.topics = {.words = {"pull requests", "prs", "open prs", "open pull requests"},
                 .examples = {"open prs of {service}", "which pull requests are open in {service}?"},
                 .working = "Looking at pull requests of {service}"};
  return reader<OpenPrsParams>(parts, std::move(spec), read_open_prs);
}

// get_pr_details = [ read ]

struct PrParams {
  std::string repo;
  std::string pr_id;

  template <class Fields>
  static void fields(Fields& f) {
    using P = PrParams;
    repo_field<P>(f);
    f.required(&P::pr_id, "pr_id", "The number of the pull request, such as 42")
        .characters(1, 20)
        .kind(toolkit::Kind::id);
  }
};

Task<Result<toolkit::Step>> read_pr(Parts parts, PrParams params, const toolkit::CallContext& context) {
  std::string_view number = trim(params.pr_id);
  if (number.starts_with('#')) number.remove_prefix(1);
  if (number.empty() || !std::ranges::all_of(number, is_digit))
    co_return fail(ErrorKind::invalid_input, "this is not the number of a pull request",
                   "use a number, as list_open_prs lists them");
  CO_TRY(const Place<PipelineBackend> place, co_await place_of(parts, params.repo));
  CO_TRY(const PullRequestDetails details,
         co_await place.backend->pull_request(place.repo, std::string(number), time_to_read(context)));
  co_return report(details, context.redact_picked);
}

Tool get_pr_details(const Parts& parts) {
  toolkit::ToolSpec spec = pipeline_spec("get_pr_details",
                                         "Shows one pull request: reviewers and what they said, checks, changed files, "
                                         "description and comments.",
                                         toolkit::Effect::read);
  spec.probe = {{"pr_id", "1"}};
  spec.topics = {.words = {"pull request", "pr"},
                 .examples = {"show pull request {id} of {service}"},
                 .working = "Reading a pull request of {service}"};
  return reader<PrParams>(parts, std::move(spec), read_pr);
}

// get_repo = [ read ]

struct RepoParams {
  std::string repo;

  template <class Fields>
  static void fields(Fields& f) {
    repo_field<RepoParams>(f);
  }
};

Task<Result<toolkit::Step>> read_repo(Parts parts, RepoParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineBackend> place, co_await place_of(parts, params.repo));
  CO_TRY(const RepositoryFacts facts, co_await place.backend->repository(place.repo, time_to_read(context)));
  co_return report(facts, context.redact_picked);
}

Tool get_repo(const Parts& parts) {
  toolkit::ToolSpec spec = pipeline_spec("get_repo",
                                         "Shows what a repository is: description, default branch, language, private "
                                         "or archived, and its link.",
                                         toolkit::Effect::read);
  spec.topics = {.words = {"repository", "repo"},
                 .examples = {"show the repository of {service}"},
                 .working = "Looking at the repository of {service}"};
  return reader<RepoParams>(parts, std::move(spec), read_repo);
}

}  // namespace

PipelineBackends make_pipeline_backends(const PipelineToolsSettings& settings, net::HttpClient& http,
                                        const Clock& clock, Workers& workers) {
  std::vector<std::shared_ptr<PipelineStarter>> starters;
  if (auto made = github::make(settings.github, http, clock)) starters.push_back(std::move(made));
  if (auto made = bitbucket::make(settings.bitbucket, http, clock)) starters.push_back(std::move(made));
  std::vector<std::shared_ptr<PipelineBackend>> all(starters.begin(), starters.end());
  if (!settings.files.file.empty()) all.push_back(make_file_pipelines(settings.files.file, workers));
  const BackendChoice choice{.family = "pipelines",
                             .category = "pipeline_tools",
                             .usual = settings.backend,
                             .missing =
                                 "tools.pipeline_tools.github.token (GITHUB_TOKEN) or "
                                 "tools.pipeline_tools.bitbucket.token (BITBUCKET_API_TOKEN)"};
  return {Backends<PipelineBackend>(choice, std::move(all)), Backends<PipelineStarter>(choice, std::move(starters))};
}

toolkit::ToolSpec pipeline_spec(std::string name, std::string description, toolkit::Effect effect) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "pipeline_tools",
          .effect = effect,
          .primary_param = "repo",
          .pins = {"repo"},
          .timeout = std::chrono::seconds(60)};
}

Tool with_repository(Tool tool, Settle settle) {
  return std::make_shared<WithRepository>(std::move(tool), std::move(settle));
}

Task<Result<Place<PipelineBackend>>> place_of(Parts parts, std::string named) {
  return find_place(parts, parts->backends.all, std::move(named));
}

Task<Result<Place<PipelineStarter>>> place_to_start(Parts parts, std::string named) {
  return find_place(parts, parts->backends.starters, std::move(named));
}

std::string repository_name(std::string_view text) {
  text = trim(text);
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    const std::size_t slash = text.find('/', scheme + 3);
    text = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  } else if (text.starts_with("git@")) {
    const std::size_t colon = text.find(':');
    text = colon == std::string_view::npos ? text : text.substr(colon + 1);
  }
  const std::size_t owner = text.find('/');
  const std::size_t behind = owner == std::string_view::npos ? owner : text.find('/', owner + 1);
  text = text.substr(0, behind);
  if (text.ends_with(".git")) text.remove_suffix(4);
  return to_lower(text);
}

std::vector<Tool> pipeline_tools(PipelineToolParts given) {
  const Parts parts = std::make_shared<const PipelineToolParts>(std::move(given));
  return {get_pipeline_status(parts),
          get_pipeline_details(parts),
          list_open_prs(parts),
          get_pr_details(parts),
          get_repo(parts),
          run_pipeline(parts),
          stop_pipeline(parts)};
}

}  // namespace deputy::tools::pipelines
