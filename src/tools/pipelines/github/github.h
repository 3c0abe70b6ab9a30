// Repositories, workflow runs of GitHub Actions and pull requests, by GitHub's REST API.
#pragma once

#include <memory>

#include "net/http.h"
#include "tools/pipelines/pipeline_backend.h"
#include "tools/pipelines/settings.h"

namespace deputy::tools::pipelines::github {

/// Null if no token is set. Client and clock outlive it.
std::shared_ptr<PipelineStarter> make(const GitHubSettings& settings, net::HttpClient& http, const Clock& clock);

}  // namespace deputy::tools::pipelines::github
