#include "sim/slack/people/elements.h"

#include <array>
#include <map>
#include <set>

#include "base/text.h"

namespace deputy::sim::slack {

namespace {

enum class Form { none, text, option, options, one, many };

struct ElementKind {
  Form form;
  std::string_view key;      // what was chosen
  std::string_view initial;  // what the element begins with
};

const std::map<std::string, ElementKind, std::less<>>& kinds() {
  static const std::map<std::string, ElementKind, std::less<>> kKinds = {
      {"button", {Form::none, "", ""}},
      {"workflow_button", {Form::none, "", ""}},
      {"feedback_buttons", {Form::none, "", ""}},
      {"icon_button", {Form::none, "", ""}},
      {"overflow", {Form::option, "selected_option", ""}},
      {"static_select", {Form::option, "selected_option", "initial_option"}},
      {"external_select", {Form::option, "selected_option", "initial_option"}},
      {"radio_buttons", {Form::option, "selected_option", "initial_option"}},
      {"multi_static_select", {Form::options, "selected_options", "initial_options"}},
      {"multi_external_select", {Form::options, "selected_options", "initial_options"}},
      {"checkboxes", {Form::options, "selected_options", "initial_options"}},
      {"users_select", {Form::one, "selected_user", "initial_user"}},
      {"conversations_select", {Form::one, "selected_conversation", "initial_conversation"}},
      {"channels_select", {Form::one, "selected_channel", "initial_channel"}},
      {"multi_users_select", {Form::many, "selected_users", "initial_users"}},
      {"multi_conversations_select", {Form::many, "selected_conversations", "initial_conversations"}},
      {"multi_channels_select", {Form::many, "selected_channels", "initial_channels"}},
      {"datepicker", {Form::one, "selected_date", "initial_date"}},
      {"timepicker", {Form::one, "selected_time", "initial_time"}},
      {"datetimepicker", {Form::one, "selected_date_time", "initial_date_time"}},
      {"plain_text_input", {Form::text, "value", "initial_value"}},
      {"email_text_input", {Form::text, "value", "initial_value"}},
      {"url_text_input", {Form::text, "value", "initial_value"}},
      {"number_input", {Form::text, "value", "initial_value"}},
      {"rich_text_input", {Form::one, "rich_text_value", "initial_value"}},
      {"file_input", {Form::many, "files", ""}},
  };
  return kKinds;
}

void collect(const json::value& value, const std::string& block_id, const json::object* input,
             std::vector<Element>& found) {
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) collect(item, block_id, input, found);
    return;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return;
  if (kinds().contains(text_at(*object, "type")) && object->contains("action_id")) {
    found.push_back({block_id, object, input});
    return;
  }
  for (const auto& [key, inner] : *object) collect(inner, block_id, input, found);
}

/// The option with this value; the element of an external select takes any.
Result<json::value> option_of(const json::object& element, const json::value& choice) {
  if (choice.is_object()) return choice;
  const auto look = [&](const json::object& in) -> const json::value* {
    const json::value* options = in.if_contains("options");
    if (options == nullptr || !options->is_array()) return nullptr;
    for (const json::value& option : options->get_array()) {
      if (option.is_object() && text_at(option.get_object(), "value") == as_text(choice)) return &option;
    }
    return nullptr;
  };
  if (const json::value* option = look(element)) return *option;
  if (const json::value* groups = element.if_contains("option_groups"); groups != nullptr && groups->is_array()) {
    for (const json::value& group : groups->get_array()) {
      const json::value* option = group.is_object() ? look(group.get_object()) : nullptr;
      if (option != nullptr) return *option;
    }
  }
  return fail(ErrorKind::invalid_input, "The element has no option `" + as_text(choice) + "`");
}

}  // namespace

std::vector<Element> elements_of(const json::array& blocks) {
  std::vector<Element> found;
  for (const json::value& block : blocks) {
    const json::object* object = block.if_object();
    if (object == nullptr) continue;
    collect(block, text_at(*object, "block_id"), text_at(*object, "type") == "input" ? object : nullptr, found);
  }
  return found;
}

bool keeps_state(std::string_view type) {
  const auto found = kinds().find(type);
  return found != kinds().end() && found->second.form != Form::none && type != "overflow";
}

Result<json::object> chosen(const json::object& element, const json::value& choice) {
  const std::string type = text_at(element, "type");
  const auto found = kinds().find(type);
  if (found == kinds().end()) return fail(ErrorKind::invalid_input, "`" + type + "` is not an interactive element");
  const ElementKind& kind = found->second;
  json::object answer = {{"type", type}};
  if (kind.form == Form::none) return answer;
  const json::value* begins = kind.initial.empty() ? nullptr : element.if_contains(kind.initial);
  const json::value& picked = choice.is_null() && begins != nullptr ? *begins : choice;
  json::value& slot = answer[kind.key];
  switch (kind.form) {
    case Form::none:
      break;
    case Form::text:
      slot = picked.is_null() ? json::value(nullptr) : json::value(as_text(picked));
      break;
    case Form::one:
      slot = picked;
      break;
    case Form::option:
      if (picked.is_null()) break;
      {
        TRY(slot, option_of(element, picked));
      }
      break;
    case Form::many:
      slot = picked.is_array() ? picked : json::value(json::array());
      break;
    case Form::options: {
      json::array options;
      if (picked.is_array()) {
        for (const json::value& one : picked.get_array()) {
          TRY(json::value option, option_of(element, one));
          options.push_back(std::move(option));
        }
      }
      slot = std::move(options);
      break;
    }
  }
  return answer;
}

Result<json::object> state_of(const json::array& blocks, const json::object& choices) {
  json::object values;
  std::set<std::string> known;
  for (const Element& found : elements_of(blocks)) {
    if (!keeps_state(found.type())) continue;
    known.insert(found.block_id + " " + found.action_id());
    const json::object* of_block = find_object(choices, found.block_id);
    const json::value* choice = of_block == nullptr ? nullptr : of_block->if_contains(found.action_id());
    TRY(json::object answer, chosen(*found.element, choice == nullptr ? json::value(nullptr) : *choice));
    json::value& block = values[found.block_id];
    if (!block.is_object()) block = json::object();
    block.get_object()[found.action_id()] = std::move(answer);
  }
  for (const auto& [block_id, actions] : choices) {
    if (!actions.is_object()) return fail(ErrorKind::invalid_input, "Choices are {block_id: {action_id: choice}}");
    for (const auto& [action_id, choice] : actions.get_object()) {
      if (known.contains(std::string(block_id) + " " + std::string(action_id))) continue;
      return fail(ErrorKind::invalid_input,
                  "There is no element `" + std::string(action_id) + "` in block `" + std::string(block_id) + "`");
    }
  }
  return values;
}

json::object missing_inputs(const json::array& blocks, const json::object& state) {
  json::object missing;
  for (const Element& found : elements_of(blocks)) {
    if (found.input == nullptr) continue;
    const json::value* optional = found.input->if_contains("optional");
    if (optional != nullptr && optional->is_bool() && optional->get_bool()) continue;
    const json::object* of_block = find_object(state, found.block_id);
    const json::object* answer = of_block == nullptr ? nullptr : find_object(*of_block, found.action_id());
    if (answer == nullptr) continue;
    const json::value* value = answer->if_contains(kinds().at(found.type()).key);
    const bool empty = value == nullptr || value->is_null() || (value->is_string() && value->get_string().empty()) ||
                       (value->is_array() && value->get_array().empty());
    if (empty) missing[found.block_id] = "Please complete this required field.";
  }
  return missing;
}

}  // namespace deputy::sim::slack
