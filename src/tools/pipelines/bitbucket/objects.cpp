#include "tools/pipelines/bitbucket/objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::tools::pipelines::bitbucket {

namespace {

/// A name of the state: the result where it has ended, else the stage, else the state itself.
std::string word_of_state(const json::value& object) {
  for (const std::string_view pointer : {"/state/result/name", "/state/stage/name", "/state/name"}) {
    if (std::string word = text_in(object, pointer); !word.empty()) return to_lower(word);
  }
  return "";
}

RunState state_of(const std::string& word) {
  if (word == "successful") return RunState::succeeded;
  if (word == "failed" || word == "error" || word == "expired") return RunState::failed;
  if (word == "stopped" || word == "not_run") return RunState::stopped;
  if (word == "running" || word == "in_progress" || word == "inprogress") return RunState::running;
  return RunState::waiting;  // pending, ready, paused
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string author_of(const json::value& object) {
  const std::string name = text_in(object, "/author/user/display_name");
  if (!name.empty()) return name;
  const std::string raw = text_in(object, "/author/raw");
  return std::string(trim(raw.substr(0, raw.find('<'))));
}

}  // namespace

std::string custom_pipeline_of(const json::value& pipeline) {
  const bool is_custom = text_in(pipeline, "/target/selector/type") == "custom";
  return is_custom ? text_in(pipeline, "/target/selector/pattern") : std::string();
}

PipelineRun run_of(const json::value& pipeline, const std::string& repo) {
  PipelineRun run{.id = text_in(pipeline, "/build_number"),
                  .pipeline = custom_pipeline_of(pipeline),
                  .said = word_of_state(pipeline),
                  .ref = text_in(pipeline, "/target/ref_name"),
                  .commit = text_in(pipeline, "/target/commit/hash"),
                  .by = text_in(pipeline, "/creator/display_name"),
                  .started = time_in(pipeline, "/created_on"),
                  .ended = time_in(pipeline, "/completed_on")};
  run.state = state_of(run.said);
  run.link = fmt::format("https://bitbucket.org/{}/pipelines/results/{}", repo, run.id);
  return run;
}

PipelineJob step_of(const json::value& step) {
  PipelineJob job{.name = text_in(step, "/name"),
                  .said = word_of_state(step),
                  .started = time_in(step, "/started_on"),
                  .ended = time_in(step, "/completed_on")};
  job.state = state_of(job.said);
  if (job.name.empty()) job.name = "step";
  return job;
}

PipelineJob status_of(const json::value& status) {
  PipelineJob job{
      .name = text_in(status, "/name"), .said = to_lower(text_in(status, "/state")), .link = text_in(status, "/url")};
  if (job.name.empty()) job.name = text_in(status, "/key");
  job.state = state_of(job.said);
  return job;
}

PullRequest pull_request_of(const json::value& pull) {
  PullRequest made{.id = text_in(pull, "/id"),
                   .title = text_in(pull, "/title"),
                   .state = to_lower(text_in(pull, "/state")),
                   .author = text_in(pull, "/author/display_name"),
                   .source = text_in(pull, "/source/branch/name"),
                   .target = text_in(pull, "/destination/branch/name"),
                   .created = time_in(pull, "/created_on"),
                   .updated = time_in(pull, "/updated_on"),
                   .link = text_in(pull, "/links/html/href")};
  if (made.state == "open" && is_true_in(pull, "/draft")) made.state = "draft";
  return made;
}

std::vector<Reviewer> reviewers_of(const json::value& pull) {
  std::vector<Reviewer> people;
  for (const json::value& one : items_in(pull, "/participants")) {
    const std::string state = text_in(one, "/state");
    const bool is_reviewer = text_in(one, "/role") == "REVIEWER";
    if (!is_reviewer && state.empty()) continue;
    std::string word = state == "approved" || is_true_in(one, "/approved") ? "approved"
                       : state == "changes_requested"                      ? "changes requested"
                                                                           : "waiting";
    people.push_back({text_in(one, "/user/display_name"), std::move(word)});
  }
  return people;
}

ChangedFile file_of(const json::value& changed) {
  std::string path = text_in(changed, "/new/path");
  if (path.empty()) path = text_in(changed, "/old/path");
  return {std::move(path), text_in(changed, "/status"), whole_in(changed, "/lines_added").value_or(0),
          whole_in(changed, "/lines_removed").value_or(0)};
}

PullRequestComment comment_of(const json::value& comment) {
  return {text_in(comment, "/user/display_name"), time_in(comment, "/created_on"), text_in(comment, "/content/raw"),
          text_in(comment, "/inline/path")};
}

Commit commit_of(const json::value& commit) {
  return {text_in(commit, "/hash"), first_line(text_in(commit, "/message")), author_of(commit)};
}

RepositoryFacts repository_of(const json::value& repository) {
  return {.name = text_in(repository, "/full_name"),
          .description = text_in(repository, "/description"),
          .default_branch = text_in(repository, "/mainbranch/name"),
          .language = text_in(repository, "/language"),
          .is_private = is_true_in(repository, "/is_private"),
          .updated = time_in(repository, "/updated_on"),
          .link = text_in(repository, "/links/html/href")};
}

}  // namespace deputy::tools::pipelines::bitbucket
