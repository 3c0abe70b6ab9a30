#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kLongestTask = 40'000;
constexpr std::size_t kMostTools = 50;

struct SubRunParams {
  std::string task;
  std::string label;
  std::optional<std::vector<std::string>> tools;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SubRunParams;
    f.required(&P::task, "task", "What it is to find out or do, with all it needs to know")
        .characters(1, kLongestTask)
        .kind(toolkit::Kind::text);
    f.optional(&P::label, "label", "A short name, for lists").characters(0, 100);
    f.optional(&P::tools, "tools", "The tools it may use; all of this run's when left out").items(1, kMostTools);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> start_sub_run() {
  toolkit::ToolSpec spec = task_spec(
      "start_sub_run",
      "Starts a run of its own for a part of the work and waits for its answer. Several calls of one turn work "
      "at the same time.",
      {.words = {"sub-run"},
       .verbs = {"start"},
       .examples = {"start a sub-run that looks for slow queries"},
       .working = "Starting a sub-run"});
  spec.starts_child_run = true;
  return toolkit::make_tool<SubRunParams>(std::move(spec), [](const SubRunParams& params) {
    json::object payload{{"task", params.task}, {"label", params.label}};
    if (params.tools) payload["tools"] = json::array(params.tools->begin(), params.tools->end());
    return Result<toolkit::Pipeline>(delegating(toolkit::DelegateKind::child_run, std::move(payload)));
  });
}

}  // namespace deputy::tools
