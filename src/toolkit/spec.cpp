#include "toolkit/spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "intent/match.h"

namespace deputy::toolkit {

namespace {

constexpr std::size_t kMaxName = 64;  // of what model providers accept
constexpr std::size_t kLargestSchema = 64 * 1024;
constexpr std::size_t kShortestDescription = 10;
constexpr std::size_t kMaxDescription = 500;
constexpr std::string_view kMcpPrefix = "mcp:";

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

std::string shown(std::string_view name) { return cut_with_mark(name, kMaxName); }

void check_schema(const ToolSpec& spec, std::vector<std::string>& problems) {
  const json::value* type = spec.params.if_contains("type");
  const json::object* properties = find_object(spec.params, "properties");
  if (type == nullptr || *type != "object" || properties == nullptr) {
    problems.emplace_back("its params must be a JSON Schema of type object with properties");
    return;
  }
  const json::object& known = *properties;
  const auto must_exist = [&](std::string_view param, std::string_view role) {
    if (!known.contains(param)) problems.push_back(fmt::format("its {} `{}` is no parameter", role, shown(param)));
  };
  for (const auto& property : known) {
    if (!property.value().is_object()) {
      problems.push_back(fmt::format("its parameter `{}` has no schema", shown(as_view(property.key()))));
    }
  }
  if (const json::value* required = spec.params.if_contains("required")) {
    const json::array* names = required->if_array();
    if (names == nullptr) problems.emplace_back("`required` of its params must be a list");
    for (const json::value& entry : names == nullptr ? json::array{} : *names) {
      if (entry.is_string()) {
        must_exist(as_view(entry.get_string()), "required");
      } else {
        problems.emplace_back("`required` of its params must be a list of names");
      }
    }
  }
  if (known.contains(kBackground)) problems.push_back(fmt::format("`{}` is no parameter of its own", kBackground));
  if (!spec.primary_param.empty()) must_exist(spec.primary_param, "primary_param");
  for (const std::string& pin : spec.pins) must_exist(pin, "pin");
  if (json::serialize(spec.params).size() > kLargestSchema) {
    problems.push_back(fmt::format("its params take more than {} bytes", kLargestSchema));
  }
}

void check_topics(const ToolSpec& spec, std::vector<std::string>& problems) {
  const Topics& topics = spec.topics;
  if (!topics.words.empty() && topics.verbs.empty() && !always_reads(spec))
    problems.emplace_back("it may change something and its topics name no verb that must be ordered");
  const auto check = [&](std::string_view text) {
    const std::string left = intent::fill_in(text, [&](Kind kind) {
      const bool takes = std::ranges::any_of(spec.kinds, [&](const auto& one) { return one.second == kind; });
      return takes ? std::string("x") : std::string("{");
    });
    if (left.contains('{')) problems.push_back(fmt::format("`{}` names what is no kind of its parameters", text));
  };
  check(topics.working);
  for (const std::string& example : topics.examples) check(example);
}

}  // namespace

std::string_view name(Effect effect) { return effect == Effect::read ? "read" : "write"; }

Effect effect_of(const ToolSpec& spec, const json::object& arguments) {
  if (const auto* fixed = std::get_if<Effect>(&spec.effect)) return *fixed;
  try {
    const auto& decide = std::get<EffectOfArguments>(spec.effect);
    return decide ? decide(arguments).value_or(Effect::write) : Effect::write;
  } catch (const std::exception& error) {
    log::error("effect of a call could not be told", {{"tool", spec.name}, {"what", error.what()}});
    return Effect::write;
  }
}

bool always_asks(const ToolSpec& spec, const json::object& arguments) {
  try {
    return spec.always_ask || (spec.always_asks_for && spec.always_asks_for(arguments));
  } catch (const std::exception& error) {
    log::error("whether a call always asks could not be told", {{"tool", spec.name}, {"what", error.what()}});
    return true;
  }
}

bool reads_around_rules(const ToolSpec& spec, const json::object& arguments) {
  try {
    return spec.reads_around_rules && spec.reads_around_rules(arguments);
  } catch (const std::exception& error) {
    log::error("whether a call reads around rules could not be told", {{"tool", spec.name}, {"what", error.what()}});
    return true;
  }
}

std::map<std::string, std::string> pins_of(const ToolSpec& spec, const json::object& arguments) {
  std::map<std::string, std::string> pins;
  try {
    if (spec.pins_of) return spec.pins_of(arguments);
  } catch (const std::exception& error) {
    log::error("what a grant would be bound to could not be told", {{"tool", spec.name}, {"what", error.what()}});
    return {};
  }
  for (const std::string& pin : spec.pins) {
    const json::value* value = arguments.if_contains(pin);
    if (value != nullptr && !value->is_null()) pins.emplace(pin, as_text(*value));
  }
  return pins;
}

CallDescription words_of(const ToolSpec& spec, const json::object& arguments) {
  try {
    return spec.words ? spec.words(arguments) : CallDescription{};
  } catch (const std::exception& error) {
    log::error("what a call is about could not be told", {{"tool", spec.name}, {"what", error.what()}});
    return {};
  }
}

std::string working_line(const ToolSpec& spec, const json::object& arguments) {
  return intent::fill_in(spec.topics.working, [&](Kind kind) {
    for (const auto& [parameter, its_kind] : spec.kinds) {
      const json::value* value = its_kind == kind ? arguments.if_contains(parameter) : nullptr;
      if (value != nullptr) return as_text(*value);
    }
    return std::string();
  });
}

intent::KnownTool known_tool(const ToolSpec& spec) {
  intent::KnownTool tool{spec.name, spec.topics, always_reads(spec), {}};
  const json::value* required = spec.params.if_contains("required");
  for (const auto& [parameter, kind] : spec.kinds) {
    const bool needed =
        required != nullptr && required->is_array() && contains(required->get_array(), json::value(parameter));
    tool.parameters.push_back({parameter, kind, needed});
  }
  return tool;
}

bool always_reads(const ToolSpec& spec) {
  const auto* effect = std::get_if<Effect>(&spec.effect);
  return effect != nullptr && *effect == Effect::read && !spec.changes_runs;
}

std::string_view effect_in_words(const ToolSpec& spec) {
  const auto* fixed = std::get_if<Effect>(&spec.effect);
  return fixed == nullptr ? "by_arguments" : name(*fixed);
}

std::span<const std::string> known_categories() {
  static const std::vector<std::string> categories{
      "slack_tools",     "log_tools",   "pipeline_tools", "code_tools",     "ticket_tools",
      "doc_tools",       "alarm_tools", "incident_tools", "cluster_tools",  "service_tools",
      "workspace_tools", "aws_tools",   "task_tools",     "analysis_tools", "talk_tools"};
  return categories;
}

bool is_known_category(std::string_view category) {
  if (category.starts_with(kMcpPrefix)) return is_word(category.substr(kMcpPrefix.size()));
  return contains(known_categories(), category);
}

std::vector<std::string> check_spec(const ToolSpec& spec) {
  std::vector<std::string> problems;
  const auto check_name = [&](std::string_view tool_name) {
    if (is_word(tool_name)) return;
    problems.push_back(fmt::format("`{}` is no name: 1 to {} letters, digits, _ and -", shown(tool_name), kMaxName));
  };
  check_name(spec.name);
  for (const std::string& alias : spec.aliases) check_name(alias);
  if (spec.version < 1) problems.emplace_back("its version must be at least 1");
  const std::size_t characters = count_characters(spec.description);
  if (characters < kShortestDescription || characters > kMaxDescription || !is_valid_utf8(spec.description)) {
    problems.push_back(fmt::format("its description must have {} to {} characters, not {}", kShortestDescription,
                                   kMaxDescription, characters));
  }
  if (!is_known_category(spec.category)) {
    const std::string_view near = nearest(spec.category, known_categories());
    problems.push_back(fmt::format("there is no category `{}`{}", shown(spec.category),
                                   near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  if (spec.timeout < kShortestTimeout || spec.timeout > kMaxTimeout) {
    problems.push_back(fmt::format("its timeout must be {} to {}, not {}", format_duration(kShortestTimeout),
                                   format_duration(kMaxTimeout), format_duration(spec.timeout)));
  }
  if (spec.primary_is_command_line && spec.primary_param.empty()) {
    problems.emplace_back("it has a command line and names no primary_param");
  }
  check_schema(spec, problems);
  check_topics(spec, problems);
  return problems;
}

Result<ModedCall> take_background(const ToolSpec& spec, json::object arguments) {
  const json::value* given = arguments.if_contains(kBackground);
  if (given == nullptr) return ModedCall{CallMode::foreground, std::move(arguments)};
  if (!spec.accepts_background()) {
    return fail(ErrorKind::invalid_input, fmt::format("`{}` cannot run in the background", spec.name),
                "leave `background` out");
  }
  if (!given->is_bool() && !given->is_null()) {
    return fail(ErrorKind::invalid_input, "`background`: this must be true or false");
  }
  const CallMode mode = given->is_bool() && given->get_bool() ? CallMode::background : CallMode::foreground;
  arguments.erase(kBackground);
  return ModedCall{mode, std::move(arguments)};
}

json::object offered_params(const ToolSpec& spec) {
  json::object params = spec.params;
  if (!spec.accepts_background()) return params;
  if (json::object* properties = params["properties"].if_object()) {
    (*properties)[kBackground] = {
        {"type", "boolean"},
        {"default", false},
        {"description", "Return a task id at once and run in the background; the thread is told when it ends"}};
  }
  return params;
}

}  // namespace deputy::toolkit
