#include "tools/pipelines/bitbucket/bitbucket.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/rest/api.h"
#include "clients/rest/pages.h"
#include "tools/pipelines/bitbucket/objects.h"

namespace deputy::tools::pipelines::bitbucket {

namespace {

namespace rest = clients::rest;

constexpr std::size_t kPage = 100;        // Bitbucket gives no more at once
constexpr std::size_t kPrPage = 50;       // nor of pull requests
constexpr std::size_t kLookedBack = 100;  // runs that are searched for the last that succeeded
constexpr std::size_t kMaxCommits = 100;
constexpr std::size_t kMaxComments = 200;
constexpr std::size_t kMaxLog = 32UL << 20;

constexpr auto kMeanings = std::to_array<rest::Meaning>({
    {.status = 401,
     .kind = ErrorKind::authentication,
     .message = "it does not accept the credentials",
     .hint = "check tools.pipeline_tools.bitbucket.token (BITBUCKET_API_TOKEN): with an API token set .email "
             "(BITBUCKET_EMAIL) too, with an access token leave it out; app passwords no longer work"},
    {.status = 403,
     .kind = ErrorKind::permission,
     .message = "the token lacks a scope for this",
     .hint = "docs/backends/bitbucket.md lists the scopes"},
    {.status = 404,
     .kind = ErrorKind::not_found,
     .message = "there is no such thing, or the token cannot see it",
     .hint = "check the name, and that the token may read the repository (docs/backends/bitbucket.md)"},
});

class Bitbucket final : public PipelineStarter {
 public:
  Bitbucket(const BitbucketSettings& settings, net::HttpClient& http, const Clock& clock)
      : api_({.vendor = {.name = "Bitbucket",
                         .address_setting = "tools.pipeline_tools.bitbucket.url",
                         .token_setting = "tools.pipeline_tools.bitbucket.token (BITBUCKET_API_TOKEN)",
                         .meanings = kMeanings},
              .base_url = settings.url,
              .auth =
                  settings.email.empty() ? rest::bearer(settings.token) : rest::basic(settings.email, settings.token)},
             http, clock),
        workspace_(settings.workspace) {}

  std::string_view name() const override { return "bitbucket"; }
  json::object target() const override { return {{"url", api_.base_url()}, {"workspace", workspace_}}; }

  Task<Result<FoundRuns>> runs(std::string repo, std::size_t most, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const rest::Pages pages, co_await newest_pipelines(full, most, limit));
    FoundRuns found{.has_more = pages.has_more};
    found.runs.reserve(pages.items.size());
    for (const json::value& pipeline : pages.items) found.runs.push_back(run_of(pipeline, full));
    co_return found;
  }

  Task<Result<PipelineRun>> run(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const json::value pipeline, co_await read_pipeline(full, id, limit));
    co_return run_of(pipeline, full);
  }

