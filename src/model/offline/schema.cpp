#include "model/offline/schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/text.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kMostChoices = 200;
constexpr std::size_t kLeastPrefix = 3;

std::optional<double> number_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::optional<std::size_t> size_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  const std::optional<std::int64_t> whole = value == nullptr ? std::nullopt : as_whole(*value);
  if (!whole || *whole < 0) return std::nullopt;
  return static_cast<std::size_t>(*whole);
}

Kind kind_named(std::string_view name) {
  if (name == "string") return Kind::text;
  if (name == "integer") return Kind::whole;
  if (name == "number") return Kind::number;
  if (name == "boolean") return Kind::boolean;
  if (name == "array") return Kind::list;
  if (name == "object") return Kind::object;
  return Kind::any;
}

/// `type`, or of several the first that is a kind.
Kind kind_of(const json::object& schema) {
  const json::value* type = schema.if_contains("type");
  if (type == nullptr) return Kind::any;
  if (type->is_string()) return kind_named(as_view(type->get_string()));
  if (const json::array* several = type->if_array()) {
    for (const json::value& one : *several) {
      const Kind kind = one.is_string() ? kind_named(as_view(one.get_string())) : Kind::any;
      if (kind != Kind::any) return kind;
    }
  }
  return Kind::any;
}

/// "This or nothing", as many generators write an optional value: the first alternative that has a kind.
const json::object& alternative_of(const json::object& schema) {
  if (schema.contains("type")) return schema;
  for (const std::string_view key : {"anyOf", "oneOf"}) {
    const json::value* several = schema.if_contains(key);
    if (several == nullptr || !several->is_array()) continue;
    for (const json::value& one : several->get_array()) {
      if (one.is_object() && kind_of(one.get_object()) != Kind::any) return one.get_object();
    }
  }
  return schema;
}

std::vector<json::value> choices_of(const json::object& schema) {
  if (const json::value* only = schema.if_contains("const")) return {*only};
  std::vector<json::value> choices;
  const json::value* list = schema.if_contains("enum");
  if (list == nullptr || !list->is_array()) return choices;
  for (const json::value& choice : list->get_array()) {
    if (choices.size() < kMostChoices && !choice.is_null()) choices.push_back(choice);
  }
  return choices;
}

Parameter read(std::string_view name, const json::object& described) {
  const json::object& schema = alternative_of(described);
  Parameter parameter;
  parameter.name = name;
  parameter.doc = text_at(described, "description");
  parameter.kind = kind_of(schema);
  parameter.choices = choices_of(schema);
  if (const json::value* given = described.if_contains("default")) parameter.default_value = *given;
  const json::object* inner = &schema;
  if (parameter.kind == Kind::list) {
    parameter.max_items = size_at(schema, "maxItems");
    if (const json::object* items = find_object(schema, "items")) {
      inner = &alternative_of(*items);
      parameter.item = kind_of(*inner);
      parameter.choices = choices_of(*inner);
    }
  }
  parameter.is_moment = text_at(*inner, "format").starts_with("date");
  parameter.min = number_at(*inner, "minimum");
  parameter.max = number_at(*inner, "maximum");
  parameter.min_length = size_at(*inner, "minLength");
  parameter.max_length = size_at(*inner, "maxLength");
  return parameter;
}

std::optional<json::value> choice_named(const std::vector<json::value>& choices, std::string_view text) {
  const std::string wanted = to_lower(trim(text));
  const json::value* near = nullptr;
  std::size_t count = 0;
  for (const json::value& choice : choices) {
    const std::string offered = to_lower(as_text(choice));
    if (offered == wanted) return choice;
    // `prod` and `production` are one name, as long as no third could be meant.
    const std::size_t shorter = std::min(offered.size(), wanted.size());
    if (shorter >= kLeastPrefix && offered.substr(0, shorter) == wanted.substr(0, shorter)) {
      near = &choice;
      ++count;
    }
  }
  if (count == 1) return *near;
  return std::nullopt;
}

std::optional<double> read_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<json::value> fit_number(const Parameter& parameter, std::string_view text, Numbers numbers, bool whole) {
  std::optional<double> number = read_number(text);
  if (!number) return std::nullopt;
  if (numbers == Numbers::nearest) {
    if (parameter.max) number = std::min(*number, *parameter.max);
    if (parameter.min) number = std::max(*number, *parameter.min);
  }
  if ((parameter.min && *number < *parameter.min) || (parameter.max && *number > *parameter.max)) return std::nullopt;
  if (!whole) return json::value(*number);
  return as_whole(json::value(*number));
}

std::optional<json::value> fit_text(const Parameter& parameter, std::string_view text) {
  if (!is_valid_utf8(text)) return std::nullopt;
  if (parameter.max_length) text = cut_characters(text, *parameter.max_length);
  if (trim(text).empty() || count_characters(text) < parameter.min_length.value_or(0)) return std::nullopt;
  return json::value(json::string_view(text.data(), text.size()));
}

std::optional<json::value> fit_boolean(std::string_view text) {
  const std::string word = to_lower(text);
  if (word == "true" || word == "yes" || word == "y" || word == "on") return json::value(true);
  if (word == "false" || word == "no" || word == "n" || word == "off") return json::value(false);
  return std::nullopt;
}

std::optional<json::value> fit_scalar(const Parameter& parameter, Kind kind, std::string_view text, Numbers numbers) {
  if (!parameter.choices.empty()) return choice_named(parameter.choices, text);
  switch (kind) {
    case Kind::text:
    case Kind::any:
      return fit_text(parameter, text);
    case Kind::whole:
      return fit_number(parameter, text, numbers, true);
    case Kind::number:
      return fit_number(parameter, text, numbers, false);
    case Kind::boolean:
      return fit_boolean(text);
    case Kind::list:
    case Kind::object:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Parameter> parameters_of(const json::object& schema) {
  std::vector<Parameter> parameters;
  std::unordered_map<std::string, std::size_t> by_name;
  const auto add = [&](std::string_view name, const json::object& described) {
    by_name.emplace(name, parameters.size());
    parameters.push_back(read(name, described));
  };
  if (const json::object* properties = find_object(schema, "properties")) {
    for (const auto& member : *properties) {
      static const json::object kAnything;
      const json::object* described = member.value().if_object();
      add(as_view(member.key()), described == nullptr ? kAnything : *described);
    }
  }
  const json::value* required = schema.if_contains("required");
  if (required == nullptr || !required->is_array()) return parameters;
  for (const json::value& name : required->get_array()) {
    if (!name.is_string()) continue;
    const std::string wanted(as_view(name.get_string()));
    if (!by_name.contains(wanted)) add(wanted, {});
    parameters[by_name.at(wanted)].required = true;
  }
  return parameters;
}

bool can_be_said(const Parameter& parameter) {
  if (!parameter.choices.empty()) return true;
  const Kind kind = parameter.kind == Kind::list ? parameter.item : parameter.kind;
  return kind != Kind::list && kind != Kind::object;
}

std::optional<json::value> fit(const Parameter& parameter, std::string_view text, Numbers numbers) {
  text = trim(text);
  if (parameter.kind != Kind::list) return fit_scalar(parameter, parameter.kind, text, numbers);
  if (parameter.max_items == 0U) return std::nullopt;
  std::optional<json::value> item = fit_scalar(parameter, parameter.item, text, numbers);
  if (!item) return std::nullopt;
  return json::array{*std::move(item)};
}

}  // namespace deputy::model::offline
