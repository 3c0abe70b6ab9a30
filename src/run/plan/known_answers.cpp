#include "run/plan/known_answers.h"

#include <algorithm>

#include "base/text.h"

namespace deputy::run {

namespace {

using interaction::AnswerType;
using interaction::Question;
using interaction::Takes;
using toolkit::Kind;

struct Parameter {
  const json::object* schema = nullptr;  // null: unknown
  std::optional<Kind> kind;
};

Parameter parameter_of(const Question& question, const toolkit::Registry& registry) {
  const std::size_t dot = question.parameter.rfind('.');
  if (dot == std::string::npos) return {};
  const auto tool = registry.find(question.parameter.substr(0, dot));
  if (!tool) return {};
  const toolkit::ToolSpec& spec = (*tool)->spec();
  const std::string name = question.parameter.substr(dot + 1);
  const json::object* properties = find_object(spec.params, "properties");
  const auto kind = spec.kinds.find(name);
  return {.schema = properties == nullptr ? nullptr : find_object(*properties, name),
          .kind = kind == spec.kinds.end() ? std::nullopt : std::optional(kind->second)};
}

std::optional<double> number_at(const json::object& schema, std::string_view key) {
  const json::value* value = schema.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::vector<std::string> choices_in(const json::object& schema) {
  std::vector<std::string> choices;
  const json::value* list = schema.if_contains("enum");
  if (list == nullptr || !list->is_array()) return choices;
  for (const json::value& choice : list->get_array()) {
    if (choice.is_string()) choices.push_back(as_text(choice));
  }
  return choices;
}

Takes takes_by(const json::object& schema) {
  Takes takes;
  const json::value* type = schema.if_contains("type");
  if (type != nullptr && *type == "integer") takes.type = AnswerType::integer;
  if (type != nullptr && *type == "number") takes.type = AnswerType::number;
  takes.minimum = number_at(schema, "minimum");
  takes.maximum = number_at(schema, "maximum");
  if (const auto most = number_at(schema, "maxLength"); most && *most <= interaction::kMaxOwnWords)
    takes.max_length = static_cast<int>(*most);
  takes.values = choices_in(schema);
  return takes;
}

// By all their names, as tools take them.
std::vector<std::string> names_of_environments(const Rules& rules) {
  std::vector<std::string> names;
  for (const auto& [name, others] : rules.environments) names.push_back(name);
  for (const auto& [name, others] : rules.environments) names.insert(names.end(), others.begin(), others.end());
  return names;
}

void offer(Question& question, const std::vector<std::string>& values) {
  const bool fits = values.size() >= interaction::kLeastOptions && values.size() <= interaction::kMaxOptions;
  if (!question.options.empty() || !fits) return;  // a shortened list would hide valid answers
  for (const std::string& value : values) question.options.push_back({.value = value, .label = value});
}

void offer_environments(Question& question, const Rules& rules) {
  std::vector<std::string> names;
  for (const auto& [name, others] : rules.environments) names.push_back(name);
  offer(question, names);
}

void offer_services(Question& question, const Rules& rules) {
  std::vector<std::string> keys;
  for (const intent::KnownService& service : rules.services) keys.push_back(service.key);
  offer(question, keys);
}

void complete(Question& question, const toolkit::Registry& registry, const Rules& rules) {
  const Parameter parameter = parameter_of(question, registry);
  if (parameter.schema != nullptr) {
    Takes takes = takes_by(*parameter.schema);
    offer(question, takes.values);
    // A service may be known to a backend and to no registry: any name is taken.
    if (parameter.kind == Kind::environment) takes.values = names_of_environments(rules);
    if (takes.values.size() > interaction::kMaxTaken) takes.values.clear();
    question.takes = std::move(takes);
  }
  const std::string label = to_lower(question.label);
  const bool is_known = parameter.schema != nullptr;
  if (parameter.kind == Kind::environment || (!is_known && label == "environment")) offer_environments(question, rules);
  if (parameter.kind == Kind::service || (!is_known && label == "service")) offer_services(question, rules);
}

}  // namespace

interaction::Form with_known_answers(interaction::Form form, const toolkit::Registry& registry, const Rules& rules) {
  for (Question& question : form.questions) complete(question, registry, rules);
  return form;
}

}  // namespace deputy::run
