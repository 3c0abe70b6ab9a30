// Background tasks and sub-runs, which are both child runs: a task is one call that works on without a model, a sub-run
// has a model of its own. They are those of this conversation.
#pragma once

#include <memory>
#include <string>

#include "toolkit/tool.h"
#include "tools/common_steps.h"

namespace deputy::tools {

std::shared_ptr<const toolkit::Tool> list_background_tasks();
std::shared_ptr<const toolkit::Tool> get_background_task();
std::shared_ptr<const toolkit::Tool> cancel_background_task();

/// start_sub_run(task*, label, tools): the call ends when the sub-run does, with its answer.
std::shared_ptr<const toolkit::Tool> start_sub_run();
std::shared_ptr<const toolkit::Tool> list_sub_runs();
std::shared_ptr<const toolkit::Tool> get_sub_run();

// What the tools that look after child runs share.

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

struct TaskParams {
  std::string task_id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&TaskParams::task_id, "task_id", "The task, as it was answered when it began")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
  }
};

toolkit::ToolSpec task_spec(std::string name, std::string description, toolkit::Topics topics);

/// `of` is "tasks" or "sub_runs", `action` what run/delegates.cpp can do with them.
toolkit::Pipeline look_after(std::string of, std::string action, std::string id = {});

}  // namespace deputy::tools
