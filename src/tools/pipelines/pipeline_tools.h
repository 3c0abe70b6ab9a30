// The tools for repositories, their pipelines and pull requests. `repo` is a repository or a service, whose entry in
// the registry names its repository and may name the backend.
//
// To add one: its parameters and a function that makes it in pipeline_tools.cpp or write_tools.cpp, and its line in
// pipeline_tools().
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/workers.h"
#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/backend_choice.h"
#include "tools/pipelines/pipeline_backend.h"
#include "tools/pipelines/settings.h"
#include "tools/services_registry.h"

namespace deputy::tools::pipelines {

struct PipelineBackends {
  Backends<PipelineBackend> all;
  Backends<PipelineStarter> starters;
};

/// Those that settings set up. Client, clock and workers outlive them.
PipelineBackends make_pipeline_backends(const PipelineToolsSettings& settings, net::HttpClient& http,
                                        const Clock& clock, Workers& workers);

struct PipelineToolParts {
  PipelineBackends backends;
  std::shared_ptr<ServicesRegistry> registry;                    // null: names are used as they are
  const Clock* clock = nullptr;                                  // outlives every call
  std::map<std::string, std::vector<std::string>> environments;  // name to its other names, as in settings
  std::chrono::milliseconds poll = std::chrono::seconds(1);      // the first pause between looks at a run
};
using Parts = std::shared_ptr<const PipelineToolParts>;
using Tool = std::shared_ptr<const toolkit::Tool>;

std::vector<Tool> pipeline_tools(PipelineToolParts parts);

Tool run_pipeline(const Parts& parts);
Tool stop_pipeline(const Parts& parts);

// For the tools themselves.

toolkit::ToolSpec pipeline_spec(std::string name, std::string description, toolkit::Effect effect);

/// The same tool, but a call has one spelling of its repository: no address, no `.git`, in lower case. `settle` may
/// change the arguments further.
using Settle = std::function<Result<>(json::object& arguments)>;
Tool with_repository(Tool tool, Settle settle = {});

/// Where a call goes.
template <class Backend>
struct Place {
  std::string repo;
  std::shared_ptr<Backend> backend;
};
Task<Result<Place<PipelineBackend>>> place_of(Parts parts, std::string named);
Task<Result<Place<PipelineStarter>>> place_to_start(Parts parts, std::string named);

/// "acme/shop" from `https://github.com/Acme/shop.git`, `git@…` and itself; another name in lower case.
std::string repository_name(std::string_view text);

template <class P, class Fields>
void repo_field(Fields& f) {
  f.required(&P::repo, "repo", "A service, or a repository such as acme/shop")
      .characters(1, 200)
      .kind(toolkit::Kind::service);
}

template <class P, class Fields>
void pipeline_id_field(Fields& f) {
  f.required(&P::pipeline_id, "pipeline_id", "The id of the run, as get_pipeline_status lists them")
      .characters(1, 60)
      .kind(toolkit::Kind::id);
}

}  // namespace deputy::tools::pipelines
