// get_service_info = [ look_up ]
#include <fmt/format.h>

#include "base/text.h"
#include "tools/services/service_tools.h"

namespace deputy::tools {

namespace {

struct GetServiceInfoParams {
  std::string service_name;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&GetServiceInfoParams::service_name, "service_name", "The service, by its key or another of its names")
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
  toolkit::ToolSpec spec{
      .name = "get_service_info",
      .description = "Says what is known of one service: its full name, type, aliases, tech stack and repository",
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

}  // namespace deputy::tools
