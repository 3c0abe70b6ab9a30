#include "run/plan/prepare.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "redact/marker.h"
#include "redact/redact.h"
#include "toolkit/digest.h"
#include "toolkit/settle.h"

namespace deputy::run {

namespace {

constexpr std::string_view kEnvironment = "environment";
constexpr std::string_view kWorkspaceTools = "workspace_tools";

const json::object* parameters_of(const toolkit::ToolSpec& spec) { return find_object(spec.params, "properties"); }

bool takes(const toolkit::ToolSpec& spec, std::string_view parameter) {
  const json::object* parameters = parameters_of(spec);
  return parameters != nullptr && parameters->contains(parameter);
}

bool admits_free_text(const json::value& schema, int depth);

// Keys may be anything where the schema does not close the object.
bool object_admits_free_text(const json::object& schema, int depth) {
  const json::value* rest = schema.if_contains("additionalProperties");
  const bool closed = rest != nullptr && rest->is_bool() && !rest->get_bool();
  if (!closed || schema.contains("patternProperties")) return true;
  const json::object* members = find_object(schema, "properties");
  return members != nullptr &&
         std::ranges::any_of(*members, [&](const auto& member) { return admits_free_text(member.value(), depth + 1); });
}

bool type_admits_free_text(std::string_view type, const json::object& schema, int depth) {
  if (type == "integer" || type == "number" || type == "boolean" || type == "null") return false;
  if (type == "object") return object_admits_free_text(schema, depth);
  const json::value* items = schema.if_contains("items");
  return type != "array" || items == nullptr || admits_free_text(*items, depth + 1);
}

// True when arguments of this schema can hold free text, or when that cannot be told.
bool admits_free_text(const json::value& schema, int depth) {
  constexpr int kDeepest = 10;
  if (schema.is_bool()) return schema.get_bool();
  if (!schema.is_object() || depth > kDeepest) return true;
  const json::object& rules = schema.get_object();
  if (rules.contains("enum") || rules.contains("const")) return false;
  const json::value* type = rules.if_contains("type");
  if (type == nullptr) return true;
  if (type->is_string()) return type_admits_free_text(as_view(type->get_string()), rules, depth);
  const json::array* types = type->if_array();
  return types == nullptr || std::ranges::any_of(*types, [&](const json::value& one) {
           return !one.is_string() || type_admits_free_text(as_view(one.get_string()), rules, depth);
         });
}

std::optional<std::string> text_argument(const json::object& arguments, std::string_view name) {
  const json::value* value = arguments.if_contains(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return as_text(*value);
}

// Also what is split over members of a list or hidden by JSON's escapes is looked at as the tool would get it.
bool holds_secret(const json::value& value, int depth = 0) {
  constexpr int kDeepest = 40;
  if (depth > kDeepest) return true;
  if (const json::string* text = value.if_string())
    return redact::holds_marker(as_view(*text)) || !redact::find(as_view(*text)).empty();
  if (const json::array* items = value.if_array())
    return std::ranges::any_of(*items, [&](const json::value& item) { return holds_secret(item, depth + 1); });
  const json::object* members = value.if_object();
  return members != nullptr && std::ranges::any_of(*members, [&](const auto& member) {
           return redact::holds_marker(as_view(member.key())) || holds_secret(member.value(), depth + 1);
         });
}

// Whatever name people use for an environment, tools, settings and policy see its one name.
void settle_environment(json::object& arguments, const toolkit::ToolSpec& spec, const Rules& rules,
                        const policy::Place& place) {
  if (!takes(spec, kEnvironment)) return;
  const json::value* given = arguments.if_contains(kEnvironment);
  const bool none = given == nullptr || given->is_null();
  if (!none && !given->is_string()) return;  // the tool says what is wrong with it
  if (none && !spec.means_default_environment) return;
  const std::string named = none ? policy::rules_at(place, rules.policy.settings).default_environment
                                 : std::string(as_view(given->get_string()));
  const std::string environment = canonical_environment(named, rules);
  if (!environment.empty()) arguments[kEnvironment] = environment;
}

// Whatever name people use for a service, tools and policy see its key; a name that several have stays as it is.
void settle_services(json::object& arguments, const toolkit::ToolSpec& spec, const Rules& rules) {
  for (const auto& [parameter, kind] : spec.kinds) {
    json::value* value = kind == toolkit::Kind::service ? arguments.if_contains(parameter) : nullptr;
    if (value == nullptr || !value->is_string()) continue;
    const std::string name = to_lower(trim(as_view(value->get_string())));
    const auto is_it = [&](const std::string& other) { return to_lower(other) == name; };
    std::set<std::string> meant;
    for (const intent::KnownService& service : rules.services) {
      if (is_it(service.key)) {
        meant = {service.key};  // a key is nobody else's name
        break;
      }
      if (is_it(service.full_name) || std::ranges::any_of(service.aliases, is_it)) meant.insert(service.key);
    }
    if (meant.size() == 1) *value = *meant.begin();
  }
}

// Only the arguments that rules can look at: the others may be large.
void add_values(policy::Call& call, const toolkit::ToolSpec& spec, const json::object& arguments,
                const policy::Policy& policy) {
  std::set<std::string> named = policy.rules.parameters_of(spec.name);
  named.merge(policy.hard_deny.parameters_of(spec.name));
  if (!spec.primary_param.empty()) named.insert(spec.primary_param);
  for (const auto& [parameter, kind] : spec.kinds) {
    const bool is_settled = kind == toolkit::Kind::path || kind == toolkit::Kind::url || kind == toolkit::Kind::channel;
    if (is_settled) named.insert(parameter);
  }
  for (const std::string& parameter : named) {
    std::optional<std::string> text = text_argument(arguments, parameter);
    if (!text) continue;
    const auto kind = spec.kinds.find(parameter);
    policy::Value value{*std::move(text)};
    if (kind != spec.kinds.end()) {
      if (kind->second == toolkit::Kind::path) value.kind = policy::ValueKind::path;
      std::string other = toolkit::other_spelling(kind->second, value.text);
      if (!other.empty()) value.also.push_back(std::move(other));
    }
    if (spec.primary_is_command_line && parameter == spec.primary_param) value.kind = policy::ValueKind::command_line;
    call.values.emplace(parameter, std::move(value));
  }
}

policy::Call call_for_policy(const toolkit::ToolSpec& spec, const json::object& arguments, toolkit::CallMode mode,
                             const std::string& chain, const policy::Policy& policy) {
  policy::Call call = any_call_of(spec);
  call.always_ask = toolkit::always_asks(spec, arguments);
  call.effect = effect_of(spec, arguments) == toolkit::Effect::read ? policy::Effect::read : policy::Effect::write;
  if (takes(spec, kEnvironment)) call.environment = text_argument(arguments, kEnvironment).value_or("");
  add_values(call, spec, arguments, policy);
  // Without the preview: a grant is asked about before there is one.
  call.digest = toolkit::call_digest({spec.name, arguments, mode, chain, nullptr});
  call.pins = toolkit::pins_of(spec, arguments);
  call.session_pins = static_cast<bool>(spec.pins_of);
  call.free_text = admits_free_text(spec.params, 0);
  call.why_write = words_of(spec, arguments).why_write;
  const bool has_path_rules = !spec.path_rules_of.empty() && (policy.rules.has_deny(spec.path_rules_of) ||
                                                              policy.hard_deny.has_deny(spec.path_rules_of));
  if (call.effect == policy::Effect::read && has_path_rules && toolkit::reads_around_rules(spec, arguments)) {
    call.effect = policy::Effect::write;
    call.why_write = fmt::format("it may show what the rules of {} forbid", spec.path_rules_of);
  }
  return call;
}

}  // namespace

Result<> refuse_secrets(const json::object& arguments) {
  if (!holds_secret(arguments) && redact::find(json::serialize(arguments)).empty()) return {};
  return fail(ErrorKind::invalid_input, "the arguments hold a secret, or the mark of one that was taken out",
              "name the secret by reference");
}

policy::Call any_call_of(const toolkit::ToolSpec& spec) {
  policy::Call call;
  call.tool = spec.name;
  call.category = spec.category;
  call.always_ask = spec.always_ask;
  call.talk_tool = spec.talk_tool();
  call.primary = spec.primary_param;
  call.place = spec.place_param;
  call.path_rules_of = spec.path_rules_of;
  // Rooted in a folder of this machine: on a network channel it is off until that channel's categories list it.
  call.off_until_listed = spec.category == kWorkspaceTools;
  return call;
}

Result<PreparedCall> prepare(const CallRequested& wish, const toolkit::Registry& registry, const Rules& rules,
                             const policy::Place& place) {
  PreparedCall prepared;
  TRY(prepared.tool, registry.find_enabled(wish.tool, rules.tools));
  const toolkit::ToolSpec& spec = prepared.spec();
  if (!spec.missing.empty()) {
    return fail(ErrorKind::not_configured, fmt::format("`{}` is not set up here", spec.name), spec.missing);
  }
  TRY(toolkit::ModedCall moded, toolkit::take_background(spec, wish.arguments));
  prepared.mode = moded.mode;
  settle_environment(moded.arguments, spec, rules, place);
  // The environment may come from settings, and decides in turn which of them hold: so it is settled first.
  json::object by_settings = toolkit::settings_for(rules.tools, spec, moded.arguments).arguments;
  settle_environment(by_settings, spec, rules, place);
  if (const json::value* named = by_settings.if_contains(kEnvironment)) moded.arguments[kEnvironment] = *named;
  prepared.settings = toolkit::settings_for(rules.tools, spec, moded.arguments);
  if (!prepared.settings.enabled) {
    return fail(ErrorKind::not_configured, fmt::format("`{}` is off in this environment", spec.name),
                fmt::format("see tools.{}.{}.environments", spec.category, spec.name));
  }
  TRY(prepared.arguments, prepared.tool->complete_arguments(prepared.settings.arguments));
  TRY(toolkit::settle(spec, prepared.arguments));
  settle_services(prepared.arguments, spec, rules);
  TRY(refuse_secrets(prepared.arguments));
  TRY(prepared.pipeline, prepared.tool->compose(prepared.arguments));
  prepared.chain = toolkit::chain_digest(spec, prepared.pipeline);
  prepared.call = call_for_policy(spec, prepared.arguments, prepared.mode, prepared.chain, rules.policy);
  return prepared;
}

}  // namespace deputy::run
