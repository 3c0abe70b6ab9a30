// What a tool's JSON Schema says of each parameter, as far as a planner by rule can use it. Any JSON is taken: what it
// does not understand of a schema is left to the tool, which checks its arguments itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace deputy::model::offline {

enum class Kind { text, whole, number, boolean, list, object, any };

struct Parameter {
  std::string name;
  std::string doc;
  Kind kind = Kind::any;
  Kind item = Kind::any;  // of a list
  bool required = false;
  bool is_moment = false;            // text that says a time
  std::vector<json::value> choices;  // of the value, or of each item of a list; empty: any
  json::value default_value;         // null: none
  std::optional<double> min, max;
  std::optional<std::size_t> min_length, max_length, max_items;
};

/// In the order of the schema; those that are only listed as required last.
std::vector<Parameter> parameters_of(const json::object& schema);

/// Whether a person can say a value in a line: no object, and no list of anything but plain values.
bool can_be_said(const Parameter& parameter);

/// Whether a number that does not fit is moved to the nearest that does.
enum class Numbers { exact, nearest };

/// The text as a value the parameter takes; nothing where it takes no such thing.
std::optional<json::value> fit(const Parameter& parameter, std::string_view text, Numbers numbers = Numbers::exact);

}  // namespace deputy::model::offline
