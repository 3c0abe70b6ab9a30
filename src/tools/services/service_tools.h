// What is known of services. Reads the services registry and nothing else.
//
// To add one: a file beside these with its parameters and a function that makes it, and a line in service_tools.cpp.
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

/// What is to be set before they can work; empty when nothing is.
std::string missing_registry(const ServicesRegistry& registry);

}  // namespace deputy::tools
