#include "tools/pipelines/files/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/json_file.h"

namespace deputy::tools::pipelines {

namespace {

constexpr std::string_view kSetting = "tools.pipeline_tools.files.file";

RunState state_in(const json::value& entry) {
  const std::string said = to_lower(text_in(entry, "/state"));
  for (const RunState state :
       {RunState::waiting, RunState::running, RunState::succeeded, RunState::failed, RunState::stopped}) {
    if (said == name(state)) return state;
  }
  return said == "successful" ? RunState::succeeded : RunState::waiting;
}

std::optional<Timestamp> end_of(const json::value& entry, std::optional<Timestamp> started) {
  const auto seconds = whole_in(entry, "/seconds");
  return started && seconds ? std::optional(*started + std::chrono::seconds(*seconds)) : std::nullopt;
}

PipelineRun run_from(const json::value& entry) {
  PipelineRun run{.id = text_in(entry, "/id"),
                  .pipeline = text_in(entry, "/pipeline"),
                  .state = state_in(entry),
                  .ref = text_in(entry, "/ref"),
                  .commit = text_in(entry, "/commit"),
                  .title = text_in(entry, "/title"),
                  .environment = text_in(entry, "/environment"),
                  .by = text_in(entry, "/by"),
                  .started = time_in(entry, "/started"),
                  .link = text_in(entry, "/link")};
  run.ended = end_of(entry, run.started);
  return run;
}

PipelineJob job_from(const json::value& entry) {
  PipelineJob job{.name = text_in(entry, "/name"), .state = state_in(entry), .link = text_in(entry, "/link")};
  for (const json::value& step : items_in(entry, "/steps"))
    job.steps.push_back({.name = text_in(step, "/name"), .state = state_in(step)});
  return job;
}

PullRequest pull_request_from(const json::value& entry) {
  return {.id = text_in(entry, "/id"),
          .title = text_in(entry, "/title"),
          .state = text_in(entry, "/state"),
          .author = text_in(entry, "/author"),
          .source = text_in(entry, "/source"),
          .target = text_in(entry, "/target"),
          .created = time_in(entry, "/created"),
          .updated = time_in(entry, "/updated"),
          .link = text_in(entry, "/link")};
}

PullRequestDetails details_from(const json::value& entry) {
  PullRequestDetails details{.pull_request = pull_request_from(entry), .description = text_in(entry, "/description")};
  for (const json::value& one : items_in(entry, "/reviewers"))
    details.reviewers.push_back({text_in(one, "/name"), text_in(one, "/state")});
  for (const json::value& one : items_in(entry, "/files"))
    details.files.push_back({text_in(one, "/path"), text_in(one, "/status"), whole_in(one, "/added").value_or(0),
                             whole_in(one, "/removed").value_or(0)});
  for (const json::value& one : items_in(entry, "/comments"))
    details.comments.push_back({text_in(one, "/author"), time_in(one, "/at"), text_in(one, "/text")});
  for (const json::value& one : items_in(entry, "/checks")) details.checks.push_back(job_from(one));
  return details;
}

/// By the whole name, or by the part behind the owner.
bool is_of(const json::value& entry, std::string_view repo) {
  const std::string name = to_lower(text_in(entry, "/repo"));
  return name == repo || (!repo.contains('/') && name.ends_with("/" + std::string(repo)));
}

/// The entries of a list that are of this repository. A repository that no list names is an error.
Result<json::array> entries_of(const std::filesystem::path& file, std::string_view list, const std::string& repo) {
  TRY(const json::value document, read_json_file(file, kSetting));
  if (!document.is_object()) return holds_no("lists of pipelines", file, kSetting);
  json::array found;
  std::set<std::string> known;
  for (const std::string_view each : {"/repositories", "/pipelines", "/pull_requests"}) {
    for (const json::value& entry : items_in(document, each)) {
      known.insert(text_in(entry, "/repo"));
      if (each == list && is_of(entry, repo)) found.push_back(entry);
    }
  }
  const bool is_known =
      std::ranges::any_of(known, [&](const std::string& name) { return is_of(json::object{{"repo", name}}, repo); });
  if (is_known) return found;
  std::vector<std::string> names(known.begin(), known.end());
  if (names.size() > 20) names.resize(20);
  return fail(ErrorKind::not_found, fmt::format("there is no repository `{}`", cut_with_mark(repo, 100)),
              "known: " + join(names, ", "));
}

Result<json::value> entry_of(const std::filesystem::path& file, std::string_view list, const std::string& repo,
                             const std::string& id, std::string_view hint) {
  TRY(const json::array entries, entries_of(file, list, repo));
  for (const json::value& entry : entries) {
    if (text_in(entry, "/id") == id) return entry;
  }
  return fail(ErrorKind::not_found, fmt::format("`{}` has no {}", repo, cut_with_mark(id, 60)), std::string(hint));
}

Result<FoundRuns> find_runs(const std::filesystem::path& file, const std::string& repo, std::size_t most) {
  TRY(const json::array entries, entries_of(file, "/pipelines", repo));
  FoundRuns found;
  found.runs.reserve(entries.size());
  for (const json::value& entry : entries) found.runs.push_back(run_from(entry));
  std::ranges::sort(found.runs, [](const PipelineRun& a, const PipelineRun& b) {
    return std::tie(b.started, b.id) < std::tie(a.started, a.id);
  });
  found.has_more = found.runs.size() > most;
  if (found.has_more) found.runs.resize(most);
  return found;
}

Result<json::value> find_run(const std::filesystem::path& file, const std::string& repo, const std::string& id) {
  return entry_of(file, "/pipelines", repo, id, "get_pipeline_status lists the runs");
}

Result<RunDetails> read_run(const std::filesystem::path& file, const std::string& repo, const std::string& id) {
  TRY(const json::value entry, find_run(file, repo, id));
  RunDetails details{.run = run_from(entry)};
  for (const json::value& job : items_in(entry, "/jobs")) {
    details.jobs.push_back(job_from(job));
    if (details.jobs.back().state != RunState::failed || !details.log_of.empty()) continue;
    details.log_of = details.jobs.back().name;
    details.log = text_in(job, "/log");
  }
  return details;
}

Result<FoundPullRequests> find_open(const std::filesystem::path& file, const std::string& repo, std::size_t most) {
  TRY(const json::array entries, entries_of(file, "/pull_requests", repo));
  FoundPullRequests found;
  for (const json::value& entry : entries) {
    PullRequest one = pull_request_from(entry);
    if (one.state == "open" || one.state == "draft") found.pull_requests.push_back(std::move(one));
  }
  std::ranges::sort(found.pull_requests, [](const PullRequest& a, const PullRequest& b) {
    return std::tie(b.updated, b.id) < std::tie(a.updated, a.id);
  });
  found.has_more = found.pull_requests.size() > most;
  if (found.has_more) found.pull_requests.resize(most);
  return found;
}

Result<RepositoryFacts> read_repository(const std::filesystem::path& file, const std::string& repo) {
  TRY(const json::array entries, entries_of(file, "/repositories", repo));
  if (entries.empty()) return RepositoryFacts{.name = repo, .is_private = true};
  const json::value& entry = entries.front();
  return RepositoryFacts{.name = text_in(entry, "/repo"),
                         .description = text_in(entry, "/description"),
                         .default_branch = text_in(entry, "/default_branch"),
                         .language = text_in(entry, "/language"),
                         .is_private = is_true_in(entry, "/private"),
                         .is_archived = is_true_in(entry, "/archived"),
                         .updated = time_in(entry, "/updated"),
                         .link = text_in(entry, "/link")};
}

class FilePipelines final : public PipelineBackend {
 public:
  FilePipelines(std::filesystem::path file, Workers& workers) : file_(std::move(file)), workers_(workers) {}

