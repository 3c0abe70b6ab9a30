#include "channel/slack/incoming.h"

namespace deputy::channel::slack {

namespace {

bool flag_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

json::object object_in(const json::object& object, std::string_view key) {
  const json::object* found = find_object(object, key);
  return found == nullptr ? json::object() : *found;
}

std::string nested_text(const json::object& object, std::string_view key, std::string_view inner) {
  const json::object* found = find_object(object, key);
  return found == nullptr ? "" : text_at(*found, inner);
}

// A message that is in no thread has no thread_ts; the first of a thread names itself.
std::string thread_of(const json::object& message) {
  std::string thread = text_at(message, "thread_ts");
  return thread == text_at(message, "ts") ? std::string() : thread;
}

Said said_from(const json::object& message, const json::object& event) {
  Said said;
  said.channel = text_at(event, "channel");
  said.ts = text_at(message, "ts");
  said.thread = thread_of(message);
  said.user = text_at(message, "user");
  said.bot = text_at(message, "bot_id");
  if (said.bot.empty()) said.bot = nested_text(message, "bot_profile", "id");
  said.team = text_at(message, "user_team");
  if (said.team.empty()) said.team = text_at(message, "team");
  said.text = text_at(message, "text");
  said.is_direct = text_at(event, "channel_type") == "im" || said.channel.starts_with('D');
  said.action_token = text_at(message, "action_token");
  if (said.action_token.empty()) said.action_token = nested_text(message, "assistant_thread", "action_token");
  said.message = message;
  return said;
}

bool is_written(std::string_view subtype) {
  return subtype.empty() || subtype == "file_share" || subtype == "thread_broadcast" || subtype == "bot_message" ||
         subtype == "me_message";
}

std::optional<Incoming> read_message(const json::object& event) {
  const std::string subtype = text_at(event, "subtype");
  if (subtype == "message_changed") {
    const json::object message = object_in(event, "message");
    const json::object before = object_in(event, "previous_message");
    // Slack also reports a change when it adds a preview, and while a message of ours is streamed.
    if (text_at(message, "text") == text_at(before, "text")) return std::nullopt;
    Said said = said_from(message, event);
    said.kind = InboundKind::edited;
    said.changed_at = text_at(event, "ts");
    return said;
  }
  if (subtype == "message_deleted") {
    const json::object before = object_in(event, "previous_message");
    Said said = said_from(before, event);
    said.ts = text_at(event, "deleted_ts");
    said.kind = InboundKind::deleted;
    said.changed_at = text_at(event, "ts");
    return said;
  }
  if (!is_written(subtype)) return std::nullopt;
  return said_from(event, event);
}

std::optional<Incoming> read_shortcut(const json::object& payload) {
  return MessageShortcut{.callback = text_at(payload, "callback_id"),
                         .user = nested_text(payload, "user", "id"),
                         .user_name = nested_text(payload, "user", "name"),
                         .team = nested_text(payload, "team", "id"),
                         .channel = nested_text(payload, "channel", "id"),
                         .trigger = text_at(payload, "trigger_id"),
                         .response_url = text_at(payload, "response_url"),
                         .message = object_in(payload, "message")};
}

// The value of a button, or of the option that was chosen.
std::string value_of_action(const json::object& action) {
  std::string value = text_at(action, "value");
  return value.empty() ? nested_text(action, "selected_option", "value") : value;
}

std::optional<Incoming> read_click(const json::object& payload) {
  const json::value* actions = payload.if_contains("actions");
  if (actions == nullptr || !actions->is_array() || actions->get_array().empty()) return std::nullopt;
  const json::object* action = actions->get_array().front().if_object();
  if (action == nullptr) return std::nullopt;
  const json::object container = object_in(payload, "container");
  const json::object view = object_in(payload, "view");
  Clicked clicked{.user = nested_text(payload, "user", "id"),
                  .user_name = nested_text(payload, "user", "name"),
                  .team = nested_text(payload, "user", "team_id"),
                  .channel = text_at(container, "channel_id"),
                  .message = text_at(container, "message_ts"),
                  .thread = text_at(container, "thread_ts"),
                  .view = text_at(view, "id"),
                  .view_data = text_at(view, "private_metadata"),
                  .action = text_at(*action, "action_id"),
                  .value = value_of_action(*action),
                  .at = text_at(*action, "action_ts"),
                  .trigger = text_at(payload, "trigger_id"),
                  .response_url = text_at(payload, "response_url")};
  if (clicked.team.empty()) clicked.team = nested_text(payload, "team", "id");
  // Not every container says all of it.
  if (clicked.channel.empty()) clicked.channel = nested_text(payload, "channel", "id");
  if (clicked.message.empty()) clicked.message = nested_text(payload, "message", "ts");
  if (clicked.thread.empty()) clicked.thread = nested_text(payload, "message", "thread_ts");
  const json::object& holder = view.empty() ? payload : view;
  clicked.state = object_in(object_in(holder, "state"), "values");
  return clicked;
}

std::optional<Incoming> read_submission(const json::object& payload) {
  const json::object view = object_in(payload, "view");
  return Submitted{.user = nested_text(payload, "user", "id"),
                   .user_name = nested_text(payload, "user", "name"),
                   .team = nested_text(payload, "user", "team_id"),
                   .view = text_at(view, "id"),
                   .hash = text_at(view, "hash"),
                   .callback = text_at(view, "callback_id"),
                   .view_data = text_at(view, "private_metadata"),
                   .state = object_in(object_in(view, "state"), "values")};
}

}  // namespace

std::optional<Incoming> read_event(const json::object& payload) {
  const json::object event = object_in(payload, "event");
  const std::string type = text_at(event, "type");
  const bool is_external = flag_in(payload, "is_ext_shared_channel");
  if (type == "message" || type == "app_mention") {
    std::optional<Incoming> read = type == "message" ? read_message(event) : Incoming(said_from(event, event));
    if (auto* said = read ? std::get_if<Said>(&*read) : nullptr) {
      if (said->channel.empty() || said->ts.empty()) return std::nullopt;
      said->is_external = is_external;
      said->is_mention = type == "app_mention";
    }
    return read;
  }
  if (type == "agent_session_stopped")
    return StopPressed{text_at(event, "user"), text_at(event, "channel"), text_at(event, "thread_ts")};
  if (type == "app_home_opened")
    return HomeOpened{text_at(event, "user"), text_at(event, "tab"), text_at(event, "channel")};
  if (type == "assistant_thread_started") {
    const json::object thread = object_in(event, "assistant_thread");
    return AssistantOpened{text_at(thread, "user_id"), text_at(thread, "channel_id"), text_at(thread, "thread_ts")};
  }
  if (type == "reaction_added") {
    return ReactionAdded{text_at(event, "user"),           nested_text(event, "item", "channel"),
                         nested_text(event, "item", "ts"), text_at(event, "item_user"),
                         text_at(event, "reaction"),       text_at(event, "event_ts")};
  }
  return std::nullopt;
}

std::optional<Said> read_stored_message(const json::object& message, const std::string& channel) {
  if (!is_written(text_at(message, "subtype")) || text_at(message, "ts").empty()) return std::nullopt;
  return said_from(message, {{"channel", channel}});
}

std::optional<Incoming> read_interaction(const json::object& payload) {
  const std::string type = text_at(payload, "type");
  if (type == "block_actions") return read_click(payload);
  if (type == "view_submission") return read_submission(payload);
  if (type == "message_action") return read_shortcut(payload);
  return std::nullopt;
}

std::optional<Incoming> read_command(const json::object& fields) {
  if (text_at(fields, "command").empty()) return std::nullopt;
  return Command{.user = text_at(fields, "user_id"),
                 .user_name = text_at(fields, "user_name"),
                 .team = text_at(fields, "team_id"),
                 .channel = text_at(fields, "channel_id"),
                 .text = text_at(fields, "text"),
                 .trigger = text_at(fields, "trigger_id"),
                 .response_url = text_at(fields, "response_url")};
}

std::vector<Filled> read_state(const json::object& state) {
  std::vector<Filled> all;
  for (const auto& [block, actions] : state) {
    if (!actions.is_object()) continue;
    for (const auto& [action, value] : actions.get_object()) {
      const json::object* element = value.if_object();
      if (element == nullptr) continue;
      Filled filled{.block = std::string(block), .action = std::string(action), .written = text_at(*element, "value")};
      if (std::string one = nested_text(*element, "selected_option", "value"); !one.empty())
        filled.chosen.push_back(std::move(one));
      const json::value* several = element->if_contains("selected_options");
      if (several != nullptr && several->is_array()) {
        for (const json::value& option : several->get_array()) {
          if (option.is_object()) filled.chosen.push_back(text_at(option.get_object(), "value"));
        }
      }
      all.push_back(std::move(filled));
    }
  }
  return all;
}

}  // namespace deputy::channel::slack
