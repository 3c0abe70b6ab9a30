// The tools there are. To add one: write it in tools/<family>/ and add its line in tools.cpp; settings, policy, prompts
// and the command line follow.
#pragma once

#include "toolkit/registry.h"

namespace deputy::app {

toolkit::Registry make_registry();

}  // namespace deputy::app
