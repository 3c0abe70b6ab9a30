// list_services = [ list ]
#include <fmt/format.h>

#include "base/text.h"
#include "tools/services/service_tools.h"

namespace deputy::tools {

namespace {

struct ListServicesParams {
  template <class Fields>
  static void fields(Fields&) {}
};

std::string in_a_line(const Service& service) {
  std::string line = service.key;
  if (!service.full_name.empty()) line += " (" + service.full_name + ")";
  if (!service.type.empty()) line += ", " + service.type;
  if (!service.aliases.empty()) line += ", also " + join(service.aliases, ", ");
  if (!service.description.empty()) line += ": " + cut_with_mark(service.description, 120);
  return line;
}

Task<toolkit::Step> list(const std::shared_ptr<ServicesRegistry>& registry) {
  const auto current = co_await registry->current();
  if (!current) co_return current.error();
  const std::vector<Service>& services = (*current)->services();
  std::string text = fmt::format("{} services\n", services.size());
  for (const Service& service : services) text += in_a_line(service) + "\n";
  co_return toolkit::Output{std::move(text), {{"count", services.size()}}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> list_services(const std::shared_ptr<ServicesRegistry>& registry) {
  toolkit::ToolSpec spec{.name = "list_services",
                         .description = "Lists the services there are, with their other names and what they do",
                         .category = "service_tools",
                         .effect = toolkit::Effect::read,
                         .missing = missing_registry(*registry)};
  spec.topics = {.words = {"services"},
                 .examples = {"which services are there?", "list all services"},
                 .working = "Listing services"};
  return toolkit::make_tool<ListServicesParams>(std::move(spec), [registry](const ListServicesParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "list", .repeatable = true, .call = [registry](toolkit::CallContext&) { return list(registry); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
