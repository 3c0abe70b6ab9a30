#include "tools/tasks/tasks.h"

#include <string>

#include "tools/common_steps.h"

namespace deputy::tools {

namespace {

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

struct TaskParams {
  std::string task_id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&TaskParams::task_id, "task_id", "Id of the task, as returned when it was started")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
  }
};

toolkit::ToolSpec task_spec(std::string name, int version, std::string description, toolkit::Topics topics) {
  return {.name = std::move(name),
          .version = version,
          .description = std::move(description),
          .category = "task_tools",
          .effect = toolkit::Effect::read,
          .topics = std::move(topics)};
}

/// `of` is "tasks" or "sub_runs", `action` one of those that run/drive/delegates.cpp takes.
toolkit::Pipeline look_after(std::string of, std::string action, std::string id = {}) {
  return delegating(toolkit::DelegateKind::tasks,
                    {{"action", std::move(action)}, {"of", std::move(of)}, {"id", std::move(id)}});
}

}  // namespace

std::shared_ptr<const toolkit::Tool> list_background_tasks() {
  return toolkit::make_tool<NoParams>(
      task_spec("list_background_tasks", 1, "Lists the background tasks of this conversation with id, tool and state.",
                {.words = {"background tasks", "background", "task"},
                 .examples = {"which background tasks are there?"},
                 .working = "Listing background tasks"}),
      [](const NoParams&) { return Result<toolkit::Pipeline>(look_after("tasks", "list")); });
}

std::shared_ptr<const toolkit::Tool> get_background_task() {
  return toolkit::make_tool<TaskParams>(
      task_spec("get_background_task", 1,
                "Returns the state of one background task of this conversation, with its result once it has ended.",
                {.words = {"background task", "background", "task"},
                 .examples = {"show background task {id}"},
                 .working = "Reading task {id}"}),
      [](const TaskParams& params) { return Result<toolkit::Pipeline>(look_after("tasks", "get", params.task_id)); });
}

std::shared_ptr<const toolkit::Tool> cancel_background_task() {
  toolkit::ToolSpec spec = task_spec("cancel_background_task", 1,
                                     "Stops a background task of this conversation. Use the id that the task was "
                                     "started with; what it has already done stays done.",
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

constexpr std::size_t kMaxTask = 40'000;
constexpr std::size_t kMaxTools = 50;

struct SubRunParams {
  std::string task;
  std::string label;
  std::optional<std::vector<std::string>> tools;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SubRunParams;
    f.required(&P::task, "task", "What to find out or do, with everything it needs to know")
        .characters(1, kMaxTask)
        .kind(toolkit::Kind::text);
    f.optional(&P::label, "label", "Short name, shown in lists").characters(0, 100);
    f.optional(&P::tools, "tools", "Names of the tools it may use; all tools of this run by default")
        .items(1, kMaxTools);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> start_sub_run() {
  toolkit::ToolSpec spec = task_spec(
      "start_sub_run", 1,
      "Hands a self-contained part of the work to a run of its own and returns its answer. It sees nothing of this "
      "conversation: write everything it needs into the task. Several calls in one turn run in parallel.",
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
      task_spec("list_sub_runs", 1, "Lists the sub-runs of this conversation with id, label and state.",
                {.words = {"sub-runs"}, .examples = {"which sub-runs are there?"}, .working = "Listing sub-runs"}),
      [](const NoParams&) { return Result<toolkit::Pipeline>(look_after("sub_runs", "list")); });
}

namespace {

struct SubRunId {
  std::string id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&SubRunId::id, "id", "Id of the sub-run, as list_sub_runs returns it")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> get_sub_run() {
  return toolkit::make_tool<SubRunId>(
      task_spec("get_sub_run", 1,
                "Returns the state of one sub-run of this conversation, with its answer once it has ended.",
                {.words = {"sub-run"}, .examples = {"show sub-run {id}"}, .working = "Reading sub-run {id}"}),
      [](const SubRunId& params) { return Result<toolkit::Pipeline>(look_after("sub_runs", "get", params.id)); });
}

}  // namespace deputy::tools
