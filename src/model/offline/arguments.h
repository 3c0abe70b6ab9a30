// The arguments of a call, by the kinds of its parameters: from what people answered, from what the request names, and
// for a follow-up from the request before it. What it cannot find it leaves out and says so; it makes nothing up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/offline/conversation.h"

namespace deputy::model::offline {

struct Parameter {
  std::string name;
  std::optional<toolkit::Kind> kind;  // none: only a model or a person can fill it
  json::object schema;
  bool required = false;

  /// What a form calls it, and an answer: one word for all services, one for all environments, else its name.
  std::string label() const;
  /// Whether a person can say a value in a line.
  bool can_be_said() const;
  std::vector<std::string> choices() const;
};

/// In the order of the schema.
std::vector<Parameter> parameters_of(const toolkit::ToolSpec& spec);

struct Filled {
  json::object arguments;
  std::vector<Parameter> missing;  // required, or an environment where there are some, and nowhere to be found
};

class Arguments {
 public:
  /// All of them outlive it. `takes_over` is whether the request goes on from the one before it.
  Arguments(const Conversation& conversation, const toolkit::Registry& registry, bool takes_over)
      : conversation_(conversation), registry_(registry), takes_over_(takes_over) {}

  /// `which` picks one of several services or ids, counted from 0.
  Filled fill(const toolkit::ToolSpec& spec, std::size_t which) const;

  /// How many calls it takes to ask about everything the request names: for two services, two.
  std::size_t calls_needed(const toolkit::ToolSpec& spec) const;

 private:
  std::vector<std::string> named(const toolkit::ToolSpec& spec, toolkit::Kind kind) const;
  std::vector<std::string> taken_over(const toolkit::ToolSpec& spec, toolkit::Kind kind) const;
  std::vector<std::string> values(const toolkit::ToolSpec& spec, const Parameter& parameter) const;

  const Conversation& conversation_;
  const toolkit::Registry& registry_;
  bool takes_over_;
};

/// The form that asks people for what is missing, as the arguments of `ask_user`: one question a label, at most ten;
/// options are the choices of the schema, or for an environment the names that were offered.
json::object form_for(const std::vector<Parameter>& missing, const std::vector<std::string>& environments);

}  // namespace deputy::model::offline
