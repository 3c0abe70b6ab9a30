// What a file of this machine says of repositories, their pipelines and pull requests:
//
//   {"repositories": [{repo, description, default_branch, language, private, archived, updated, link}],
//    "pipelines": [{repo, id, pipeline, state, ref, commit, title, environment, by, started, seconds, link,
//                   jobs: [{name, state, seconds, steps: [{name, state}], log}]}],
//    "pull_requests": [{repo, id, title, state, author, source, target, created, updated, link, description,
//                       reviewers: [{name, state}], files: [{path, status, added, removed}],
//                       comments: [{author, at, text}], checks: [{name, state}]}]}
#pragma once

#include <filesystem>
#include <memory>

#include "base/workers.h"
#include "tools/pipelines/pipeline_backend.h"

namespace deputy::tools::pipelines {

/// `workers` outlives it.
std::shared_ptr<PipelineBackend> make_file_pipelines(std::filesystem::path file, Workers& workers);

}  // namespace deputy::tools::pipelines
