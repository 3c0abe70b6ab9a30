// The services registry from a file of YAML or JSON: the settings engine reads it, tools say what is in it.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/services_registry.h"

namespace deputy::app {

/// Blocks: hand it to a ServicesRegistry, which calls it on a worker. The error names every problem, with its line
/// where the file itself is wrong.
Result<std::vector<tools::Service>> read_services(const std::filesystem::path& file);

}  // namespace deputy::app
