// The failpoints that stand in src/, so that a crash test can fail when one was never reached.
#pragma once

#include <string>
#include <vector>

namespace deputy::test {

/// Names of all failpoints in src/FOLDER, sorted. Throws when there are none.
std::vector<std::string> failpoints_in_source(const std::string& folder);

}  // namespace deputy::test
