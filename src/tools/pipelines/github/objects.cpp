#include "tools/pipelines/github/objects.h"

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::tools::pipelines::github {

namespace {

constexpr std::size_t kLogWindow = 256UL * 1024;
constexpr std::size_t kLogLines = 80;

RunState state_of(std::string_view status, std::string_view conclusion) {
  if (status == "in_progress") return RunState::running;
  if (status != "completed") return RunState::waiting;
  if (conclusion == "success" || conclusion == "neutral" || conclusion == "skipped") return RunState::succeeded;
  if (conclusion == "cancelled" || conclusion == "stale") return RunState::stopped;
  return RunState::failed;  // failure, timed_out, startup_failure, action_required
}

/// The fields that runs, jobs, steps and checks share.
RunState read_state(const json::value& object, std::string& said) {
  const std::string status = text_in(object, "/status");
  const std::string conclusion = text_in(object, "/conclusion");
  said = status == "completed" ? conclusion : status;
  return state_of(status, conclusion);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// "2026-11-18T10:00:00.1234567Z " stands before every line.
std::string_view without_time(std::string_view line) {
  const std::size_t space = line.find(' ');
  const bool is_time = space != std::string_view::npos && space >= 20 && space <= 30 && line[4] == '-' &&
                       line[10] == 'T' && line[space - 1] == 'Z';
  return is_time ? line.substr(space + 1) : line;
}

std::string state_of_review(const std::string& state) {
  if (state == "APPROVED") return "approved";
  if (state == "CHANGES_REQUESTED") return "changes requested";
  if (state == "DISMISSED") return "dismissed";
  return "commented";
}

}  // namespace

PipelineRun run_of(const json::value& run) {
  PipelineRun made{.id = text_in(run, "/id"),
                   .pipeline = text_in(run, "/name"),
                   .ref = text_in(run, "/head_branch"),
                   .commit = text_in(run, "/head_sha"),
                   .title = text_in(run, "/display_title"),
                   .by = text_in(run, "/actor/login"),
                   .started = time_in(run, "/run_started_at"),
                   .link = text_in(run, "/html_url")};
  made.state = read_state(run, made.said);
  if (!made.started) made.started = time_in(run, "/created_at");
  if (has_ended(made.state)) made.ended = time_in(run, "/updated_at");
  return made;
}

PipelineJob job_of(const json::value& job) {
  PipelineJob made{.name = text_in(job, "/name"),
                   .started = time_in(job, "/started_at"),
                   .ended = time_in(job, "/completed_at"),
                   .link = text_in(job, "/html_url")};
  made.state = read_state(job, made.said);
  for (const json::value& step : items_in(job, "/steps")) {
    PipelineJob inner{.name = text_in(step, "/name")};
    inner.state = read_state(step, inner.said);
    made.steps.push_back(std::move(inner));
  }
  return made;
}

PipelineJob check_of(const json::value& check) {
  PipelineJob made{.name = text_in(check, "/name"), .link = text_in(check, "/html_url")};
  made.state = read_state(check, made.said);
  return made;
}

PipelineJob status_of(const json::value& status) {
  PipelineJob made{
      .name = text_in(status, "/context"), .said = text_in(status, "/state"), .link = text_in(status, "/target_url")};
  made.state = made.said == "success"   ? RunState::succeeded
               : made.said == "pending" ? RunState::running
                                        : RunState::failed;
  return made;
}

PullRequest pull_request_of(const json::value& pull) {
  PullRequest made{.id = text_in(pull, "/number"),
                   .title = text_in(pull, "/title"),
                   .state = text_in(pull, "/state"),
                   .author = text_in(pull, "/user/login"),
                   .source = text_in(pull, "/head/ref"),
                   .target = text_in(pull, "/base/ref"),
                   .created = time_in(pull, "/created_at"),
                   .updated = time_in(pull, "/updated_at"),
                   .link = text_in(pull, "/html_url")};
  if (!text_in(pull, "/merged_at").empty()) made.state = "merged";
  if (made.state == "open" && is_true_in(pull, "/draft")) made.state = "draft";
  return made;
}

std::string merge_of(const json::value& pull) {
  if (text_in(pull, "/state") != "open") return "";
  const std::string state = text_in(pull, "/mergeable_state");
  if (state == "dirty") return "it has conflicts";
  if (state == "blocked") return "blocked: reviews or checks are missing";
  if (state == "behind") return "it is behind its target";
  if (state == "unstable") return "possible, but checks fail or have not ended";
  if (state == "clean" || state == "has_hooks") return "possible";
  return "";
}

std::vector<Reviewer> reviewers_of(const json::value& pull, const json::array& reviews) {
  std::vector<Reviewer> people;
  const auto one = [&](const std::string& name) -> Reviewer& {
    const auto found = std::ranges::find(people, name, &Reviewer::name);
    return found != people.end() ? *found : people.emplace_back(Reviewer{name, ""});
  };
  for (const json::value& review : reviews) {
    const std::string name = text_in(review, "/user/login");
    const std::string state = state_of_review(text_in(review, "/state"));
    if (name.empty() || name == text_in(pull, "/user/login")) continue;
    Reviewer& reviewer = one(name);
    // A comment takes no approval back.
    if (state != "commented" || reviewer.state.empty()) reviewer.state = state;
  }
  for (const json::value& asked : items_in(pull, "/requested_reviewers"))
    one(text_in(asked, "/login")).state = "waiting";
  for (const json::value& asked : items_in(pull, "/requested_teams"))
    one("team " + text_in(asked, "/slug")).state = "waiting";
  return people;
}

PullRequestComment comment_of(const json::value& comment) {
  return {text_in(comment, "/user/login"), time_in(comment, "/created_at"), text_in(comment, "/body"),
          text_in(comment, "/path")};
}

Commit commit_of(const json::value& commit) {
  std::string by = text_in(commit, "/author/login");
  if (by.empty()) by = text_in(commit, "/commit/author/name");
  return {text_in(commit, "/sha"), first_line(text_in(commit, "/commit/message")), std::move(by)};
}

RepositoryFacts repository_of(const json::value& repository) {
  return {.name = text_in(repository, "/full_name"),
          .description = text_in(repository, "/description"),
          .default_branch = text_in(repository, "/default_branch"),
          .language = text_in(repository, "/language"),
          .is_private = is_true_in(repository, "/private"),
          .is_archived = is_true_in(repository, "/archived"),
          .updated = time_in(repository, "/pushed_at"),
          .link = text_in(repository, "/html_url")};
}

std::string end_of_log(std::string_view log) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (log.starts_with(kByteOrderMark)) log.remove_prefix(kByteOrderMark.size());
  if (log.size() > kLogWindow) log.remove_prefix(log.size() - kLogWindow);
  // What comes behind the last error is the cleaning up.
  const std::size_t error = log.rfind("##[error]");
  if (error != std::string_view::npos) log = log.substr(0, log.find('\n', error));
  std::vector<std::string_view> lines = split(log, "\n");
  if (lines.size() > kLogLines) lines.erase(lines.begin(), lines.end() - kLogLines);
  std::string text;
  for (const std::string_view line : lines) {
    text += without_time(line);
    text += '\n';
  }
  return text;
}

}  // namespace deputy::tools::pipelines::github
