#include "tools/pipelines/github/github.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/rest/api.h"
#include "clients/rest/pages.h"
#include "tools/pipelines/github/objects.h"

namespace deputy::tools::pipelines::github {

namespace {

namespace rest = clients::rest;

constexpr std::size_t kPage = 100;     // GitHub gives no more at once
constexpr std::size_t kMaxJobs = 300;  // a matrix has up to 256
constexpr std::size_t kMaxComments = 200;
constexpr std::size_t kMaxLog = 32UL << 20;

constexpr std::string_view kSecondaryLimit = "secondary rate limit";

constexpr auto kMeanings = std::to_array<rest::Meaning>({
    {.code = kSecondaryLimit, .kind = ErrorKind::rate_limit},
    {.status = 410,
     .kind = ErrorKind::not_found,
     .message = "GitHub does not keep it any more",
     .hint = "logs are deleted after a time, 90 days unless the repository says otherwise"},
    {.status = 404,
     .kind = ErrorKind::not_found,
     .message = "there is no such thing, or the token cannot see it",
     .hint = "check the name; a private repository must be among those of the token (docs/backends/github.md)"},
    {.status = 409,
     .kind = ErrorKind::conflict,
     .hint = "look at the run with get_pipeline_details: it may have ended"},
});

/// What GitHub calls its secondary rate limit it says in words only, and not always with a header.
rest::VendorError error_of(const net::Response& refused) {
  rest::VendorError error = rest::read_vendor_error(refused.body);
  if (to_lower(error.message).contains(kSecondaryLimit)) error.code = kSecondaryLimit;
  return error;
}

struct Repo {
  std::string owner;
  std::string name;
};

Result<Repo> parse_repo(const std::string& text) {
  const std::size_t slash = text.find('/');
  const bool is_name = slash != std::string::npos && slash > 0 && slash + 1 < text.size() &&
                       text.find('/', slash + 1) == std::string::npos;
  if (is_name) return Repo{text.substr(0, slash), text.substr(slash + 1)};
  return fail(ErrorKind::invalid_input,
              fmt::format("`{}` is neither a known service nor a repository of GitHub", cut_with_mark(text, 100)),
              "write it as owner/name, or use a service that list_services lists");
}

Result<std::string> path_of(const std::string& repo, std::initializer_list<std::string_view> rest_of_path) {
  TRY(const Repo parsed, parse_repo(repo));
  TRY(std::string path, rest::path_of({"repos", parsed.owner, parsed.name}));
  if (rest_of_path.size() == 0) return path;
  TRY(const std::string behind, rest::path_of(rest_of_path));
  return path + "/" + behind;
}

std::string file_of(const json::value& workflow) {
  const std::string path = text_in(workflow, "/path");
  return path.substr(path.rfind('/') + 1);
}

/// By file, its name without the ending, or the name that people see.
bool is_named(const json::value& workflow, std::string_view wanted) {
  const std::string file = to_lower(file_of(workflow));
  const std::string word = to_lower(trim(wanted));
  return file == word || file.substr(0, file.rfind('.')) == word || to_lower(text_in(workflow, "/name")) == word;
}

class GitHub final : public PipelineStarter {
 public:
  GitHub(const GitHubSettings& settings, net::HttpClient& http, const Clock& clock)
      : api_({.vendor = {.name = "GitHub",
                         .address_setting = "tools.pipeline_tools.github.url",
                         .token_setting = "tools.pipeline_tools.github.token (GITHUB_TOKEN)",
                         .meanings = kMeanings,
                         .rights_header = "x-accepted-github-permissions",
                         .read_error = error_of},
              .base_url = settings.url,
              .auth = rest::bearer(settings.token),
              .headers = {{"Accept", "application/vnd.github+json"}, {"X-GitHub-Api-Version", "2022-11-28"}}},
             http, clock) {}

  std::string_view name() const override { return "github"; }
  json::object target() const override { return {{"url", api_.base_url()}}; }

