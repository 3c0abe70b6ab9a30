#include "app/tools.h"

#include <initializer_list>
#include <stdexcept>

#include "base/result.h"

namespace deputy::app {

toolkit::Registry make_registry() {
  toolkit::Registry registry;
  const std::initializer_list<std::shared_ptr<const toolkit::Tool>> tools{};
  for (const auto& tool : tools) {
    // A spec that breaks the rules is a bug of ours, and the first test that makes a registry sees it.
    if (const Result<> added = registry.add(tool); !added) throw std::logic_error(describe(added.error()));
  }
  return registry;
}

}  // namespace deputy::app
