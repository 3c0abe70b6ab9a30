#include "tools/services/service_tools.h"

namespace deputy::tools {

std::vector<std::shared_ptr<const toolkit::Tool>> service_tools(const std::shared_ptr<ServicesRegistry>& registry) {
  return {get_service_info(registry), list_services(registry)};
}

std::string missing_registry(const ServicesRegistry& registry) {
  return registry.configured() ? "" : "services.file: a YAML or JSON file of services";
}

}  // namespace deputy::tools
