#include "run/rules.h"

#include "base/text.h"

namespace deputy::run {

std::string canonical_environment(std::string_view name, const Rules& rules) {
  const std::string wanted = to_lower(trim(name));
  for (const auto& [environment, other_names] : rules.environments) {
    if (to_lower(environment) == wanted) return environment;
    for (const std::string& other : other_names) {
      if (to_lower(other) == wanted) return environment;
    }
  }
  return std::string(name);
}

}  // namespace deputy::run
