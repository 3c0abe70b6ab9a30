// Repositories, pipelines and pull requests of Bitbucket Cloud, by its REST API 2.0.
#pragma once

#include <memory>

#include "net/http.h"
#include "tools/pipelines/pipeline_backend.h"
#include "tools/pipelines/settings.h"

namespace deputy::tools::pipelines::bitbucket {

/// Null if no token is set. Client and clock outlive it.
std::shared_ptr<PipelineStarter> make(const BitbucketSettings& settings, net::HttpClient& http, const Clock& clock);

}  // namespace deputy::tools::pipelines::bitbucket