  std::string_view name() const override { return "files"; }
  json::object target() const override { return {{"file", file_.string()}}; }

  Task<Result<FoundRuns>> runs(std::string repo, std::size_t most, Limit limit) override {
    return work<FoundRuns>(limit, [=, file = file_] { return find_runs(file, repo, most); });
  }
  Task<Result<PipelineRun>> run(std::string repo, std::string id, Limit limit) override {
    return work<PipelineRun>(limit, [=, file = file_]() -> Result<PipelineRun> {
      TRY(const json::value entry, find_run(file, repo, id));
      return run_from(entry);
    });
  }
  Task<Result<RunDetails>> details(std::string repo, std::string id, Limit limit) override {
    return work<RunDetails>(limit, [=, file = file_] { return read_run(file, repo, id); });
  }
  Task<Result<FoundPullRequests>> open_pull_requests(std::string repo, std::size_t most, Limit limit) override {
    return work<FoundPullRequests>(limit, [=, file = file_] { return find_open(file, repo, most); });
  }
  Task<Result<PullRequestDetails>> pull_request(std::string repo, std::string id, Limit limit) override {
    return work<PullRequestDetails>(limit, [=, file = file_]() -> Result<PullRequestDetails> {
      TRY(const json::value entry, entry_of(file, "/pull_requests", repo, id, "list_open_prs lists those that are open"));
      return details_from(entry);
    });
  }
  Task<Result<RepositoryFacts>> repository(std::string repo, Limit limit) override {
    return work<RepositoryFacts>(limit, [=, file = file_] { return read_repository(file, repo); });
  }
  Task<Result<std::string>> diagnose(Limit limit) override {
    return work<std::string>(limit, [file = file_]() -> Result<std::string> {
      TRY(const json::value document, read_json_file(file, kSetting));
      if (!document.is_object()) return holds_no("lists of pipelines", file, kSetting);
      return fmt::format("{} in {}", count_of(std::ssize(items_in(document, "/pipelines")), "pipeline run"),
                         file.string());
    });
  }

 private:
  template <class T, class Job>
  Task<Result<T>> work(Limit limit, Job job) {
    return on_worker<T>(workers_, limit, [job = std::move(job)](const std::stop_token&) { return job(); });
  }

  std::filesystem::path file_;
  Workers& workers_;
};

}  // namespace

std::shared_ptr<PipelineBackend> make_file_pipelines(std::filesystem::path file, Workers& workers) {
  return std::make_shared<FilePipelines>(std::move(file), workers);
}

}  // namespace deputy::tools::pipelines
