// Bitbucket's objects as the pipeline tools speak of them. Pure.
#pragma once

#include "base/json.h"
#include "tools/pipelines/pipeline_backend.h"

namespace deputy::tools::pipelines::bitbucket {

/// `repo` is "workspace/name": a pipeline does not say where its page is.
PipelineRun run_of(const json::value& pipeline, const std::string& repo);
PipelineJob step_of(const json::value& step);
PipelineJob status_of(const json::value& status);
PullRequest pull_request_of(const json::value& pull);
std::vector<Reviewer> reviewers_of(const json::value& pull);
ChangedFile file_of(const json::value& changed);
PullRequestComment comment_of(const json::value& comment);
Commit commit_of(const json::value& commit);
RepositoryFacts repository_of(const json::value& repository);

/// The name of the custom pipeline that a run is of; empty: the one that Bitbucket chose by the ref.
std::string custom_pipeline_of(const json::value& pipeline);

}  // namespace deputy::tools::pipelines::bitbucket
