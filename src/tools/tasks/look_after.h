// What the tools that look after child runs share.
#pragma once

#include <string>

#include "toolkit/tool.h"
#include "tools/delegating.h"

namespace deputy::tools {

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
