// Something outside that Deputy works with, looked at by a real call: what `deputy doctor` goes through.
#pragma once

#include <functional>
#include <string>

#include "base/task.h"

namespace deputy::app {

struct Check {
  std::string name;
  std::string missing;  // what to set first; empty: it is set, so that a look which fails says it is broken
  std::function<Task<Result<std::string>>()> look = {};  // what was found, in a few words
};

}  // namespace deputy::app
