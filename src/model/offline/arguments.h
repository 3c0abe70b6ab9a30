// Fills the arguments of a call by the kinds of its parameters: from people's answers, from what the request names, and
// for a follow-up from the calls of the request before it. What it cannot find is left out and reported as missing; it
// makes nothing up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/offline/conversation.h"

namespace deputy::model::offline {

struct Parameter {
  std::string name;
  std::optional<toolkit::Kind> kind;  // if empty, only a word that is one of its choices, a model or a person fills it
  json::object schema;
  bool required = false;

  /// The label of its question in a form: "service" or "environment" for these kinds, else the parameter's name.
  std::string label() const;
  /// Whether a person can type a value on one line.
  bool can_be_said() const;
  std::vector<std::string> choices() const;
};

/// In the order of the schema.
std::vector<Parameter> parameters_of(const toolkit::ToolSpec& spec);

struct Filled {
  json::object arguments;
  std::vector<Parameter> missing;  // required ones without a value, and an environment if there are some to choose from
};

class Arguments {
 public:
  /// The references must outlive it. `takes_over`: the request is a follow-up and takes over earlier arguments.
  Arguments(const Conversation& conversation, const toolkit::Registry& registry, bool takes_over)
      : conversation_(conversation), registry_(registry), takes_over_(takes_over) {}

  /// `which` picks one of several values, such as services, counted from 0.
  Filled fill(const toolkit::ToolSpec& spec, std::size_t which) const;

  /// How many calls are needed for everything the request names: for two services, two.
  std::size_t calls_needed(const toolkit::ToolSpec& spec) const;

 private:
  std::vector<std::string> named(const toolkit::ToolSpec& spec, toolkit::Kind kind) const;
  std::vector<std::string> chosen(const Parameter& parameter) const;
  std::vector<std::string> taken_over(const toolkit::ToolSpec& spec, toolkit::Kind kind) const;
  std::vector<std::string> values(const toolkit::ToolSpec& spec, const Parameter& parameter) const;

  const Conversation& conversation_;
  const toolkit::Registry& registry_;
  bool takes_over_;
};

/// The arguments of an `ask_user` call that asks for what is missing: one question per label, at most ten. The options
/// are the choices in the schema, or `environments` for an environment; what else is known is added when it is asked.
json::object form_for(const toolkit::ToolSpec& spec, const std::vector<Parameter>& missing,
                      const std::vector<std::string>& environments);

}  // namespace deputy::model::offline
