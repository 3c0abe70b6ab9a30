#include "tools/tasks/look_after.h"

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

}  // namespace deputy::tools
