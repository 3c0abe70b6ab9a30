// GitHub's objects as the pipeline tools speak of them. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "tools/pipelines/pipeline_backend.h"

namespace deputy::tools::pipelines::github {

PipelineRun run_of(const json::value& run);
PipelineJob job_of(const json::value& job);
/// A check run, and a status that an outside system set on a commit.
PipelineJob check_of(const json::value& check);
PipelineJob status_of(const json::value& status);
PullRequest pull_request_of(const json::value& pull);
/// Whether it can be merged, in words; empty if GitHub does not say.
std::string merge_of(const json::value& pull);
/// Each person's last word, and those who were asked and have said nothing.
std::vector<Reviewer> reviewers_of(const json::value& pull, const json::array& reviews);
PullRequestComment comment_of(const json::value& comment);
Commit commit_of(const json::value& commit);
RepositoryFacts repository_of(const json::value& repository);

/// What a job's log ends with: the lines before its last error, without their times.
std::string end_of_log(std::string_view log);

}  // namespace deputy::tools::pipelines::github
