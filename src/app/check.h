// Something outside that Deputy works with, looked at by a real call: what `deputy doctor` goes through.
#pragma once

#include <functional>
#include <string>

#include "base/task.h"

namespace deputy::app {

struct Check {
  std::string name;
  std::string missing;                                   // what to set first; empty: it can be looked at
  std::function<Task<Result<std::string>>()> look = {};  // what was found, in a few words
};

}  // namespace deputy::app
