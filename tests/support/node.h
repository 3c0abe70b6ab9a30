// The programs of tests/peers, which run on the Node that scripts/setup installs and on no other.
#pragma once

#include <string>
#include <vector>

namespace deputy::test {

/// What to start for a file of tests/peers. Throws when there is no Node, and says how to have it.
std::vector<std::string> node_program(const std::string& file, std::vector<std::string> arguments);

}  // namespace deputy::test
