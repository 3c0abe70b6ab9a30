// The tool that investigates an issue in a run of its own.
#pragma once

#include <memory>

#include "toolkit/tool.h"
#include "tools/services_registry.h"

namespace deputy::tools {

/// investigate_issue(service*, environment*, description): a child run that may only read, with a turn limit of its
/// own. The registry knows the repositories of services.
std::shared_ptr<const toolkit::Tool> investigate_issue(const std::shared_ptr<ServicesRegistry>& registry);

}  // namespace deputy::tools