  Task<Result<RunDetails>> details(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const json::value pipeline, co_await read_pipeline(full, id, limit));
    const std::string uuid = text_in(pipeline, "/uuid");
    RunDetails details{.run = run_of(pipeline, full)};
    CO_TRY(const std::string path, path_of(full, {"pipelines", uuid, "steps"}));
    CO_TRY(const rest::Pages steps, co_await pages_of(path + "/", {}, kPage, kPage, limit));
    if (steps.has_more) details.notes.push_back(fmt::format("steps after the first {}", kPage));
    std::string failed;
    for (const json::value& step : steps.items) {
      details.jobs.push_back(step_of(step));
      if (details.jobs.back().state != RunState::failed || !failed.empty()) continue;
      failed = text_in(step, "/uuid");
      details.log_of = details.jobs.back().name;
    }
    if (failed.empty()) co_return details;
    CO_TRY(const std::string log_path, path_of(full, {"pipelines", uuid, "steps", failed, "log"}));
    const Result<net::Response> log = co_await api_.send({.path = log_path,
                                                          .headers = {{"Accept", "*/*"}, {"Range", "bytes=-20000"}},
                                                          .redirects = rest::Redirects::anywhere,
                                                          .limit = limit,
                                                          .most = kMaxLog});
    if (log) details.log = std::string(end_of(log->body));
    if (!log) details.notes.push_back(fmt::format("the log of {}: {}", details.log_of, log.error().message));
    co_return details;
  }

  Task<Result<FoundPullRequests>> open_pull_requests(std::string repo, std::size_t most, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const std::string path, path_of(full, {"pullrequests"}));
    CO_TRY(const rest::Pages pages,
           co_await pages_of(path, {{"state", "OPEN"}, {"sort", "-updated_on"}}, kPrPage, most, limit));
    FoundPullRequests found{.has_more = pages.has_more};
    for (const json::value& pull : pages.items) found.pull_requests.push_back(pull_request_of(pull));
    co_return found;
  }

  Task<Result<PullRequestDetails>> pull_request(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const std::string path, path_of(full, {"pullrequests", id}));
    CO_TRY(const json::value pull, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(pull, "/id", "a pull request"));
    PullRequestDetails details{.pull_request = pull_request_of(pull),
                               .description = text_in(pull, "/summary/raw"),
                               .reviewers = reviewers_of(pull)};
    CO_TRY(const rest::Pages files, co_await pages_of(path + "/diffstat", {}, kPage, kPage, limit));
    for (const json::value& file : files.items) details.files.push_back(file_of(file));
    details.all_files = std::ssize(files.items);
    if (files.has_more) details.notes.push_back(fmt::format("files after the first {}", kPage));
    CO_TRY(const rest::Pages comments,
           co_await pages_of(path + "/comments", {{"sort", "-created_on"}}, kPage, kMaxComments, limit));
    if (comments.has_more) details.notes.push_back(fmt::format("comments before the last {}", kMaxComments));
    for (const json::value& comment : comments.items) {
      if (!is_true_in(comment, "/deleted")) details.comments.push_back(comment_of(comment));
    }
    sort_by_time(details.comments);
    const Result<rest::Pages> statuses = co_await pages_of(path + "/statuses", {}, kPage, kPage, limit);
    if (!statuses) details.notes.push_back(fmt::format("checks: {}", statuses.error().message));
    if (statuses && statuses->has_more) details.notes.push_back(fmt::format("checks after the first {}", kPage));
    for (const json::value& status : statuses ? statuses->items : json::array())
      details.checks.push_back(status_of(status));
    co_return details;
  }

  Task<Result<RepositoryFacts>> repository(std::string repo, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const std::string path, path_of(full, {}));
    CO_TRY(const json::value repository, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(repository, "/full_name", "a repository"));
    co_return repository_of(repository);
  }

  Task<Result<Ref>> ref(std::string repo, std::string name, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    for (const auto& [kind, list] : {std::pair(Ref::Kind::branch, "branches"), std::pair(Ref::Kind::tag, "tags")}) {
      CO_TRY(const std::string path, path_of(full, {"refs", list, name}));
      const Result<json::value> found = co_await api_.call({.path = path, .limit = limit});
      if (!found && found.error().kind == ErrorKind::not_found) continue;
      if (!found) co_return std::unexpected(found.error());
      CO_TRY(check_is(*found, "/target/hash", "a branch or tag"));
      co_return Ref{name, kind, commit_of(*find_in(*found, "/target"))};
    }
    CO_TRY((co_await repository(full, limit)));
    co_return fail(ErrorKind::not_found, fmt::format("{} has no branch or tag `{}`", full, cut_with_mark(name, 100)),
                   "check its name; a commit cannot be run by itself");
  }

  // Bitbucket lists no custom pipelines; it refuses one that is not there when it is started.
  Task<Result<NamedPipeline>> pipeline(std::string, std::string wanted, Limit) override {
    co_return NamedPipeline{wanted, wanted};
  }

  Task<Result<std::optional<PipelineRun>>> last_success(std::string repo, NamedPipeline pipeline,
                                                        Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const rest::Pages pages, co_await newest_pipelines(full, kLookedBack, limit));
    for (const json::value& one : pages.items) {
      PipelineRun run = run_of(one, full);
      if (run.state == RunState::succeeded && run.pipeline == pipeline.id) co_return run;
    }
    co_return std::nullopt;
  }

  Task<Result<Changes>> changes(std::string repo, std::string from, std::string to, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const rest::Pages ahead, co_await commits_between(full, from, to, limit));
    CO_TRY(const rest::Pages behind, co_await commits_between(full, to, from, limit));
    Changes changes{.ahead = std::ssize(ahead.items) + (ahead.has_more ? 1 : 0),
                    .behind = std::ssize(behind.items) + (behind.has_more ? 1 : 0)};
    for (const json::value& commit : ahead.items) changes.commits.push_back(commit_of(commit));
    co_return changes;
  }

  // It starts the commit that was approved, also if the branch moves meanwhile.
  Task<Result<std::string>> start(Start start, Limit limit) override {
    CO_TRY(const std::string full, full_name(start.repo));
    CO_TRY(const std::string path, path_of(full, {"pipelines"}));
    json::object target{{"type", "pipeline_ref_target"},
                        {"ref_type", start.ref.kind == Ref::Kind::branch ? "branch" : "tag"},
                        {"ref_name", start.ref.name},
                        {"commit", json::object{{"type", "commit"}, {"hash", start.ref.commit.hash}}}};
    if (!start.pipeline.id.empty())
      target["selector"] = json::object{{"type", "custom"}, {"pattern", start.pipeline.id}};
    json::object body{{"target", std::move(target)}};
    json::array variables;
    for (const auto& [key, value] : start.variables) variables.push_back(json::object{{"key", key}, {"value", value}});
    if (!variables.empty()) body["variables"] = std::move(variables);
    CO_TRY(const json::value begun,
           co_await api_.call({.method = "POST", .path = path + "/", .body = body, .limit = limit}));
    co_return text_in(begun, "/build_number");
  }

  Task<Result<std::vector<StartedRun>>> started(Start start, Timestamp since, Limit limit) override {
    CO_TRY(const std::string full, full_name(start.repo));
    CO_TRY(const rest::Pages pages, co_await newest_pipelines(full, kLookedBack, limit));
    std::vector<const json::value*> fitting;
    for (const json::value& one : pages.items) {
      const PipelineRun run = run_of(one, full);
      const bool fits = run.pipeline == start.pipeline.id && run.commit == start.ref.commit.hash &&
                        run.ref == start.ref.name && run.started && *run.started >= since &&
                        to_lower(text_in(one, "/trigger/name")) != "push";
      if (fits) fitting.push_back(&one);
    }
    std::vector<StartedRun> started;
    if (fitting.empty()) co_return started;
    const Result<json::value> account = co_await api_.call({.path = "user", .limit = limit});
    const std::string uuid = account ? text_in(*account, "/uuid") : std::string();
    for (const json::value* one : fitting)
      started.push_back({run_of(*one, full), !uuid.empty() && text_in(*one, "/creator/uuid") == uuid});
    co_return started;
  }

  Task<Result<>> stop(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string full, full_name(repo));
    CO_TRY(const json::value pipeline, co_await read_pipeline(full, id, limit));
    CO_TRY(const std::string path, path_of(full, {"pipelines", text_in(pipeline, "/uuid"), "stopPipeline"}));
    const Result<net::Response> stopped = co_await api_.send({.method = "POST", .path = path, .limit = limit});
    if (stopped) co_return Result<>{};
    Error error = stopped.error();
    if (error.kind == ErrorKind::invalid_input) error.kind = ErrorKind::conflict;  // it has ended
    co_return std::unexpected(std::move(error));
  }

  Task<Result<std::string>> diagnose(Limit limit) override {
    if (workspace_.empty()) {
      CO_TRY(const json::value user, co_await api_.call({.path = "user", .limit = limit}));
      CO_TRY(check_is(user, "/display_name", "its account"));
      co_return fmt::format("Bitbucket at {} as {}", api_.base_url(),
                            cut_with_mark(text_in(user, "/display_name"), 60));
    }
    CO_TRY(const std::string path, rest::path_of({"repositories", workspace_}));
    CO_TRY(const rest::Pages pages, co_await pages_of(path, {}, 1, 1, limit));
    co_return fmt::format("Bitbucket at {}: {} of workspace {}", api_.base_url(),
                          pages.items.empty() ? "no repository" : "repositories", workspace_);
  }

 private:
  using Query = std::vector<net::FormField>;

  Result<std::string> full_name(const std::string& repo) const {
    const std::size_t slash = repo.find('/');
    if (slash == std::string::npos && !repo.empty() && !workspace_.empty()) return workspace_ + "/" + repo;
    const bool is_full = slash != std::string::npos && slash > 0 && slash + 1 < repo.size() &&
                         repo.find('/', slash + 1) == std::string::npos;
    if (is_full) return repo;
    return fail(ErrorKind::invalid_input,
                fmt::format("`{}` is neither a known service nor a repository of Bitbucket", cut_with_mark(repo, 100)),
                "write it as workspace/name, or set tools.pipeline_tools.bitbucket.workspace");
  }

  static Result<std::string> path_of(const std::string& full, std::initializer_list<std::string_view> behind) {
    const std::size_t slash = full.find('/');
    TRY(std::string path, rest::path_of({"repositories", full.substr(0, slash), full.substr(slash + 1)}));
    if (behind.size() == 0) return path;
    TRY(const std::string more, rest::path_of(behind));
    return path + "/" + more;
  }

  Result<> check_is(const json::value& document, std::string_view pointer, std::string_view what) const {
    if (!text_in(document, pointer).empty()) return {};
    return std::unexpected(rest::unusable(api_.vendor(), fmt::format("did not answer with {}", what)));
  }

  static std::string_view end_of(std::string_view log) {
    constexpr std::size_t kEnd = 20'000;
    return log.size() > kEnd ? log.substr(log.size() - kEnd) : log;
  }

  Task<Result<rest::Pages>> pages_of(std::string path, Query query, std::size_t page, std::size_t most, Limit limit) {
    query.push_back({"pagelen", std::to_string(std::min(page, most))});
    rest::Call call{.path = std::move(path), .query = std::move(query), .limit = limit};
    co_return co_await rest::read_pages(api_, std::move(call), "/values", rest::next_by_url("/next"), most);
  }

  // Without a sort the oldest come first.
  Task<Result<rest::Pages>> newest_pipelines(std::string full, std::size_t most, Limit limit) {
    CO_TRY(const std::string path, path_of(full, {"pipelines"}));
    co_return co_await pages_of(path + "/", {{"sort", "-created_on"}}, kPage, most, limit);
  }

  /// `id` is a build number or a uuid.
  Task<Result<json::value>> read_pipeline(std::string full, std::string id, Limit limit) {
    CO_TRY(const std::string path, path_of(full, {"pipelines", id}));
    CO_TRY(const json::value pipeline, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(pipeline, "/build_number", "a pipeline"));
    co_return pipeline;
  }

  /// What `to` has and `from` has not, newest first.
  Task<Result<rest::Pages>> commits_between(std::string full, std::string from, std::string to, Limit limit) {
    CO_TRY(const std::string path, path_of(full, {"commits"}));
    co_return co_await pages_of(path, {{"include", std::move(to)}, {"exclude", std::move(from)}}, kPage, kMaxCommits,
                                limit);
  }

  rest::Api api_;
  std::string workspace_;
};

}  // namespace

std::shared_ptr<PipelineStarter> make(const BitbucketSettings& settings, net::HttpClient& http, const Clock& clock) {
  if (settings.token.empty()) return nullptr;
  return std::make_shared<Bitbucket>(settings, http, clock);
}

}  // namespace deputy::tools::pipelines::bitbucket
