// Tools that answer questions about services. They read the services registry and nothing else.
//
// To add one: its parameters and a function that makes it in service_tools.cpp, and its line in service_tools().
#pragma once

#include <memory>
#include <vector>

#include "toolkit/tool.h"
#include "tools/services_registry.h"

namespace deputy::tools {

/// The registry outlives every call.
std::vector<std::shared_ptr<const toolkit::Tool>> service_tools(const std::shared_ptr<ServicesRegistry>& registry);

std::shared_ptr<const toolkit::Tool> get_service_info(const std::shared_ptr<ServicesRegistry>& registry);
std::shared_ptr<const toolkit::Tool> list_services(const std::shared_ptr<ServicesRegistry>& registry);

/// Says what to set so that the tools can work; empty: nothing is missing.
std::string missing_registry(const ServicesRegistry& registry);

}  // namespace deputy::tools
