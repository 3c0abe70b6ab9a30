#include "tools/tasks/tasks.h"

namespace deputy::tools {

toolkit::ToolSpec task_spec(std::string name, std::string description, toolkit::Topics topics) {
  return {.name = std::move(name),
          .description = std::move(description),
          .category = "task_tools",
          .effect = toolkit::Effect::read,
          .topics = std::move(topics)};
}

toolkit::Pipeline look_after(std::string of, std::string action, std::string id) {
  return delegating(toolkit::DelegateKind::tasks,
                    {{"action", std::move(action)}, {"of", std::move(of)}, {"id", std::move(id)}});
}

std::shared_ptr<const toolkit::Tool> list_background_tasks() {
  return toolkit::make_tool<NoParams>(
      task_spec("list_background_tasks", "Lists the background tasks of this conversation and how they stand",
                {.words = {"background tasks", "background", "task"},
                 .examples = {"which background tasks are there?"},
                 .working = "Listing background tasks"}),
      [](const NoParams&) { return Result<toolkit::Pipeline>(look_after("tasks", "list")); });
}

std::shared_ptr<const toolkit::Tool> get_background_task() {
  return toolkit::make_tool<TaskParams>(
      task_spec("get_background_task", "Shows one background task of this conversation and what came of it",
                {.words = {"background task", "background", "task"},
                 .examples = {"show background task {id}"},
                 .working = "Reading task {id}"}),
      [](const TaskParams& params) { return Result<toolkit::Pipeline>(look_after("tasks", "get", params.task_id)); });
}

std::shared_ptr<const toolkit::Tool> cancel_background_task() {
  toolkit::ToolSpec spec = task_spec("cancel_background_task", "Stops a background task of this conversation",
                                     {.words = {"background task", "background", "task"},
                                      .verbs = {"cancel", "stop", "abort"},
                                      .examples = {"cancel background task {id}"},
                                      .working = "Stopping task {id}"});
  spec.changes_runs = true;
  return toolkit::make_tool<TaskParams>(std::move(spec), [](const TaskParams& params) {
    return Result<toolkit::Pipeline>(look_after("tasks", "cancel", params.task_id));
  });
}

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

std::shared_ptr<const toolkit::Tool> list_sub_runs() {
  return toolkit::make_tool<NoParams>(
      task_spec("list_sub_runs", "Lists the sub-runs of this conversation and how they stand",
                {.words = {"sub-runs"}, .examples = {"which sub-runs are there?"}, .working = "Listing sub-runs"}),
      [](const NoParams&) { return Result<toolkit::Pipeline>(look_after("sub_runs", "list")); });
}

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
