#include "model/offline/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "intent/match.h"

namespace deputy::model::offline {

namespace {

using toolkit::Kind;

constexpr std::size_t kMaxRequest = 1000;  // characters

bool is_time(Kind kind) { return kind == Kind::from || kind == Kind::to || kind == Kind::hours; }

std::string type_of(const json::object& schema) {
  const json::value* type = schema.if_contains("type");
  return type != nullptr && type->is_string() ? as_text(*type) : std::string();
}

std::optional<std::int64_t> bound(const json::object& schema, std::string_view key) {
  const json::value* value = schema.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return static_cast<std::int64_t>(value->to_number<double>());
}

/// The text as a value that the schema accepts; a number outside its bounds becomes the nearest bound.
std::optional<json::value> fit(const Parameter& parameter, std::string_view text) {
  text = trim(text);
  const std::string type = type_of(parameter.schema);
  if (const std::vector<std::string> choices = parameter.choices(); !choices.empty()) {
    const auto meant =
        std::ranges::find_if(choices, [&](const std::string& one) { return to_lower(one) == to_lower(text); });
    return meant == choices.end() ? std::nullopt : std::optional(json::value(*meant));
  }
  if (type == "integer" || type == "number") {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    number = std::min(number, bound(parameter.schema, "maximum").value_or(number));
    return json::value(std::max(number, bound(parameter.schema, "minimum").value_or(number)));
  }
  if (text.empty() || !is_valid_utf8(text) || (type != "string" && type != "array")) return std::nullopt;
  json::value value(json::string_view(text.data(), text.size()));
  if (type == "array") return parameter.can_be_said() ? std::optional(json::value(json::array{value})) : std::nullopt;
  if (count_characters(text) > static_cast<std::size_t>(bound(parameter.schema, "maxLength").value_or(1 << 20)))
    return std::nullopt;
  return value;
}

constexpr std::size_t kMaxQuestions = 10;
constexpr std::size_t kLeastOptions = 2;
constexpr std::size_t kMaxOptions = 25;
constexpr std::size_t kMaxDoc = 300;

/// The options of the question; empty for free text.
std::vector<std::string> options_of(const Parameter& missing, const std::vector<std::string>& environments) {
  std::vector<std::string> options = missing.choices();
  if (options.empty() && missing.kind == toolkit::Kind::environment) options = environments;
  if (options.size() > kMaxOptions) options.clear();  // a shortened list would hide valid choices
  return options;
}

std::string question_of(const Parameter& missing) {
  if (missing.kind == toolkit::Kind::environment) return "Which environment?";
  if (missing.kind == toolkit::Kind::service) return "Which service?";
  if (missing.kind == toolkit::Kind::query) return "What should I look for?";
  std::string name(cut_characters(missing.name, 100));
  std::ranges::replace(name, '_', ' ');
  const json::value* doc = missing.schema.if_contains("description");
  if (doc == nullptr) return to_valid_utf8(fmt::format("Which {}?", name));
  return to_valid_utf8(fmt::format("Which {}? ({})", name, cut_characters(as_text(*doc), kMaxDoc)));
}

}  // namespace

std::string Parameter::label() const {
  if (kind == Kind::service) return "service";
  if (kind == Kind::environment) return "environment";
  return to_valid_utf8(std::string(cut_characters(name, 100)));
}

bool Parameter::can_be_said() const {
  if (type_of(schema) != "array") return type_of(schema) != "object";
  const json::object* items = find_object(schema, "items");
  const std::string item = items == nullptr ? "" : type_of(*items);
  return item != "object" && item != "array" && items != nullptr;
}

std::vector<std::string> Parameter::choices() const {
  std::vector<std::string> choices;
  const json::value* list = schema.if_contains("enum");
  for (const json::value& choice : list != nullptr && list->is_array() ? list->get_array() : json::array{}) {
    const std::string name = choice.is_string() ? as_text(choice) : std::string();
    if (!trim(name).empty() && is_valid_utf8(name) && !contains(choices, name)) choices.push_back(name);
  }
  return choices;
}

std::vector<Parameter> parameters_of(const toolkit::ToolSpec& spec) {
  std::vector<Parameter> parameters;
  const json::object* properties = find_object(spec.params, "properties");
  const json::value* required = spec.params.if_contains("required");
  for (const auto& member : properties == nullptr ? json::object{} : *properties) {
    const std::string name(as_view(member.key()));
    const auto kind = spec.kinds.find(name);
    parameters.push_back({.name = name,
                          .kind = kind == spec.kinds.end() ? std::nullopt : std::optional(kind->second),
                          .schema = member.value().is_object() ? member.value().get_object() : json::object{},
                          .required = required != nullptr && required->is_array() &&
                                      contains(required->get_array(), json::value(name))});
  }
  return parameters;
}

/// The values of a kind that the request itself names; there may be several.
std::vector<std::string> Arguments::named(const toolkit::ToolSpec& spec, Kind kind) const {
  const intent::Parameters& said = conversation_.intent.parameters;
  const intent::TimeRange& time = said.time_range;
  if (kind == Kind::service) return said.services;
  if (kind == Kind::url) return said.urls;
  std::string value;
  if (kind == Kind::environment) value = said.environment.value_or("");
  if (kind == Kind::from && time.from) value = format_timestamp(*time.from);
  if (kind == Kind::to && time.to) value = format_timestamp(*time.to);
  if (kind == Kind::hours && time.hours_back && !time.from) value = std::to_string(*time.hours_back);
  if (kind == Kind::count && said.message_count) value = std::to_string(*said.message_count);
  if (kind == Kind::query || kind == Kind::command) value = said.text;
  if (kind == Kind::path) value = intent::path_in(intent::Tokens(conversation_.request));
  if (kind == Kind::id) value = intent::id_behind(intent::Tokens(conversation_.request), spec.topics);
  if (kind == Kind::text) value = cut_characters(conversation_.request, kMaxRequest);
  if (value.empty()) return {};
  return {value};
}

/// "open tickets": a choice of a parameter that the request says. The default needs no word, so that of "all open
/// tickets" it is `open`.
std::vector<std::string> Arguments::chosen(const Parameter& parameter) const {
  const json::value* usual = parameter.schema.if_contains("default");
  const intent::Tokens tokens(conversation_.request);
  const intent::Claims claims(tokens.size(), false);
  for (const std::string& choice : parameter.choices()) {
    const bool is_default = usual != nullptr && as_text(*usual) == choice;
    if (!is_default && intent::find_phrase(tokens, claims, choice)) return {choice};
  }
  return {};
}

std::vector<std::string> Arguments::taken_over(const toolkit::ToolSpec& spec, Kind kind) const {
  std::vector<std::string> values;
  if (!takes_over_ || (is_time(kind) && conversation_.intent.parameters.time_range.from)) return values;
  for (const Call& call : conversation_.before) {
    const auto tool = registry_.find(call.tool);
    if (!tool || (call.tool != spec.name && kind != Kind::service && kind != Kind::environment && !is_time(kind)))
      continue;
    for (const auto& [parameter, its_kind] : (*tool)->spec().kinds) {
      const json::value* value = its_kind == kind ? call.arguments.if_contains(parameter) : nullptr;
      if (value != nullptr && !contains(values, as_text(*value))) values.push_back(as_text(*value));
    }
  }
  return values;
}

std::vector<std::string> Arguments::values(const toolkit::ToolSpec& spec, const Parameter& parameter) const {
  const auto answer = conversation_.answers.by_label.find(parameter.label());
  if (answer != conversation_.answers.by_label.end()) return {answer->second};
  if (!parameter.kind) return chosen(parameter);
  // What must be looked for is often said: in quotes, after "for".
  const std::string& text = conversation_.intent.parameters.text;
  const bool is_looked_for = parameter.required && parameter.kind == Kind::text && toolkit::always_reads(spec);
  if (is_looked_for && !text.empty()) return {text};
  // A path or an id in a request is seldom meant for an optional parameter.
  if (!parameter.required && (parameter.kind == Kind::path || parameter.kind == Kind::id)) return {};
  std::vector<std::string> said = named(spec, *parameter.kind);
  return said.empty() || (takes_over_ && parameter.kind == Kind::text) ? taken_over(spec, *parameter.kind) : said;
}

Filled Arguments::fill(const toolkit::ToolSpec& spec, std::size_t which) const {
  Filled filled;
  for (Parameter& parameter : parameters_of(spec)) {
    const std::vector<std::string> found = values(spec, parameter);
    const std::optional<json::value> value =
        found.empty() ? std::nullopt : fit(parameter, found[std::min(which, found.size() - 1)]);
    if (value) {
      filled.arguments[parameter.name] = *value;
    } else if (parameter.required || (parameter.kind == Kind::environment && !conversation_.environments.empty())) {
      filled.missing.push_back(std::move(parameter));
    }
  }
  return filled;
}

std::size_t Arguments::calls_needed(const toolkit::ToolSpec& spec) const {
  std::size_t needed = 1;
  for (const Parameter& parameter : parameters_of(spec)) needed = std::max(needed, values(spec, parameter).size());
  return needed;
}

json::object form_for(const toolkit::ToolSpec& spec, const std::vector<Parameter>& missing,
                      const std::vector<std::string>& environments) {
  json::array questions;
  std::vector<std::string> labels;
  for (const Parameter& one : missing) {
    const std::string label = one.label();
    if (contains(labels, label) || questions.size() == kMaxQuestions) continue;
    labels.push_back(label);
    json::object question{{"label", label}, {"question", question_of(one)}, {"parameter", spec.name + "." + one.name}};
    const std::vector<std::string> options = options_of(one, environments);
    if (options.size() >= kLeastOptions) {
      json::array offered;
      for (const std::string& option : options) offered.push_back(json::object{{"value", option}, {"label", option}});
      question["options"] = std::move(offered);
      question["allow_custom"] = one.choices().empty();
    }
    questions.push_back(std::move(question));
  }
  return {{"questions", std::move(questions)}};
}

}  // namespace deputy::model::offline
