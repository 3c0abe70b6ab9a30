#include "tools/pipelines/pipeline_backend.h"

#include <algorithm>
#include <tuple>

#include "base/json_pointer.h"

namespace deputy::tools::pipelines {

std::string_view name(RunState state) {
  switch (state) {
    case RunState::waiting:
      return "waiting";
    case RunState::running:
      return "running";
    case RunState::succeeded:
      return "succeeded";
    case RunState::failed:
      return "failed";
    case RunState::stopped:
      break;
  }
  return "stopped";
}

void sort_by_time(std::vector<PullRequestComment>& comments) {
  std::ranges::sort(comments, [](const PullRequestComment& a, const PullRequestComment& b) {
    return std::tie(a.at, a.text) < std::tie(b.at, b.text);
  });
}

std::optional<Timestamp> time_in(const json::value& document, std::string_view pointer) {
  const Result<Timestamp> at = parse_timestamp(text_in(document, pointer));
  return at ? std::optional(*at) : std::nullopt;
}

}  // namespace deputy::tools::pipelines
