#include "toolkit/settings.h"

#include <fmt/format.h>

namespace deputy::toolkit {

namespace {

const CategorySettings* category_of(const ToolsSettings& settings, const ToolSpec& spec) {
  const auto found = settings.find(spec.category);
  return found == settings.end() ? nullptr : &found->second;
}

const ToolSettings* tool_of(const CategorySettings* category, const ToolSpec& spec) {
  if (category == nullptr) return nullptr;
  const auto found = category->tools.find(spec.name);
  return found == category->tools.end() ? nullptr : &found->second;
}

bool gives(const json::object& arguments, json::string_view name) {
  const json::value* value = arguments.if_contains(name);
  return value != nullptr && !value->is_null();
}

// A null argument counts as missing, as in the parser.
void add_missing(json::object& arguments, const json::object& defaults) {
  for (const auto& parameter : defaults) {
    if (!gives(arguments, parameter.key())) arguments[parameter.key()] = parameter.value();
  }
}

std::string environment_of(const json::object& arguments, const json::object& defaults) {
  for (const json::object* object : {&arguments, &defaults}) {
    if (!gives(*object, "environment")) continue;
    const json::value& environment = object->at("environment");
    return environment.is_string() ? std::string(as_view(environment.get_string())) : std::string();
  }
  return {};
}

void apply(const ToolOverrides& overrides, CallSettings& call) {
  if (overrides.enabled) call.enabled = *overrides.enabled;
  if (overrides.timeout_seconds) call.timeout = std::chrono::seconds(*overrides.timeout_seconds);
  if (overrides.rate_limits) call.rate_limits = overrides.rate_limits;
}

}  // namespace

CallSettings settings_for(const ToolsSettings& settings, const ToolSpec& spec, const json::object& arguments) {
  CallSettings call{spec.enabled, spec.timeout, arguments, std::nullopt, spec.name};
  const CategorySettings* category = category_of(settings, spec);
  if (const ToolSettings* tool = tool_of(category, spec)) {
    apply(*tool, call);
    const std::string environment = environment_of(arguments, tool->parameters);
    const auto overrides = tool->environments.find(environment);
    if (overrides != tool->environments.end()) {
      apply(overrides->second, call);
      add_missing(call.arguments, overrides->second.parameters);
      if (overrides->second.rate_limits) call.rate_bucket = fmt::format("{}@{}", spec.name, environment);
    }
    add_missing(call.arguments, tool->parameters);
  }
  if (category != nullptr && !category->enabled.value_or(true)) call.enabled = false;
  return call;
}

Enabled is_enabled(const ToolsSettings& settings, const ToolSpec& spec) {
  const CategorySettings* category = category_of(settings, spec);
  if (category != nullptr && !category->enabled.value_or(true)) {
    return {false, fmt::format("tools.{}.enabled", spec.category)};
  }
  const ToolSettings* tool = tool_of(category, spec);
  const bool enabled = tool == nullptr ? spec.enabled : tool->enabled.value_or(spec.enabled);
  return {enabled, enabled ? "" : fmt::format("tools.{}.{}.enabled", spec.category, spec.name)};
}

}  // namespace deputy::toolkit