  Task<Result<FoundRuns>> runs(std::string repo, std::size_t most, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"actions", "runs"}));
    co_return co_await list_runs(path, {}, most, limit);
  }

  Task<Result<PipelineRun>> run(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"actions", "runs", id}));
    CO_TRY(const json::value run, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(run, "/id", "a workflow run"));
    co_return run_of(run);
  }

  Task<Result<RunDetails>> details(std::string repo, std::string id, Limit limit) override {
    CO_TRY(RunDetails details, as_details(co_await run(repo, id, limit)));
    CO_TRY(const std::string path, path_of(repo, {"actions", "runs", details.run.id, "jobs"}));
    CO_TRY(const rest::Pages pages, co_await pages_of(path, {{"filter", "latest"}}, "/jobs", kMaxJobs, limit));
    if (pages.has_more) details.notes.push_back(fmt::format("jobs after the first {}", pages.items.size()));
    std::string failed;
    for (const json::value& job : pages.items) {
      details.jobs.push_back(job_of(job));
      if (details.jobs.back().state != RunState::failed || !failed.empty()) continue;
      failed = text_in(job, "/id");
      details.log_of = details.jobs.back().name;
    }
    if (failed.empty()) co_return details;
    const Result<std::string> log = co_await log_of_job(repo, failed, limit);
    if (log) details.log = *log;
    if (!log) details.notes.push_back(fmt::format("the log of {}: {}", details.log_of, log.error().message));
    co_return details;
  }

  Task<Result<FoundPullRequests>> open_pull_requests(std::string repo, std::size_t most, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"pulls"}));
    CO_TRY(const rest::Pages pages,
           co_await pages_of(path, {{"state", "open"}, {"sort", "updated"}, {"direction", "desc"}}, "", most, limit));
    FoundPullRequests found{.has_more = pages.has_more};
    for (const json::value& pull : pages.items) found.pull_requests.push_back(pull_request_of(pull));
    co_return found;
  }

  Task<Result<PullRequestDetails>> pull_request(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"pulls", id}));
    CO_TRY(const json::value pull, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(pull, "/number", "a pull request"));
    PullRequestDetails details{.pull_request = pull_request_of(pull),
                               .description = text_in(pull, "/body"),
                               .merge = merge_of(pull),
                               .all_files = whole_in(pull, "/changed_files").value_or(0)};
    CO_TRY(const rest::Pages reviews, co_await pages_of(path + "/reviews", {}, "", kMaxComments, limit));
    details.reviewers = reviewers_of(pull, reviews.items);
    if (reviews.has_more) details.notes.push_back(fmt::format("reviews after the first {}", kMaxComments));
    CO_TRY(const rest::Pages files, co_await pages_of(path + "/files", {}, "", kPage, limit));
    for (const json::value& file : files.items)
      details.files.push_back({text_in(file, "/filename"), text_in(file, "/status"),
                               whole_in(file, "/additions").value_or(0), whole_in(file, "/deletions").value_or(0)});
    CO_TRY(co_await read_comments(details, repo, id, limit));
    co_await read_checks(details, repo, text_in(pull, "/head/sha"), limit);
    co_return details;
  }

  Task<Result<RepositoryFacts>> repository(std::string repo, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {}));
    CO_TRY(const json::value repository, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(repository, "/full_name", "a repository"));
    co_return repository_of(repository);
  }

  Task<Result<Ref>> ref(std::string repo, std::string name, Limit limit) override {
    for (const auto& [kind, before] : {std::pair(Ref::Kind::branch, "heads/"), std::pair(Ref::Kind::tag, "tags/")}) {
      CO_TRY(const std::string path, path_of(repo, {"commits", before + name}));
      const Result<json::value> commit = co_await api_.call({.path = path, .limit = limit});
      if (commit) {
        CO_TRY(check_is(*commit, "/sha", "a commit"));
        co_return Ref{name, kind, commit_of(*commit)};
      }
      // A branch that is not there is 422 where the repository is.
      const ErrorKind why = commit.error().kind;
      if (why != ErrorKind::not_found && why != ErrorKind::invalid_input) co_return std::unexpected(commit.error());
    }
    CO_TRY((co_await repository(repo, limit)));
    co_return fail(ErrorKind::not_found, fmt::format("{} has no branch or tag `{}`", repo, cut_with_mark(name, 100)),
                   "check its name; a commit cannot be run by itself");
  }

  Task<Result<NamedPipeline>> pipeline(std::string repo, std::string wanted, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"actions", "workflows"}));
    CO_TRY(const rest::Pages pages, co_await pages_of(path, {}, "/workflows", kPage, limit));
    std::vector<const json::value*> fitting;
    std::vector<std::string> names;
    for (const json::value& workflow : pages.items) {
      if (text_in(workflow, "/state") != "active") continue;
      names.push_back(file_of(workflow));
      if (wanted.empty() || is_named(workflow, wanted)) fitting.push_back(&workflow);
    }
    if (fitting.size() == 1) co_return NamedPipeline{file_of(*fitting.front()), text_in(*fitting.front(), "/name")};
    if (names.empty())
      co_return fail(ErrorKind::not_found, fmt::format("{} has no active workflow", repo), "add one to the repository");
    co_return fail(ErrorKind::invalid_input,
                   wanted.empty() ? fmt::format("{} has several workflows: name one as `pipeline`", repo)
                                  : fmt::format("{} has no workflow `{}`", repo, cut_with_mark(wanted, 100)),
                   "its workflows: " + list_names(names));
  }

  Task<Result<std::optional<PipelineRun>>> last_success(std::string repo, NamedPipeline pipeline,
                                                        Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"actions", "workflows", pipeline.id, "runs"}));
    CO_TRY(const FoundRuns found, co_await list_runs(path, {{"status", "success"}}, 1, limit));
    co_return found.runs.empty() ? std::nullopt : std::optional(found.runs.front());
  }

  Task<Result<Changes>> changes(std::string repo, std::string from, std::string to, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"compare", from + "..." + to}));
    CO_TRY(const json::value compared, co_await api_.call({.path = path, .limit = limit}));
    CO_TRY(check_is(compared, "/status", "a comparison"));
    Changes changes{.ahead = whole_in(compared, "/ahead_by").value_or(0),
                    .behind = whole_in(compared, "/behind_by").value_or(0),
                    .link = text_in(compared, "/html_url")};
    for (const json::value& commit : items_in(compared, "/commits")) changes.commits.push_back(commit_of(commit));
    std::ranges::reverse(changes.commits);
    co_return changes;
  }

  Task<Result<std::string>> start(Start start, Limit limit) override {
    CO_TRY(const std::string path, path_of(start.repo, {"actions", "workflows", start.pipeline.id, "dispatches"}));
    json::object inputs;
    for (const auto& [key, value] : start.variables) inputs[key] = value;
    json::object body{{"ref", start.ref.name}, {"return_run_details", true}};
    if (!inputs.empty()) body["inputs"] = std::move(inputs);
    Result<json::value> begun = co_await api_.call({.method = "POST", .path = path, .body = body, .limit = limit});
    // An older Enterprise Server does not know the field, and has begun nothing then.
    const bool is_unknown = !begun && begun.error().kind == ErrorKind::invalid_input &&
                            begun.error().message.contains("return_run_details");
    if (is_unknown) {
      body.erase("return_run_details");
      begun = co_await api_.call({.method = "POST", .path = path, .body = body, .limit = limit});
    }
    if (!begun) co_return std::unexpected(begun.error());
    co_return text_in(*begun, "/workflow_run_id");
  }

  Task<Result<std::vector<StartedRun>>> started(Start start, Timestamp since, Limit limit) override {
    CO_TRY(const std::string path, path_of(start.repo, {"actions", "workflows", start.pipeline.id, "runs"}));
    const std::string seconds = format_timestamp(since).substr(0, 19) + "Z";
    CO_TRY(const FoundRuns found,
           co_await list_runs(path,
                              {{"event", "workflow_dispatch"}, {"branch", start.ref.name}, {"created", ">=" + seconds}},
                              kPage, limit));
    std::vector<StartedRun> started;
    if (found.runs.empty()) co_return started;
    // The token of an app has no account that it could name.
    const Result<json::value> account = co_await api_.call({.path = "user", .limit = limit});
    const std::string login = account ? text_in(*account, "/login") : std::string();
    for (const PipelineRun& run : found.runs) started.push_back({run, !login.empty() && run.by == login});
    co_return started;
  }

  Task<Result<>> stop(std::string repo, std::string id, Limit limit) override {
    CO_TRY(const std::string path, path_of(repo, {"actions", "runs", id, "cancel"}));
    CO_TRY((co_await api_.send({.method = "POST", .path = path, .limit = limit})));
    co_return Result<>{};
  }

  Task<Result<std::string>> diagnose(Limit limit) override {
    const Result<json::value> limits = co_await api_.call({.path = "rate_limit", .limit = limit});
    // An Enterprise Server without rate limits says so with 404.
    if (!limits && limits.error().kind == ErrorKind::not_found) co_return fmt::format("GitHub at {}", api_.base_url());
    if (!limits) co_return std::unexpected(limits.error());
    const auto left = whole_in(*limits, "/resources/core/remaining");
    if (!left) co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer with its rate limits"));
    co_return fmt::format("GitHub at {}: {} left in this hour", api_.base_url(), count_of(*left, "request"));
  }

 private:
  using Query = std::vector<net::FormField>;

  Result<> check_is(const json::value& document, std::string_view pointer, std::string_view what) const {
    if (!text_in(document, pointer).empty()) return {};
    return std::unexpected(rest::unusable(api_.vendor(), fmt::format("did not answer with {}", what)));
  }

  static Result<RunDetails> as_details(Result<PipelineRun> run) {
    if (!run) return std::unexpected(run.error());
    return RunDetails{.run = *std::move(run)};
  }

  Task<Result<rest::Pages>> pages_of(std::string path, Query query, std::string items, std::size_t most, Limit limit) {
    query.push_back({"per_page", std::to_string(std::min(most, kPage))});
    rest::Call call{.path = std::move(path), .query = std::move(query), .limit = limit};
    co_return co_await rest::read_pages(api_, std::move(call), std::move(items), rest::next_by_link(), most);
  }

  Task<Result<FoundRuns>> list_runs(std::string path, Query query, std::size_t most, Limit limit) {
    CO_TRY(const rest::Pages pages,
           co_await pages_of(std::move(path), std::move(query), "/workflow_runs", most, limit));
    FoundRuns found{.has_more = pages.has_more};
    for (const json::value& run : pages.items) found.runs.push_back(run_of(run));
    co_return found;
  }

  Task<Result<std::string>> log_of_job(std::string repo, std::string job, Limit limit) {
    CO_TRY(const std::string path, path_of(repo, {"actions", "jobs", job, "logs"}));
    CO_TRY(const net::Response log,
           co_await api_.send({.path = path, .redirects = rest::Redirects::anywhere, .limit = limit, .most = kMaxLog}));
    co_return end_of_log(log.body);
  }

  /// What is said below it and in its files.
  Task<Result<>> read_comments(PullRequestDetails& details, std::string repo, std::string id, Limit limit) {
    CO_TRY(const std::string below, path_of(repo, {"issues", id, "comments"}));
    CO_TRY(const rest::Pages said, co_await pages_of(below, {}, "", kMaxComments, limit));
    CO_TRY(const std::string in_files, path_of(repo, {"pulls", id, "comments"}));
    CO_TRY(const rest::Pages noted,
           co_await pages_of(in_files, {{"sort", "created"}, {"direction", "desc"}}, "", kMaxComments, limit));
    for (const json::value& comment : said.items) details.comments.push_back(comment_of(comment));
    for (const json::value& comment : noted.items) details.comments.push_back(comment_of(comment));
    sort_by_time(details.comments);
    // GitHub lists what is said below from the oldest on.
    if (said.has_more)
      details.notes.push_back(fmt::format("comments below it after the first {}, so the newest", kMaxComments));
    if (noted.has_more) details.notes.push_back(fmt::format("comments in its files before the last {}", kMaxComments));
    co_return Result<>{};
  }

  static void note_checks(const rest::Pages& checks, PullRequestDetails& details) {
    if (checks.has_more) details.notes.push_back(fmt::format("checks after the first {}", checks.items.size()));
  }

  /// A token that may not read check runs, as fine-grained ones may not, sees the workflow runs of the commit instead.
  Task<> read_checks(PullRequestDetails& details, std::string repo, std::string commit, Limit limit) {
    const auto checks = co_await list_of(repo, {"commits", commit, "check-runs"}, {}, "/check_runs", limit);
    if (checks) {
      note_checks(*checks, details);
      for (const json::value& check : checks->items) details.checks.push_back(check_of(check));
    } else {
      const auto runs = co_await list_of(repo, {"actions", "runs"}, {{"head_sha", commit}}, "/workflow_runs", limit);
      if (!runs) details.notes.push_back(fmt::format("checks: {}", runs.error().message));
      if (runs) note_checks(*runs, details);
      for (const json::value& run : runs ? runs->items : json::array()) details.checks.push_back(check_of(run));
    }
    const auto statuses = co_await list_of(repo, {"commits", commit, "status"}, {}, "/statuses", limit);
    if (!statuses) details.notes.push_back(fmt::format("commit statuses: {}", statuses.error().message));
    if (statuses) note_checks(*statuses, details);
    for (const json::value& status : statuses ? statuses->items : json::array())
      details.checks.push_back(status_of(status));
  }

  Task<Result<rest::Pages>> list_of(std::string repo, std::vector<std::string> parts, Query query, std::string items,
                                    Limit limit) {
    CO_TRY(std::string path, path_of(repo, {}));
    for (const std::string& part : parts) {
      CO_TRY(const std::string encoded, rest::path_of({part}));
      path += "/" + encoded;
    }
    co_return co_await pages_of(std::move(path), std::move(query), std::move(items), kPage, limit);
  }

  rest::Api api_;
};

}  // namespace

std::shared_ptr<PipelineStarter> make(const GitHubSettings& settings, net::HttpClient& http, const Clock& clock) {
  if (settings.token.empty()) return nullptr;
  return std::make_shared<GitHub>(settings, http, clock);
}

}  // namespace deputy::tools::pipelines::github
