// Holds the settings of tools against the tools there are: at start and on every reload.
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "toolkit/registry.h"
#include "toolkit/settings.h"

namespace deputy::toolkit {

/// Every problem, with its path under `tools`: names of categories, tools and environments that do not exist, each with
/// the nearest that does, and parameters that break the schema of their tool. Where the registry has no tool of a
/// category, the names of its tools are not judged.
std::vector<Problem> check_settings(const ToolsSettings& settings, const Registry& registry,
                                    const std::vector<std::string>& environments);

}  // namespace deputy::toolkit
