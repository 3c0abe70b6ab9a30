#include "app/tools.h"

#include <initializer_list>
#include <stdexcept>

#include "base/result.h"
#include "interaction/questions.h"
#include "tools/history/history.h"
#include "tools/investigate/investigate.h"
#include "tools/talk/talk.h"
#include "tools/tasks/tasks.h"

namespace deputy::app {

toolkit::Registry make_registry() {
  toolkit::Registry registry;
  const std::initializer_list<std::shared_ptr<const toolkit::Tool>> tools{
      // talk
      tools::ask_user(json_schema<interaction::Form>()), tools::respond_directly(), tools::read_result(),
      // tasks
      tools::list_background_tasks(), tools::get_background_task(), tools::cancel_background_task(),
      tools::start_sub_run(), tools::list_sub_runs(), tools::get_sub_run(),
      // history, investigate
      tools::search_history(), tools::investigate_issue()};
  for (const auto& tool : tools) {
    // A spec that breaks the rules is a bug of ours, and the first test that makes a registry sees it.
    if (const Result<> added = registry.add(tool); !added) throw std::logic_error(describe(added.error()));
  }
  return registry;
}

}  // namespace deputy::app
