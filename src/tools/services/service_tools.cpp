#include "tools/services/service_tools.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

std::vector<std::shared_ptr<const toolkit::Tool>> service_tools(const std::shared_ptr<ServicesRegistry>& registry) {
  return {get_service_info(registry), list_services(registry)};
}

std::string missing_registry(const ServicesRegistry& registry) {
  return registry.configured() ? "" : "services.file: a YAML or JSON file of services, or services.s3";
}

// get_service_info = [ look_up ]

namespace {

struct GetServiceInfoParams {
  std::string service_name;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&GetServiceInfoParams::service_name, "service_name", "Service name or alias")
        .characters(1, 200)
        .kind(toolkit::Kind::service);
  }
};

std::string in_words(const Service& service) {
  std::string text = fmt::format("{}{}\n", service.key, service.full_name.empty() ? "" : ": " + service.full_name);
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
  };
  line("description", service.description);
  line("type", service.type);
  line("aliases", join(service.aliases, ", "));
  line("tech stack", join(service.tech_stack, ", "));
  line("repo", service.repo);
  return text;
}

Task<toolkit::Step> look_up(std::shared_ptr<ServicesRegistry> registry, std::string name) {
  const auto list = co_await registry->current();
  if (!list) co_return list.error();
  const auto found = (*list)->find_or_suggest(name);
  if (!found) co_return found.error();
  json::object data = to_json(**found);
  data["key"] = (*found)->key;
  co_return toolkit::Output{in_words(**found), std::move(data)};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> get_service_info(const std::shared_ptr<ServicesRegistry>& registry) {
  toolkit::ToolSpec spec{.name = "get_service_info",
                         .version = 1,
                         .description =
                             "Returns what is known about one service: full name, type, aliases, tech stack, "
                             "repository. Use it to resolve a name that a person used.",
                         .category = "service_tools",
                         .effect = toolkit::Effect::read,
                         .primary_param = "service_name",
                         .missing = missing_registry(*registry)};
  spec.topics = {.words = {"service info", "about", "owner", "owns", "stack", "repository", "info", "alias"},
                 .examples = {"what is {service}?", "tell me about {service}"},
                 .working = "Looking up {service}"};
  return toolkit::make_tool<GetServiceInfoParams>(std::move(spec), [registry](const GetServiceInfoParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "look_up", .repeatable = true, .call = [registry, name = params.service_name](toolkit::CallContext&) {
           return look_up(registry, name);
         }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// list_services = [ list ]

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
  std::string text = count_of(static_cast<std::int64_t>(services.size()), "service") + "\n";
  for (const Service& service : services) text += in_a_line(service) + "\n";
  co_return toolkit::Output{std::move(text), {{"count", services.size()}}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> list_services(const std::shared_ptr<ServicesRegistry>& registry) {
  toolkit::ToolSpec spec{.name = "list_services",
                         .version = 1,
                         .description =
                             "Lists every known service with its aliases and what it does. Use it when a request names "
                             "a service you cannot place.",
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
