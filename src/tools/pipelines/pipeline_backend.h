// The interface to where repositories, their pipelines and pull requests are. A backend knows nothing of services, of
// settings files and of models.
//
// To add one: a folder under tools/pipelines/ that implements PipelineStarter, or PipelineBackend if it can only read;
// its settings in tools/pipelines/settings.h, and its case in make_pipeline_backends.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"

namespace deputy::tools::pipelines {

enum class RunState { waiting, running, succeeded, failed, stopped };

constexpr bool has_ended(RunState state) { return state != RunState::waiting && state != RunState::running; }
std::string_view name(RunState state);

/// One run of a pipeline: a workflow run of GitHub, a pipeline of Bitbucket. Texts are from outside and of any length.
struct PipelineRun {
  std::string id;  // what get_pipeline_details takes
  std::string pipeline = {};
  RunState state = RunState::waiting;
  std::string said = {};  // the vendor's own word for the state
  std::string ref = {};   // a branch or tag
  std::string commit = {};
  std::string title = {};
  std::string environment = {};
  std::string by = {};
  std::optional<Timestamp> started = std::nullopt;
  std::optional<Timestamp> ended = std::nullopt;
  std::string link = {};
};

struct FoundRuns {
  std::vector<PipelineRun> runs;  // newest first
  bool has_more = false;
};

/// A job or a step of a run; a step of a job where it is inside one.
struct PipelineJob {
  std::string name;
  RunState state = RunState::waiting;
  std::string said = {};
  std::vector<PipelineJob> steps = {};
  std::optional<Timestamp> started = std::nullopt;
  std::optional<Timestamp> ended = std::nullopt;
  std::string link = {};
};

struct RunDetails {
  PipelineRun run;
  std::vector<PipelineJob> jobs;
  std::string log_of = {};              // the job that `log` is of, the first that failed
  std::string log = {};                 // its end
  std::vector<std::string> notes = {};  // what could not be read, and why
};

struct PullRequest {
  std::string id;
  std::string title = {};
  std::string state = {};  // open, draft, merged, closed
  std::string author = {};
  std::string source = {};
  std::string target = {};
  std::optional<Timestamp> created = std::nullopt;
  std::optional<Timestamp> updated = std::nullopt;
  std::string link = {};
};

struct FoundPullRequests {
  std::vector<PullRequest> pull_requests;  // the last updated first
  bool has_more = false;
};

struct Reviewer {
  std::string name;
  std::string state;  // approved, changes requested, commented, dismissed, waiting
};

struct ChangedFile {
  std::string path;
  std::string status;
  std::int64_t added = 0;
  std::int64_t removed = 0;
};

struct PullRequestComment {
  std::string author;
  std::optional<Timestamp> at;
  std::string text;
  std::string about = {};  // a file
};

struct PullRequestDetails {
  PullRequest pull_request;
  std::string description = {};
  std::string merge = {};  // "has conflicts"; empty: the vendor does not say
  std::vector<Reviewer> reviewers = {};
  std::vector<ChangedFile> files = {};
  std::int64_t all_files = 0;
  std::vector<PullRequestComment> comments = {};  // oldest first
  std::vector<PipelineJob> checks = {};
  std::vector<std::string> notes = {};  // what could not be read, and why
};

struct RepositoryFacts {
  std::string name;
  std::string description = {};
  std::string default_branch = {};
  std::string language = {};
  bool is_private = false;
  bool is_archived = false;
  std::optional<Timestamp> updated = std::nullopt;
  std::string link = {};
};

// For backends.

void sort_by_time(std::vector<PullRequestComment>& comments);
/// A time as RFC 3339 writes it, at a JSON pointer.
std::optional<Timestamp> time_in(const json::value& document, std::string_view pointer);

using Limit = std::chrono::milliseconds;

class PipelineBackend {
 public:
  virtual ~PipelineBackend() = default;

  virtual std::string_view name() const = 0;
  /// Where it reads from, as settings say. It is part of the digest that an approval holds for.
  virtual json::object target() const = 0;

  virtual Task<Result<FoundRuns>> runs(std::string repo, std::size_t most, Limit limit) = 0;
  virtual Task<Result<PipelineRun>> run(std::string repo, std::string id, Limit limit) = 0;
  virtual Task<Result<RunDetails>> details(std::string repo, std::string id, Limit limit) = 0;
  virtual Task<Result<FoundPullRequests>> open_pull_requests(std::string repo, std::size_t most, Limit limit) = 0;
  virtual Task<Result<PullRequestDetails>> pull_request(std::string repo, std::string id, Limit limit) = 0;
  virtual Task<Result<RepositoryFacts>> repository(std::string repo, Limit limit) = 0;
  /// Makes a harmless read and says in a few words what came back, for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(Limit limit) = 0;
};

struct Commit {
  std::string hash;
  std::string title;
  std::string by;
};

/// A branch or tag, and the commit that it stands at.
struct Ref {
  std::string name;
  enum class Kind { branch, tag } kind = Kind::branch;
  Commit commit;
};

/// What one commit has that another has not.
struct Changes {
  std::int64_t ahead = 0;
  std::int64_t behind = 0;
  std::vector<Commit> commits;  // those ahead, newest first; perhaps not all
  std::string link;
};

struct NamedPipeline {
  std::string id;  // as the vendor takes it; empty: the one that it chooses by the ref
  std::string name;
};

struct Start {
  std::string repo;
  NamedPipeline pipeline;
  Ref ref;
  std::map<std::string, std::string> variables;
};

/// A run that somebody started by hand.
struct StartedRun {
  PipelineRun run;
  bool is_ours = false;  // the account that Deputy signs in with started it; false also where the vendor does not say
};

class PipelineStarter : public PipelineBackend {
 public:
  virtual Task<Result<Ref>> ref(std::string repo, std::string name, Limit limit) = 0;
  /// By name or file; empty: the only one, or the one that the vendor chooses by the ref. Errors: invalid_input with
  /// the choices.
  virtual Task<Result<NamedPipeline>> pipeline(std::string repo, std::string wanted, Limit limit) = 0;
  virtual Task<Result<std::optional<PipelineRun>>> last_success(std::string repo, NamedPipeline pipeline,
                                                                Limit limit) = 0;
  virtual Task<Result<Changes>> changes(std::string repo, std::string from, std::string to, Limit limit) = 0;
  /// Sent once. The id of the run; empty if the vendor does not say it.
  virtual Task<Result<std::string>> start(Start start, Limit limit) = 0;
  /// The runs that somebody started since then by hand, as `start` does, of this pipeline and ref, and that may be the
  /// one of this start.
  virtual Task<Result<std::vector<StartedRun>>> started(Start start, Timestamp since, Limit limit) = 0;
  /// Sent once. Errors: conflict if it has ended.
  virtual Task<Result<>> stop(std::string repo, std::string id, Limit limit) = 0;
};

}  // namespace deputy::tools::pipelines
