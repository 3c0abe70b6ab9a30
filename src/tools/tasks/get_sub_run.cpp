#include "tools/tasks/look_after.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {

namespace {

struct SubRunParams {
  std::string id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&SubRunParams::id, "id", "The sub-run, as list_sub_runs names it")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> get_sub_run() {
  return toolkit::make_tool<SubRunParams>(
      task_spec("get_sub_run", "Shows one sub-run of this conversation and what it answered",
                {.words = {"sub-run"}, .examples = {"show sub-run {id}"}, .working = "Reading sub-run {id}"}),
      [](const SubRunParams& params) { return Result<toolkit::Pipeline>(look_after("sub_runs", "get", params.id)); });
}

}  // namespace deputy::tools
