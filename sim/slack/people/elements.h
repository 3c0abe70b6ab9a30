// Interactive elements of blocks: which there are, what a person chose in them, and the state that Slack sends along.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace deputy::sim::slack {

struct Element {
  std::string block_id;
  const json::object* element = nullptr;  // lives as long as the blocks it was found in
  const json::object* input = nullptr;    // the input block around it; null: none

  std::string type() const { return text_at(*element, "type"); }
  std::string action_id() const { return text_at(*element, "action_id"); }
};

/// Every interactive element, in order.
std::vector<Element> elements_of(const json::array& blocks);

/// What a person chose in an element, in Slack's shape: `selected_option`, `value`, `selected_date` … `choice` is the
/// value of an option, a list of them, a text, an id or a date; null: what the element begins with. An option that the
/// element does not offer is an error.
Result<json::object> chosen(const json::object& element, const json::value& choice);

/// True for elements that keep what was chosen; a button does not.
bool keeps_state(std::string_view type);

/// `state.values` of these blocks. `choices` has `{block_id: {action_id: choice}}`.
Result<json::object> state_of(const json::array& blocks, const json::object& choices);

/// The sentence for each required input that is empty, by block id, as a person sees it under the field.
json::object missing_inputs(const json::array& blocks, const json::object& state);

}  // namespace deputy::sim::slack
